import Models

/// Why a file could not be put into the folder the user chose.
package enum DestinationError: Error, Hashable, Sendable {
    /// The folder is not there (any more).
    case unavailable
    case notAFolder
    /// No permission, or read-only.
    case notWritable
    case full
    /// All numbers behind that name are taken.
    case nameExhausted
    /// The folder lies so deep, or its file system allows so little, that no name fits.
    case nameTooLong
    /// Anything else; the system's `errno`, for the log.
    case failed(code: Int32)

    package var userCopy: UserCopy {
        switch self {
        case .unavailable: UserCopy("The folder is not there.", next: "Choose another one.")
        case .notAFolder: UserCopy("That is a file, not a folder.", next: "Choose a folder.")
        case .notWritable:
            UserCopy("The folder may not be written.", next: "Choose another one, or change its permissions.")
        case .full: UserCopy("The disk is full.", next: "Free some space and try again.")
        case .nameExhausted:
            UserCopy("There are too many files of that name.", next: "Choose an empty folder.")
        case .nameTooLong: UserCopy("The file's name does not fit there.", next: "Choose a folder higher up.")
        case .failed:
            UserCopy("The file could not be written.", next: "Try again; if it stays, check the disk.")
        }
    }
}
