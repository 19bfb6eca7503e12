import FoundationEssentials

/// A conversation as the list shows it. Its title and names are as they came: untrusted.
package struct Conversation: Sendable, Hashable, Identifiable {
    package let id: UUID
    /// A group's title, or the other person's display name.
    package var title: String
    package var isGroup: Bool
    package var lastMessage: Message?
    /// Messages of others past the own read mark. Counted by the service up to 1 000.
    package var unreadCount: Int

    /// When something was last said, or the conversation begun; microseconds since 1970. The list's order.
    package var activityAt: Int64
    /// People who are in it now, oneself included.
    package var memberCount: Int
    /// The other side of a one-to-one conversation.
    package var peer: Person?
    /// Whether this account may add and remove people.
    package var isManagedByMe: Bool
    /// Positions up to which this account has read, and everybody else has received and read; `nil`: nothing yet.
    package var readPosition: Int64?
    package var othersDeliveredPosition: Int64?
    package var othersReadPosition: Int64?
    package var isPinned: Bool
    package var isArchived: Bool
    /// The end of the mute; `nil` when it is not muted.
    package var mutedUntil: Date?
    /// The user wants to come back to it: of this device only, and beside the count.
    package var isMarkedUnread: Bool

    package init(
        id: UUID, title: String, isGroup: Bool, lastMessage: Message? = nil, unreadCount: Int = 0,
        activityAt: Int64 = 0, memberCount: Int = 2, peer: Person? = nil, isManagedByMe: Bool = false,
        readPosition: Int64? = nil, othersDeliveredPosition: Int64? = nil, othersReadPosition: Int64? = nil,
        isPinned: Bool = false, isArchived: Bool = false, mutedUntil: Date? = nil,
        isMarkedUnread: Bool = false
    ) {
        self.id = id
        self.title = title
        self.isGroup = isGroup
        self.lastMessage = lastMessage
        self.unreadCount = unreadCount
        self.activityAt = activityAt
        self.memberCount = memberCount
        self.peer = peer
        self.isManagedByMe = isManagedByMe
        self.readPosition = readPosition
        self.othersDeliveredPosition = othersDeliveredPosition
        self.othersReadPosition = othersReadPosition
        self.isPinned = isPinned
        self.isArchived = isArchived
        self.mutedUntil = mutedUntil
        self.isMarkedUnread = isMarkedUnread
    }

    /// Whether there is something to come back to.
    package var isUnread: Bool { unreadCount > 0 || isMarkedUnread }
}
