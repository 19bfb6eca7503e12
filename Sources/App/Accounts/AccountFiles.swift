import Attachments
import FoundationEssentials
import Glibc
import Models
import Programs
import ViewModels

/// The files of one account: copies for sending in its spool, received ones in the user's folders.
struct AccountFiles: FileDoor {
    let spool: Spool
    let saver: FileSaver
    let runner: ProgramRunner
    let environment: [String: String]
    /// Where files are put that are opened.
    let cache: String

    func attach(_ path: String) async throws(FileTrouble) -> OutgoingFile {
        do throws(AttachError) { return try await spool.take(expanded(path)) } catch {
            throw FileTrouble(error.userCopy, isCancelled: error == .cancelled)
        }
    }

    func discard(_ file: OutgoingFile) async { spool.discard(file) }

    func save(
        _ attachment: Attachment, in folder: String?,
        progress: @escaping @Sendable (_ bytes: Int64, _ total: Int64) -> Void
    ) async throws(FileTrouble) -> String {
        try await put(attachment, in: folder.map(expanded) ?? LocalPath(downloads), progress)
    }

    private func put(
        _ attachment: Attachment, in place: LocalPath,
        _ progress: @escaping @Sendable (_ bytes: Int64, _ total: Int64) -> Void
    ) async throws(FileTrouble) -> String {
        do throws(SaveError) {
            let name = try await saver.save(attachment, in: place, fallback: "file", progress: progress)
            return (place.text == "/" ? "" : place.text) + "/" + name
        } catch { throw FileTrouble(error.userCopy, isCancelled: error == .cancelled) }
    }

    func completions(of typed: String, onlyFolders: Bool) async -> Completions {
        let found = await PathCompletion.find(typed, onlyFolders: onlyFolders, home: environment["HOME"])
        return Completions(
            candidates: found.candidates.map { Completions.Candidate($0.text, label: $0.name) },
            total: found.total, common: found.common)
    }

    func open(
        _ attachment: Attachment, progress: @escaping @Sendable (_ bytes: Int64, _ total: Int64) -> Void
    ) async throws(FileTrouble) {
        guard !OpenedFile.isRunnable(attachment.name ?? "") else {
            throw FileTrouble(
                UserCopy("Programs are not opened from here.", next: "Save it, and look at it first."))
        }
        guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else {
            throw FileTrouble(UserCopy("There is no desktop here.", next: "Save the file instead."))
        }
        mkdir(cache, 0o700)  // what is wrong with it is told by saving there
        await forgetOpened()
        let place = try await put(attachment, in: LocalPath(cache), progress)
        do throws(ProgramError) {
            try await runner.startApart(["xdg-open", place], environment: environment)
        } catch {
            let copy =
                error == .notFound
                ? UserCopy("There is no xdg-open to open it with.", next: "Save the file instead.")
                : UserCopy(error.what, next: error.next)
            throw FileTrouble(copy)
        }
    }

    /// What was opened a week ago is not looked at any more.
    private func forgetOpened() async {
        do throws(DestinationError) { await (try DestinationAccess(cache)).sweepCopies(now: time(nil)) } catch
        {
            return  // saving there says what is wrong
        }
    }

    // MARK: Paths

    private func expanded(_ text: String) -> LocalPath {
        PathText.read(text).expanded(home: environment["HOME"])
    }

    /// The desktop's folder for downloads where it is there, or else the home folder.
    private var downloads: String {
        let home = environment["HOME"] ?? "."
        let wishes = [environment["XDG_DOWNLOAD_DIR"], home + "/Downloads"].compactMap { $0 }
        return wishes.first { isFolder($0) } ?? home
    }

    private func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}

/// What a desktop might run instead of showing it.
enum OpenedFile {
    private static let endings: Set<String> = [
        "desktop", "sh", "bash", "zsh", "fish", "csh", "py", "pl", "rb", "js", "jar", "run", "bin",
        "appimage",
        "exe", "msi", "bat", "cmd", "com", "scr", "ps1", "vbs", "lnk", "url", "deb", "rpm", "flatpakref",
        "so",
    ]

    /// - Parameter name: As its sender calls it; judged as it is written here.
    static func isRunnable(_ name: String) -> Bool {
        let ending = AttachmentFileName(name, fallback: "file").text.split(separator: ".").dropFirst().last
        return ending.map { endings.contains($0.lowercased()) } ?? false
    }
}
