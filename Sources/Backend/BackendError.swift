import Models

/// Why a question to the service has no answer.
package enum BackendError: Error, Hashable, Sendable {
    /// No way to the service now. Trying again helps.
    case offline(LinkProblem)
    /// Silent for longer than the limit of the call. Trying again helps.
    case timedOut
    /// The service asks to wait; `nil` when it does not say how long. Trying again helps.
    case busy(retryAfter: Duration?)
    /// The session is over; signing in helps.
    case signedOut
    /// Not there, or not visible to this account.
    case notFound
    /// There, but not allowed to this account.
    case notAllowed
    /// Something with that name exists already.
    case taken
    /// The service cannot take these values.
    case invalid
    /// The service, as this client knows it, has no such thing.
    case unsupported
    /// A file on this machine could not be read or written; the system's `errno`.
    case localFile(code: Int32)
    /// An answer that is not of the agreed shape; the word is for the log.
    case unexpected(code: String)

    /// Whether the same call may succeed later, unchanged.
    package var isTransient: Bool {
        switch self {
        case .offline(let problem): problem.isTransient
        case .timedOut, .busy: true
        case .signedOut, .notFound, .notAllowed, .taken, .invalid, .unsupported, .localFile, .unexpected:
            false
        }
    }

    package var userCopy: UserCopy {
        switch self {
        case .offline(let problem): problem.userCopy
        case .timedOut: UserCopy("The server does not answer.", next: "Try again in a moment.")
        case .busy: UserCopy("The server asks for patience.", next: "Try again in a minute.")
        case .signedOut: LinkProblem.signedOut.userCopy
        case .notFound: UserCopy("It is not there any more.", next: "Reload the list.")
        case .notAllowed: UserCopy("You are not allowed to do this.", next: "Ask an owner of the group.")
        case .taken: UserCopy("That name is taken.", next: "Choose another one.")
        case .invalid: UserCopy("The server cannot take this.", next: "Check what you entered.")
        case .unsupported: UserCopy("This server cannot do that.", next: "Use another account for it.")
        case .localFile: UserCopy("A file here cannot be used.", next: "Check the disk and its permissions.")
        case .unexpected:
            UserCopy("The server's answer makes no sense.", next: "Try again, or update Pingline.")
        }
    }
}
