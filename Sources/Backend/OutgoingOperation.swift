import FoundationEssentials
import Models

/// What the outbox holds: one wish of the user, safe to repeat.
package enum OutgoingOperation: Sendable, Hashable {
    case send(OutgoingMessage)
    case edit(messageID: UUID, conversationID: UUID, body: String)
    case delete(messageID: UUID, conversationID: UUID)
    case react(messageID: UUID, conversationID: UUID, symbol: String, isOn: Bool)
    /// Up to and including the message; `nil` means the newest.
    case markRead(conversationID: UUID, messageID: UUID?)
    case markDelivered(conversationID: UUID, messageID: UUID?)
    /// Takes away every file this account has brought for a message that no longer names it. What others brought
    /// stays, and nothing there is as good.
    case removeFiles(messageID: UUID, conversationID: UUID)

    /// The same wish with every message under the name that `name` gives it. A message to be sent keeps its own, and so
    /// do its files.
    package func naming(_ name: (UUID) -> UUID) -> OutgoingOperation {
        switch self {
        case .send(var message):
            message.replyTo = message.replyTo.map(name)
            return .send(message)
        case .edit(let id, let conversationID, let body):
            return .edit(messageID: name(id), conversationID: conversationID, body: body)
        case .delete(let id, let conversationID):
            return .delete(messageID: name(id), conversationID: conversationID)
        case .react(let id, let conversationID, let symbol, let isOn):
            return .react(messageID: name(id), conversationID: conversationID, symbol: symbol, isOn: isOn)
        case .markRead(let conversationID, let id):
            return .markRead(conversationID: conversationID, messageID: id.map(name))
        case .markDelivered(let conversationID, let id):
            return .markDelivered(conversationID: conversationID, messageID: id.map(name))
        case .removeFiles: return self  // they were brought before the service had the message
        }
    }

    package var conversationID: UUID {
        switch self {
        case .send(let message): message.conversationID
        case .edit(_, let id, _), .delete(_, let id), .react(_, let id, _, _): id
        case .markRead(let id, _), .markDelivered(let id, _), .removeFiles(_, let id): id
        }
    }
}

/// A message on its way out.
package struct OutgoingMessage: Sendable, Hashable, Codable {
    package var id: UUID
    package var conversationID: UUID
    package var body: String
    package var replyTo: UUID?
    package var attachment: Attachment?

    package init(
        id: UUID, conversationID: UUID, body: String, replyTo: UUID? = nil, attachment: Attachment? = nil
    ) {
        self.id = id
        self.conversationID = conversationID
        self.body = body
        self.replyTo = replyTo
        self.attachment = attachment
    }
}

/// How one try of an operation ended.
package enum OperationOutcome: Sendable, Hashable {
    /// Done, now or by an earlier try. The row as the service has it, where there is one; that of a send may have an
    /// id of the service's own, which is the message's other name from then on.
    case stored(MessageChange?)
    /// Done, now or by an earlier try: the own reaction as the service has it.
    case reacted(ReactionChange)
    /// May succeed later, unchanged: offline, silent, 5xx, or asked to wait (`after`).
    case wait(after: Duration?, because: WaitReason)
    /// May succeed once the user has signed in again.
    case waitForSignIn
    /// Will not succeed unchanged.
    case refused(SendError)
}

/// Why an operation waits; a server that keeps failing on one operation must not block its conversation for ever.
package enum WaitReason: Sendable, Hashable {
    case offline
    case timedOut
    case serverFailed
    case askedToWait
}
