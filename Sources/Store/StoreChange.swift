import FoundationEssentials
import Models

/// What one transaction changed, as it is after it.
package struct StoreChange: Sendable {
    /// Rises by one with every change; a page read later than a change has a revision at or past it.
    package let revision: Int64
    /// Messages that were added or look different now, oldest change first.
    package var messages: [Message] = []
    /// Those of `messages` that others sent and that came for the first time, live or by catching up.
    package var arrivals: Set<UUID> = []
    /// Conversations whose row in the list is different now.
    package var conversations: [Conversation] = []
    /// Conversations this account is no longer in.
    package var left: Set<UUID> = []
    /// Conversations whose people or marks changed.
    package var members: Set<UUID> = []
    /// Messages of this device that are gone.
    package var dropped: [DroppedMessage] = []
    /// Messages that the service removed and that were not stored: a view may show them from memory.
    package var vanished: [UUID] = []
    /// For conversations whose gap changed: messages before the position are missing, `nil`: none are.
    package var gaps: [UUID: Int64?] = [:]
    /// Conversations into whose outbox something was put.
    package var enqueued: Set<UUID> = []
    /// Operations of the user that wait, when their number may have changed.
    package var waitingCount: Int?

    init(revision: Int64) { self.revision = revision }

    var isEmpty: Bool {
        messages.isEmpty && conversations.isEmpty && left.isEmpty && members.isEmpty && dropped.isEmpty
            && vanished.isEmpty && gaps.isEmpty && enqueued.isEmpty && waitingCount == nil
    }
}

/// A message that was forgotten.
package struct DroppedMessage: Sendable, Hashable {
    package let id: UUID
    package let conversationID: UUID
}

/// What a transaction touched; loaded once at its end, however often it was touched.
struct ChangeNotes {
    private(set) var messages: [UUID] = []
    private var known: Set<UUID> = []
    var arrivals: Set<UUID> = []
    var conversations: Set<UUID> = []
    var left: Set<UUID> = []
    var members: Set<UUID> = []
    var dropped: [DroppedMessage] = []
    var vanished: [UUID] = []
    var gaps: Set<UUID> = []
    var enqueued: Set<UUID> = []
    /// Whether the number of waiting operations may have changed.
    var outbox = false
    /// Copies of files that nothing needs any more; removed after the commit.
    var spentCopies: [String] = []

    mutating func touch(message id: UUID, in conversationID: UUID) {
        if known.insert(id).inserted { messages.append(id) }
        conversations.insert(conversationID)
    }

    mutating func forget(message id: UUID, in conversationID: UUID) {
        if known.remove(id) != nil { messages.removeAll { $0 == id } }
        dropped.append(DroppedMessage(id: id, conversationID: conversationID))
        conversations.insert(conversationID)
    }
}
