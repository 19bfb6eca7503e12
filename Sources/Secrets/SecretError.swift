import Glibc
import PrivateFiles

/// Why a secret could not be kept or given. Codes are the system's `errno`, for the log.
package enum SecretError: Error, Hashable, Sendable {
    /// The account's folder is not there.
    case missingFolder
    case notReadable(code: Int32)
    /// The folder or the file may not be written: a read-only home, or somebody else's file.
    case notWritable
    case diskFull
    /// What is kept is no secrets file. It was set aside under this name, or is still in its place when
    /// `nil`.
    case damaged(setAside: String?)
    /// Written by a later version of this program.
    case tooNew
    /// Another process works with it for longer than we wait.
    case busy
    case failed(code: Int32)

    /// What a failed write means.
    package init(writing error: PrivateFileError) {
        guard case .failed(_, let code) = error else {
            self = .notWritable
            return
        }
        self =
            switch code {
            case ENOENT, ENOTDIR: .missingFolder
            case EACCES, EPERM, EROFS, ELOOP: .notWritable
            case ENOSPC, EDQUOT: .diskFull
            default: .failed(code: code)
            }
    }
}
