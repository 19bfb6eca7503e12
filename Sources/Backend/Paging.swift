import FoundationEssentials
import Models

/// Proof that nothing before it is missing in one conversation: `order` compares, `token` goes back as received.
///
/// It comes from the conversation's own mark, read before its changes are fetched, and never from a live event.
package struct SyncCursor: Sendable, Hashable, Comparable, Codable {
    package let order: Int64
    package let token: String

    package init(order: Int64, token: String) {
        self.order = order
        self.token = token
    }

    package static func < (left: SyncCursor, right: SyncCursor) -> Bool { left.order < right.order }
}

/// A message by its place in the thread.
package struct MessageAnchor: Sendable, Hashable {
    package let position: Int64
    package let id: UUID

    package init(position: Int64, id: UUID) {
        self.position = position
        self.id = id
    }
}

/// One row of the conversation list, with the mark to catch up to.
package struct ConversationHead: Sendable, Hashable {
    package var conversation: Conversation
    /// Everything in the conversation that a later read can see is at or before this, or changes it.
    package var changed: SyncCursor
    /// What to continue paging from, as the service wants it.
    package var pageToken: String

    package init(conversation: Conversation, changed: SyncCursor, pageToken: String) {
        self.conversation = conversation
        self.changed = changed
        self.pageToken = pageToken
    }
}

/// Where a read of changes goes on; only the backend that made it can read it.
package struct ChangePageToken: RawRepresentable, Sendable, Hashable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
}

/// Some of what changed after a cursor.
package struct ChangePage: Sendable, Hashable {
    package var messages: [MessageChange]
    package var reactions: [ReactionChange]
    package var next: ChangePageToken?

    package init(messages: [MessageChange], reactions: [ReactionChange], next: ChangePageToken?) {
        self.messages = messages
        self.reactions = reactions
        self.next = next
    }
}
