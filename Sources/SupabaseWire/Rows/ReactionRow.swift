import FoundationEssentials
import Timestamps

/// A row of `reactions`.
package struct ReactionRow: TableRow, Hashable {
    package var messageID: UUID
    package var userID: UUID
    package var symbol: String
    package var conversationID: UUID
    package var removedAt: Timestamp?
    package var createdAt: Timestamp
    package var updatedAt: Timestamp

    package enum CodingKeys: String, CodingKey, CaseIterable, Sendable {
        case symbol
        case messageID = "message_id"
        case userID = "user_id"
        case conversationID = "conversation_id"
        case removedAt = "removed_at"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }

    package init(_ members: JSONMembers) throws(WireError) {
        messageID = try members.value(CodingKeys.messageID)
        userID = try members.value(CodingKeys.userID)
        symbol = try members.value(CodingKeys.symbol)
        conversationID = try members.value(CodingKeys.conversationID)
        removedAt = try members.optional(CodingKeys.removedAt)
        createdAt = try members.value(CodingKeys.createdAt)
        updatedAt = try members.value(CodingKeys.updatedAt)
    }
}
