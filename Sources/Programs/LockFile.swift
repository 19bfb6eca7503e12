import CSystem
import Glibc

/// A file that one process at a time holds, with the number of the holder in it.
///
/// The lock is the kernel's, so it goes away with its process, however that ends. The file stays: removing it
/// would let two processes hold two files of one name.
package final class LockFile: Sendable {
    private let descriptor: Int32

    /// Takes the lock without waiting and makes the file, 0600, when it is missing.
    /// - Throws: `.held` when another process (or another `LockFile` of this one) has it.
    package init(_ path: String) throws(LockFileError) {
        let opened = pl_open_private(path, 0)
        guard opened >= 0 else { throw .unusable(code: errno) }
        switch pl_lock(opened) {
        case 1: descriptor = opened
        case 0:
            let holder = Self.holder(opened)
            _ = close(opened)
            throw .held(by: holder)
        default:
            let code = errno
            _ = close(opened)
            throw .unusable(code: code)
        }
        let name = Array("\(getpid())\n".utf8)
        // Only for people to read: the lock holds without it.
        _ = ftruncate(descriptor, 0)
        _ = pwrite(descriptor, name, name.count, 0)
    }

    deinit { _ = close(descriptor) }

    private static func holder(_ descriptor: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: bytes.prefix(count).prefix { $0 != 0x0A }, as: UTF8.self))
    }
}

/// Why a lock was not taken.
package enum LockFileError: Error, Equatable, Sendable {
    /// The other process's number; `nil` when it has not written it yet.
    case held(by: Int32?)
    /// The number is the system's `errno`.
    case unusable(code: Int32)

    /// What happened, in words for people.
    package var what: String {
        switch self {
        case .held(let process?): "Another Pingline (process \(process)) is at work here."
        case .held(nil): "Another Pingline is at work here."
        case .unusable: "The lock file cannot be used."
        }
    }

    /// What to do about it.
    package var next: String {
        switch self {
        case .held: "Close it first."
        case .unusable: "Check the folder's permissions and the disk."
        }
    }
}
