import FoundationEssentials
import Models

/// News from the live link, in the order it came.
package enum BackendEvent: Sendable, Hashable {
    /// The change feed is attached, for the first time or again: catch up now.
    case live
    /// The change feed is away while the link stands: nothing is promised until the next `.live`.
    case feedLost
    /// A message was written or changed.
    case message(MessageChange)
    /// A message was removed outright, without a mark in its place. Only its id is told, and to everybody: one
    /// that is not held is none of ours.
    case messageRemoved(UUID)
    /// The service knows a message by another id from now on; whatever names either means the same one. It may come
    /// before or after the first that names the new id, and more than once. A send that was stored under an id of
    /// the service's own needs none: its outcome says as much.
    case messageRenamed(MessageRenaming)
    case reaction(ReactionChange)
    /// A membership or a mark changed; the person's names may be missing.
    case member(MemberChange)
    /// Something in a conversation changed up to `cursor`; a second notice of changes that come by themselves.
    case conversation(id: UUID, cursor: SyncCursor?)
    case typing(conversationID: UUID, userID: UUID, isTyping: Bool)
    /// Who is present in a held channel: the whole truth.
    case presence(conversationID: UUID, userIDs: Set<UUID>)
    /// Last event: why the link ended.
    case ended(LinkProblem)
}

/// Two names of one message: a service may give it another id once it has arrived.
package struct MessageRenaming: Sendable, Hashable {
    /// Any id it was known by until now.
    package var old: UUID
    /// What the service takes from now on.
    package var new: UUID

    package init(from old: UUID, to new: UUID) {
        self.old = old
        self.new = new
    }
}

/// A message as the service has it now.
package struct MessageChange: Sendable, Hashable {
    /// `deliveryState` is `.sent`; `position` and `version` are set; `reactions` is empty.
    package var message: Message
    /// Its reactions where the answer had them; `nil` says nothing about them.
    package var reactions: [ReactionChange]?

    package init(message: Message, reactions: [ReactionChange]? = nil) {
        self.message = message
        self.reactions = reactions
    }
}

/// One person's reaction to one message as it is now.
package struct ReactionChange: Sendable, Hashable {
    package var messageID: UUID
    package var conversationID: UUID
    /// `nil` when the account is gone.
    package var userID: UUID?
    package var symbol: String
    package var isOn: Bool
    /// Of two forms of one reaction the greater is the later.
    package var version: Int64

    package init(
        messageID: UUID, conversationID: UUID, userID: UUID?, symbol: String, isOn: Bool, version: Int64
    ) {
        self.messageID = messageID
        self.conversationID = conversationID
        self.userID = userID
        self.symbol = symbol
        self.isOn = isOn
        self.version = version
    }
}

/// A membership as it is now, without names.
package struct MemberChange: Sendable, Hashable {
    package var conversationID: UUID
    package var userID: UUID
    package var isManager: Bool
    package var hasLeft: Bool
    package var deliveredPosition: Int64?
    package var readPosition: Int64?

    package init(
        conversationID: UUID, userID: UUID, isManager: Bool, hasLeft: Bool, deliveredPosition: Int64?,
        readPosition: Int64?
    ) {
        self.conversationID = conversationID
        self.userID = userID
        self.isManager = isManager
        self.hasLeft = hasLeft
        self.deliveredPosition = deliveredPosition
        self.readPosition = readPosition
    }
}
