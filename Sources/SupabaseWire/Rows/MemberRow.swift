import FoundationEssentials
import Timestamps

/// A row of `conversation_members`.
package struct MemberRow: TableRow, Hashable {
    package var conversationID: UUID
    package var userID: UUID
    package var role: MemberRole
    package var joinedAt: Timestamp
    package var leftAt: Timestamp?
    package var lastReadAt: Timestamp?
    package var lastDeliveredAt: Timestamp?

    package enum CodingKeys: String, CodingKey, CaseIterable, Sendable {
        case role
        case conversationID = "conversation_id"
        case userID = "user_id"
        case joinedAt = "joined_at"
        case leftAt = "left_at"
        case lastReadAt = "last_read_at"
        case lastDeliveredAt = "last_delivered_at"
    }

    package init(_ members: JSONMembers) throws(WireError) {
        conversationID = try members.value(CodingKeys.conversationID)
        userID = try members.value(CodingKeys.userID)
        role = try members.value(CodingKeys.role)
        joinedAt = try members.value(CodingKeys.joinedAt)
        leftAt = try members.optional(CodingKeys.leftAt)
        lastReadAt = try members.optional(CodingKeys.lastReadAt)
        lastDeliveredAt = try members.optional(CodingKeys.lastDeliveredAt)
    }
}

/// A membership with the member's names embedded.
package struct NamedMemberRow: WireObject, Hashable {
    package var member: MemberRow
    /// `nil` when the profile is not visible, or cannot be read: the membership counts all the same.
    package var profile: Names?

    package struct Names: WireObject, Hashable {
        package var username: String
        package var displayName: String

        enum CodingKeys: String, CodingKey {
            case username
            case displayName = "display_name"
        }

        package init(_ members: JSONMembers) throws(WireError) {
            username = try members.value(CodingKeys.username)
            displayName = try members.value(CodingKeys.displayName)
        }
    }

    package init(_ members: JSONMembers) throws(WireError) {
        member = try MemberRow(members)
        profile = members["profiles"].flatMap { try? Names($0) }
    }
}
