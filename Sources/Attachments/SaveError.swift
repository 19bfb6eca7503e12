import Backend
import Models

/// Why an attachment was not saved.
package enum SaveError: Error, Hashable, Sendable {
    case service(BackendError)
    case destination(DestinationError)
    /// More bytes than were to be fetched.
    case tooLarge(limit: Int64)
    case cancelled

    package var userCopy: UserCopy {
        switch self {
        case .service(.notFound): UserCopy("The file is not there any more.", next: "Ask for it again.")
        case .service(let error): error.userCopy
        case .destination(let error): error.userCopy
        case .tooLarge:
            UserCopy("The file is larger than you let it be.", next: "Save it if you want it all the same.")
        case .cancelled: UserCopy("The file was not saved.", next: "Save it again when you want it.")
        }
    }

    /// Whether the same save may succeed later, so that what has come is worth something.
    var mayBeGoneOnWith: Bool {
        switch self {
        case .service(let error): error.isTransient
        case .destination(.full), .cancelled: true
        case .destination, .tooLarge: false
        }
    }

    init(_ error: BackendError) {
        if case .localFile(let code) = error {
            self = .destination(DestinationError(code: code))
        } else {
            self = .service(error)
        }
    }
}
