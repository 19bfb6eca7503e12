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
package struct NamedMemberRow: Decodable, Hashable, Sendable {
    package var member: MemberRow
    /// `nil` when the profile is not visible.
    package var profile: Names?

    package struct Names: Decodable, Hashable, Sendable {
        package var username: String
        package var displayName: String

        enum CodingKeys: String, CodingKey {
            case username
            case displayName = "display_name"
        }
    }

    enum CodingKeys: String, CodingKey {
        case profiles
    }

    package init(from decoder: any Decoder) throws {
        member = try MemberRow(from: decoder)
        let row = try decoder.container(keyedBy: CodingKeys.self)
        profile = try row.decodeIfPresent(Names.self, forKey: .profiles)
    }
}
