import Glibc
import Models

/// Why a file cannot be attached.
package enum AttachError: Error, Hashable, Sendable {
    case notFound
    /// A folder, a device, a pipe.
    case notAFile
    case notReadable
    /// Bytes.
    case tooLarge(limit: Int64)
    /// No room for the copy that is sent.
    case noRoom
    /// The service takes no files.
    case notTaken
    case cancelled
    /// Anything else; the system's `errno`, for the log.
    case failed(code: Int32)

    package var userCopy: UserCopy {
        switch self {
        case .notFound: UserCopy("There is no such file.", next: "Check how its name is written.")
        case .notAFile: UserCopy("That is not a file.", next: "Choose a file, or pack the folder first.")
        case .notReadable: UserCopy("The file may not be read.", next: "Check its permissions.")
        case .tooLarge(let limit):
            UserCopy("The file is too large to send.", next: "Choose one of at most \(limit >> 20) MB.")
        case .noRoom: UserCopy("The disk has no room for the file's copy.", next: "Free some space.")
        case .notTaken: UserCopy("This account takes no files.", next: "Use another account for it.")
        case .cancelled: UserCopy("The file was not attached.", next: "Attach it again when you want it.")
        case .failed: UserCopy("The file could not be copied.", next: "Try again, or check the disk.")
        }
    }

    init(code: Int32) {
        switch code {
        case ENOENT, ENOTDIR, ENAMETOOLONG: self = .notFound
        case EACCES, EPERM: self = .notReadable
        case EISDIR, ENXIO: self = .notAFile
        case ENOSPC, EDQUOT: self = .noRoom
        default: self = .failed(code: code)
        }
    }
}
