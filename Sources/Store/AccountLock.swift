import Glibc
import Models

/// Keeps a second process from opening an account. The system lets go of it when the process ends, however it
/// ends, so it is never stale.
package final class AccountLock: Sendable {
    private let descriptor: Int32

    /// Takes the account whose store is, or is going to be, in the directory.
    /// - Throws: `.inUse` with the words of who has it open.
    package convenience init(directory: String) throws(StoreError) {
        try self.init(path: try StoreDirectory(directory).lockPath)
    }

    /// - Throws: `.inUse` with the words the holder left in the file.
    init(path: String) throws(StoreError) {
        // Close-on-exec: a helper process must not keep the account locked after we are gone.
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw StoreError(errno: errno) }
        _ = fchmod(descriptor, 0o600)  // the directory is closed to others already
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            let holder = Self.words(in: descriptor)
            close(descriptor)
            throw code == EWOULDBLOCK ? .inUse(holder: holder) : StoreError(errno: code)
        }
        leaveWords()
    }

    deinit {
        // Said in so many words: a child between its fork and its exec has the descriptor too.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    private func leaveWords() {
        var words = "process \(getpid())"
        if let terminal = ttyname(STDIN_FILENO) {
            words +=
                " on \(String(cString: terminal).split(separator: "/").dropFirst().joined(separator: "/"))"
        }
        // Only the words in a refusal depend on it: a full disk must not keep the account closed.
        guard ftruncate(descriptor, 0) == 0 else { return }
        _ = words.withUTF8 { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    private static func words(in descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let text = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
        return text.isEmpty ? "another process" : text
    }
}
