import FoundationEssentials
import Timestamps

/// A row of `conversations`.
package struct ConversationRow: TableRow, Hashable {
    package var id: UUID
    package var title: String?
    package var isGroup: Bool
    package var changedAt: Timestamp

    package enum CodingKeys: String, CodingKey, CaseIterable, Sendable {
        case id, title
        case isGroup = "is_group"
        case changedAt = "changed_at"
    }

    package init(_ members: JSONMembers) throws(WireError) {
        id = try members.value(CodingKeys.id)
        title = try members.optional(CodingKeys.title)
        isGroup = try members.value(CodingKeys.isGroup)
        changedAt = try members.value(CodingKeys.changedAt)
    }
}

/// A row of `list_conversations`.
package struct ListedConversationRow: WireObject, Hashable {
    package var id: UUID
    package var title: String?
    package var isGroup: Bool
    package var changedAt: Timestamp
    package var activityAt: Timestamp
    package var role: MemberRole
    package var mutedUntil: Timestamp?
    package var pinnedAt: Timestamp?
    package var archivedAt: Timestamp?
    package var memberCount: Int
    package var peerID: UUID?
    package var peerUsername: String?
    package var peerDisplayName: String?
    package var lastReadAt: Timestamp?
    package var lastDeliveredAt: Timestamp?
    package var othersReadAt: Timestamp?
    package var othersDeliveredAt: Timestamp?
    /// Counted up to 1 000.
    package var unreadCount: Int
    package var lastMessageID: UUID?
    package var lastMessageSenderID: UUID?
    package var lastMessageBody: String?
    package var lastMessageImagePath: String?
    package var lastMessageDeletedAt: Timestamp?
    package var lastMessageCreatedAt: Timestamp?

    enum CodingKeys: String, CodingKey {
        case id, title, role
        case isGroup = "is_group"
        case changedAt = "changed_at"
        case activityAt = "activity_at"
        case mutedUntil = "muted_until"
        case pinnedAt = "pinned_at"
        case archivedAt = "archived_at"
        case memberCount = "member_count"
        case peerID = "peer_id"
        case peerUsername = "peer_username"
        case peerDisplayName = "peer_display_name"
        case lastReadAt = "last_read_at"
        case lastDeliveredAt = "last_delivered_at"
        case othersReadAt = "others_read_at"
        case othersDeliveredAt = "others_delivered_at"
        case unreadCount = "unread_count"
        case lastMessageID = "last_message_id"
        case lastMessageSenderID = "last_message_sender_id"
        case lastMessageBody = "last_message_body"
        case lastMessageImagePath = "last_message_image_path"
        case lastMessageDeletedAt = "last_message_deleted_at"
        case lastMessageCreatedAt = "last_message_created_at"
    }

    package init(_ members: JSONMembers) throws(WireError) {
        id = try members.value(CodingKeys.id)
        title = try members.optional(CodingKeys.title)
        isGroup = try members.value(CodingKeys.isGroup)
        changedAt = try members.value(CodingKeys.changedAt)
        activityAt = try members.value(CodingKeys.activityAt)
        role = try members.value(CodingKeys.role)
        mutedUntil = try members.optional(CodingKeys.mutedUntil)
        pinnedAt = try members.optional(CodingKeys.pinnedAt)
        archivedAt = try members.optional(CodingKeys.archivedAt)
        memberCount = try members.value(CodingKeys.memberCount)
        peerID = try members.optional(CodingKeys.peerID)
        peerUsername = try members.optional(CodingKeys.peerUsername)
        peerDisplayName = try members.optional(CodingKeys.peerDisplayName)
        lastReadAt = try members.optional(CodingKeys.lastReadAt)
        lastDeliveredAt = try members.optional(CodingKeys.lastDeliveredAt)
        othersReadAt = try members.optional(CodingKeys.othersReadAt)
        othersDeliveredAt = try members.optional(CodingKeys.othersDeliveredAt)
        unreadCount = try members.value(CodingKeys.unreadCount)
        lastMessageID = try members.optional(CodingKeys.lastMessageID)
        lastMessageSenderID = try members.optional(CodingKeys.lastMessageSenderID)
        lastMessageBody = try members.optional(CodingKeys.lastMessageBody)
        lastMessageImagePath = try members.optional(CodingKeys.lastMessageImagePath)
        lastMessageDeletedAt = try members.optional(CodingKeys.lastMessageDeletedAt)
        lastMessageCreatedAt = try members.optional(CodingKeys.lastMessageCreatedAt)
    }
}

/// Where the list goes on; readable even where the rest of a row is not.
package struct ListedConversationMark: WireObject, Hashable {
    package var id: UUID
    package var activityAt: Timestamp

    enum CodingKeys: String, CodingKey {
        case id
        case activityAt = "activity_at"
    }

    package init(_ members: JSONMembers) throws(WireError) {
        id = try members.value(CodingKeys.id)
        activityAt = try members.value(CodingKeys.activityAt)
    }
}
