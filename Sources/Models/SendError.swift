/// Why a service refused an operation. What can still succeed unchanged is no refusal: it waits.
package enum SendError: Error, Hashable, Sendable {
    /// Longer than the service takes, in characters.
    case tooLong(limit: Int)
    case empty
    case notAMember
    /// The message it is about is gone, or not ours to change.
    case messageGone
    /// The server failed on it for ten minutes: it would block its conversation for ever.
    case serverFailing
    /// Cut off at a moment that leaves open whether it arrived, at a service without repeat protection.
    case mayHaveBeenSent
    /// Larger than the service takes, in bytes.
    case fileTooLarge(limit: Int64)
    /// The files of this account take all the room that the service gives it.
    case quotaUsedUp
    /// The service has no room for files, whoever sends them.
    case serviceFull
    /// The copy that was kept for sending is gone or cannot be read.
    case fileUnreadable
    /// The server's own code, for the log; never shown.
    case refused(code: String)

    package var userCopy: UserCopy {
        switch self {
        case .tooLong(let limit): UserCopy("Too long to send.", next: "Shorten it to \(limit) characters.")
        case .empty: UserCopy("There is nothing to send.", next: "Type a message first.")
        case .notAMember:
            UserCopy("Not sent: you are not in this conversation.", next: "Ask to be added again.")
        case .messageGone: UserCopy("The message is no longer there.", next: "Send it as a new message.")
        case .serverFailing:
            UserCopy("The server fails on this message.", next: "Send it again later, or change it.")
        case .mayHaveBeenSent:
            UserCopy("This may have been sent already.", next: "Look for it before you send it again.")
        case .fileTooLarge(let limit):
            UserCopy("The file is too large to send.", next: "Choose one of at most \(limit >> 20) MB.")
        case .quotaUsedUp:
            UserCopy(
                "Your files take all the room you have there.",
                next: "Delete messages with files, then send it again.")
        case .serviceFull:
            UserCopy("The server has no room for the file.", next: "Send it again later, or ask who runs it.")
        case .fileUnreadable: UserCopy("The file's copy is gone.", next: "Attach the file again.")
        case .refused: UserCopy("The server refused this message.", next: "Edit it and send it again.")
        }
    }
}
