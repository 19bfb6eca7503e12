import FoundationEssentials
import Models

/// Rows from the service, to be merged: the later version of each wins, whatever their order.
package struct IncomingRows: Sendable {
    /// Confirmed: `position` and `version` are set. Their `reactions` are not looked at.
    package var messages: [Message]
    package var reactions: [ReactionRow]
    package var members: [MemberMark]
    /// Messages that are gone for good, whatever `messages` has of them. Ids that are not held change nothing.
    package var removed: [UUID]
    /// Other names that messages have at the service from now on, in the order they were given. The rows may use any.
    package var renamed: [NameChange]

    package init(
        messages: [Message] = [], reactions: [ReactionRow] = [], members: [MemberMark] = [],
        removed: [UUID] = [], renamed: [NameChange] = []
    ) {
        self.messages = messages
        self.reactions = reactions
        self.members = members
        self.removed = removed
        self.renamed = renamed
    }

    package var isEmpty: Bool {
        messages.isEmpty && reactions.isEmpty && members.isEmpty && removed.isEmpty && renamed.isEmpty
    }
}

/// Two names of one message, the later one last.
package struct NameChange: Sendable, Hashable {
    package var old: UUID
    package var new: UUID

    package init(from old: UUID, to new: UUID) {
        self.old = old
        self.new = new
    }
}

/// One person's reaction to one message.
package struct ReactionRow: Sendable, Hashable {
    package var messageID: UUID
    /// `nil` when the account is gone.
    package var userID: UUID?
    package var symbol: String
    package var isOn: Bool
    package var version: Int64

    package init(messageID: UUID, userID: UUID?, symbol: String, isOn: Bool, version: Int64) {
        self.messageID = messageID
        self.userID = userID
        self.symbol = symbol
        self.isOn = isOn
        self.version = version
    }
}

/// A membership without names.
package struct MemberMark: Sendable, Hashable {
    package var conversationID: UUID
    package var userID: UUID
    package var isManager: Bool
    package var hasLeft: Bool
    package var deliveredPosition: Int64?
    package var readPosition: Int64?

    package init(
        conversationID: UUID, userID: UUID, isManager: Bool = false, hasLeft: Bool = false,
        deliveredPosition: Int64? = nil, readPosition: Int64? = nil
    ) {
        self.conversationID = conversationID
        self.userID = userID
        self.isManager = isManager
        self.hasLeft = hasLeft
        self.deliveredPosition = deliveredPosition
        self.readPosition = readPosition
    }
}

/// Proof that nothing before it is missing in a conversation: `order` compares, `token` goes back as received.
package struct StoredCursor: Sendable, Hashable {
    package let order: Int64
    package let token: String

    package init(order: Int64, token: String) {
        self.order = order
        self.token = token
    }
}

/// One operation of the outbox.
package struct OutboxRow: Sendable, Hashable {
    /// Its place: smaller goes first.
    package let sequence: Int64
    /// The line it stands in: its conversation. Removals of files stand in a line of their own, named by the
    /// account's user, so that a storage that fails holds up no message.
    package let conversationID: UUID
    package let operation: StoredOperation
    /// Rises when the row is replaced by a newer wish, so that the end of an older try does not remove it.
    package let revision: Int64
    /// Tries that ended without an answer.
    package let attempts: Int
    /// Since when the server failed on it without a break; microseconds since 1970.
    package let failingSince: Int64?
    /// What the service calls messages it names, where that is not their id here.
    package var serviceNames: [UUID: UUID] = [:]
}

/// What an operation of the outbox does. The content of a send is the message's own row.
package enum StoredOperation: Sendable, Hashable {
    case send(Message)
    case edit(messageID: UUID, body: String)
    case delete(messageID: UUID)
    case react(messageID: UUID, symbol: String, isOn: Bool)
    case markRead(messageID: UUID)
    case markDelivered(messageID: UUID)
    /// What was brought for a message that is deleted, or was never sent, is to go.
    /// - `isUnsure`: An upload may still be on its way to its end: one look is not enough.
    case removeFiles(messageID: UUID, conversationID: UUID, isUnsure: Bool)
}
