import Attachments
import FoundationEssentials
import Glibc
import Models
import ViewModels

/// The files of one account: copies for sending in its spool, received ones in the user's folders.
struct AccountFiles: FileDoor {
    let spool: Spool
    let saver: FileSaver
    let environment: [String: String]

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
        let place = folder.map(expanded) ?? downloads
        do throws(SaveError) {
            let name = try await saver.save(attachment, in: place, fallback: "file", progress: progress)
            return (place == "/" ? "" : place) + "/" + name
        } catch { throw FileTrouble(error.userCopy, isCancelled: error == .cancelled) }
    }

    // MARK: Paths

    private func expanded(_ text: String) -> String {
        UserPath.expanded(text, home: environment["HOME"])
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

/// Paths as people write them.
enum UserPath {
    /// With `~`, and in the quotes that a terminal puts around a file dropped onto it.
    static func expanded(_ text: String, home: String?) -> String {
        var path = text
        if let quote = path.first, quote == "'" || quote == "\"", path.count > 1, path.last == quote {
            path = String(path.dropFirst().dropLast())
        }
        guard path == "~" || path.hasPrefix("~/"), let home, !home.isEmpty else { return path }
        return home + path.dropFirst()
    }
}
