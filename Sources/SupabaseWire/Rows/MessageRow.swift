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
        // A null is tolerated, an absent key is not: it would blank a message.
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
}

/// A message with the reactions embedded in its answer.
package struct MessageWithReactionsRow: WireObject, Hashable {
    package var message: MessageRow
    /// `nil` when the answer has no list of them; deformed ones are left out.
    package var reactions: [ReactionRow]?

    package init(_ members: JSONMembers) throws(WireError) {
        message = try MessageRow(members)
        // Whatever else stands there hides no message: the reactions are then unknown.
        reactions = members["reactions"].flatMap { try? LossyRows<ReactionRow>($0) }?.rows
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
