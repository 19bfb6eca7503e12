import FoundationEssentials
import Glibc
import Models
import Programs
import ViewModels

/// Writes a long message in the user's own editor.
struct ExternalEditor {
    let environment: [String: String]
    let runner: ProgramRunner

    /// Opens the editor on the text and returns what it holds when the editor ends.
    ///
    /// The file it edits is private and gone afterwards. A text that cannot be read back leaves the old one.
    func edit(_ text: String) async throws(EditorError) -> String {
        let path = try write(text)
        defer { unlink(path) }
        do throws(ProgramError) {
            try await runner.runOnTerminal(command(for: path), environment: environment)
        } catch {
            // 127 is a shell's word for a program that is not there.
            throw error == .notFound || error == .failed(status: 127) ? .notFound : .failed
        }
        // The editor may have taken the file away.
        guard let bytes = try? Data(contentsOf: URL(filePath: path)) else { throw .failed }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `VISUAL`, then `EDITOR`; their words are parted by blanks, and a shell reads what has quotes or the like.
    func command(for path: String) -> [String] {
        let wish = [environment["VISUAL"], environment["EDITOR"]].compactMap { $0 }.first { !$0.isBlank }
        guard let wish else {
            return [["sensible-editor", "vi", "nano"].first { runner.find($0) != nil } ?? "vi", path]
        }
        guard wish.contains(where: "\"'\\$`~*?[]{}|&;<>()#".contains) else {
            return wish.split(separator: " ").map(String.init) + [path]
        }
        return ["/bin/sh", "-c", wish + " \"$@\"", "editor", path]
    }

    /// A new file of ours alone: mkstemps makes it 0600 and never follows a link.
    private func write(_ text: String) throws(EditorError) -> String {
        let folder = environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        var template = Array("\(folder)/pingline-XXXXXX.txt".utf8CString)
        let descriptor = mkstemps(&template, 4)
        guard descriptor >= 0 else { throw .noFile }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let handle = fdopen(descriptor, "w")
        guard let handle else {
            close(descriptor)
            unlink(path)
            throw .noFile
        }
        let bytes = Array(text.utf8)
        let isWritten = fwrite(bytes, 1, bytes.count, handle) == bytes.count
        guard fclose(handle) == 0, isWritten else {
            unlink(path)
            throw .noFile
        }
        return path
    }
}

/// Why a text was not edited outside. The text is still the caller's.
enum EditorError: Error {
    case notFound
    case failed
    case noFile

    var userCopy: UserCopy {
        switch self {
        case .notFound: UserCopy("There is no editor.", next: "Set EDITOR to the one you like.")
        case .failed: UserCopy("The editor did not end well; the text is as before.", next: "Try again.")
        case .noFile:
            UserCopy("There is no room for a file to edit.", next: "Free some space, or set TMPDIR.")
        }
    }
}
