import FoundationEssentials
import Timestamps

/// A row of `messages`.
package struct MessageRow: TableRow, Hashable {
    package var id: UUID
    package var conversationID: UUID
    package var senderID: UUID?
    /// Empty where the server sent null.
    package var body: String
    package var imagePath: String?
    package var attachmentName: String?
    package var attachmentMime: String?
    package var attachmentSize: Int64?
    package var attachmentWidth: Int?
    package var attachmentHeight: Int?
    package var replyTo: UUID?
    package var editedAt: Timestamp?
    package var deletedAt: Timestamp?
    package var createdAt: Timestamp
    package var updatedAt: Timestamp

    package enum CodingKeys: String, CodingKey, CaseIterable, Sendable {
        case id, body
        case conversationID = "conversation_id"
        case senderID = "sender_id"
        case imagePath = "image_path"
        case attachmentName = "attachment_name"
        case attachmentMime = "attachment_mime"
        case attachmentSize = "attachment_size"
        case attachmentWidth = "attachment_width"
        case attachmentHeight = "attachment_height"
        case replyTo = "reply_to"
        case editedAt = "edited_at"
        case deletedAt = "deleted_at"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }

    package init(_ members: JSONMembers) throws(WireError) {
        id = try members.value(CodingKeys.id)
        conversationID = try members.value(CodingKeys.conversationID)
        senderID = try members.optional(CodingKeys.senderID)
        body = members["body"]?.isNull == true ? "" : try members.value(CodingKeys.body)
        imagePath = try members.optional(CodingKeys.imagePath)
        attachmentName = try members.optional(CodingKeys.attachmentName)
        attachmentMime = try members.optional(CodingKeys.attachmentMime)
        attachmentSize = try members.optional(CodingKeys.attachmentSize)
        attachmentWidth = try members.optional(CodingKeys.attachmentWidth)
        attachmentHeight = try members.optional(CodingKeys.attachmentHeight)
        replyTo = try members.optional(CodingKeys.replyTo)
        editedAt = try members.optional(CodingKeys.editedAt)
        deletedAt = try members.optional(CodingKeys.deletedAt)
        createdAt = try members.value(CodingKeys.createdAt)
        updatedAt = try members.value(CodingKeys.updatedAt)
    }

    package init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: CodingKeys.self)
        id = try row.decode(UUID.self, forKey: .id)
        conversationID = try row.decode(UUID.self, forKey: .conversationID)
        senderID = try row.decodeIfPresent(UUID.self, forKey: .senderID)
        // A null is tolerated, an absent key is not: it would blank a message.
        body = try row.decodeNil(forKey: .body) ? "" : row.decode(String.self, forKey: .body)
        imagePath = try row.decodeIfPresent(String.self, forKey: .imagePath)
        attachmentName = try row.decodeIfPresent(String.self, forKey: .attachmentName)
        attachmentMime = try row.decodeIfPresent(String.self, forKey: .attachmentMime)
        attachmentSize = try row.decodeIfPresent(Int64.self, forKey: .attachmentSize)
        attachmentWidth = try row.decodeIfPresent(Int.self, forKey: .attachmentWidth)
        attachmentHeight = try row.decodeIfPresent(Int.self, forKey: .attachmentHeight)
        replyTo = try row.decodeIfPresent(UUID.self, forKey: .replyTo)
        editedAt = try row.decodeIfPresent(Timestamp.self, forKey: .editedAt)
        deletedAt = try row.decodeIfPresent(Timestamp.self, forKey: .deletedAt)
        createdAt = try row.decode(Timestamp.self, forKey: .createdAt)
        updatedAt = try row.decode(Timestamp.self, forKey: .updatedAt)
    }
}

/// A message with the reactions embedded in its answer.
package struct MessageWithReactionsRow: Decodable, Hashable, Sendable {
    package var message: MessageRow
    /// `nil` when the answer has none of the embedding; deformed ones are left out.
    package var reactions: [ReactionRow]?

    enum CodingKeys: String, CodingKey {
        case reactions
    }

    package init(from decoder: any Decoder) throws {
        message = try MessageRow(from: decoder)
        let row = try decoder.container(keyedBy: CodingKeys.self)
        reactions = try row.decodeIfPresent(LossyRows<ReactionRow>.self, forKey: .reactions)?.rows
    }
}

/// The body of a send. Absent keys take the column's default.
package struct NewMessageBody: Encodable, Sendable {
    package var id: String
    package var conversationID: String
    package var body: String
    package var replyTo: String?
    package var imagePath: String?
    package var attachmentName: String?
    package var attachmentMime: String?
    package var attachmentSize: Int64?
    package var attachmentWidth: Int?
    package var attachmentHeight: Int?

    /// - Parameters: Ids are in lower case, as they come back.
    package init(id: String, conversationID: String, body: String, replyTo: String?) {
        self.id = id
        self.conversationID = conversationID
        self.body = body
        self.replyTo = replyTo
    }

    enum CodingKeys: String, CodingKey {
        case id, body
        case conversationID = "conversation_id"
        case replyTo = "reply_to"
        case imagePath = "image_path"
        case attachmentName = "attachment_name"
        case attachmentMime = "attachment_mime"
        case attachmentSize = "attachment_size"
        case attachmentWidth = "attachment_width"
        case attachmentHeight = "attachment_height"
    }
}
