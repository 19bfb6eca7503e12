import FoundationEssentials

/// One operation of the outbox, as a page shows it: what, where, since when, and how its tries went.
package struct OutboxEntry: Sendable, Hashable, Identifiable {
    package enum Kind: Sendable, Hashable {
        case send, edit, delete
        case react(symbol: String, isOn: Bool)
        case markRead, markDelivered
        case removeFiles

        /// Whether a person asked for it; the others follow by themselves.
        package var isTheUsers: Bool {
            switch self {
            case .send, .edit, .delete, .react: true
            case .markRead, .markDelivered, .removeFiles: false
            }
        }
    }

    /// Its place in the outbox of its account: smaller goes first.
    package let id: Int64
    package var kind: Kind
    package var conversationID: UUID
    /// The message it is about.
    package var messageID: UUID
    /// What was typed, of a send and an edit; untrusted, and empty otherwise.
    package var text: String
    /// The name of the file that goes with a send; untrusted.
    package var fileName: String?
    /// When it was asked for; `nil`: not known, as for what follows by itself.
    package var since: Date?
    /// Tries that ended without success.
    package var tries: Int
    package var triedAt: Date?
    /// How the last try ended.
    package var trouble: OutboxTrouble?
    /// Why the service will not do it; `nil` while it waits.
    package var failure: SendError?
    /// When it is tried again by itself; `nil`: as soon as it can be, or never.
    package var nextTryAt: Date?

    package init(
        id: Int64, kind: Kind, conversationID: UUID, messageID: UUID, text: String = "",
        fileName: String? = nil, since: Date? = nil, tries: Int = 0, triedAt: Date? = nil,
        trouble: OutboxTrouble? = nil, failure: SendError? = nil, nextTryAt: Date? = nil
    ) {
        self.id = id
        self.kind = kind
        self.conversationID = conversationID
        self.messageID = messageID
        self.text = text
        self.fileName = fileName
        self.since = since
        self.tries = tries
        self.triedAt = triedAt
        self.trouble = trouble
        self.failure = failure
        self.nextTryAt = nextTryAt
    }
}

/// How a try of an operation ended that may succeed later. The raw value is stored: a later version's word is kept.
package struct OutboxTrouble: RawRepresentable, Sendable, Hashable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package static let offline = OutboxTrouble(rawValue: "offline")
    package static let timedOut = OutboxTrouble(rawValue: "timedOut")
    package static let serverFailed = OutboxTrouble(rawValue: "serverFailed")
    package static let askedToWait = OutboxTrouble(rawValue: "askedToWait")
    package static let signedOut = OutboxTrouble(rawValue: "signedOut")

    /// What happened; what to do is the same for all: it is tried again by itself.
    package var words: String {
        switch self {
        case .offline: "The server was not reached."
        case .timedOut: "The server did not answer."
        case .serverFailed: "The server failed."
        case .askedToWait: "The server asked for patience."
        case .signedOut: "You were signed out."
        default: "It did not work."
        }
    }
}

/// What a message that is taken back leaves for the composer.
package struct TakenBack: Sendable, Hashable {
    package var text: String
    package var replyTo: UUID?
    /// Its copy is the caller's again.
    package var file: OutgoingFile?

    package init(text: String, replyTo: UUID? = nil, file: OutgoingFile? = nil) {
        self.text = text
        self.replyTo = replyTo
        self.file = file
    }
}
