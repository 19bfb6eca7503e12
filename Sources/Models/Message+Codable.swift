import FoundationEssentials
import Timestamps

/// The shape of a message in `--json` output: snake case, UUIDs in lower case, times with microseconds.
extension Message: Codable {
    enum CodingKeys: String, CodingKey {
        case id, body, reactions, position, attachment
        case conversationID = "conversation_id"
        case senderID = "sender_id"
        case imageURL = "image_url"
        case createdAt = "created_at"
        case editedAt = "edited_at"
        case deletedAt = "deleted_at"
        case replyTo = "reply_to"
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func time(_ key: CodingKeys) throws -> Date? {
            try container.decodeIfPresent(Timestamp.self, forKey: key).map {
                Date(microseconds: $0.microseconds)
            }
        }
        guard let createdAt = try time(.createdAt) else {
            throw DecodingError.keyNotFound(
                CodingKeys.createdAt, .init(codingPath: container.codingPath, debugDescription: "no time"))
        }
        self.init(
            id: try container.decode(UUID.self, forKey: .id),
            conversationID: try container.decode(UUID.self, forKey: .conversationID),
            senderID: try container.decodeIfPresent(UUID.self, forKey: .senderID),
            body: try container.decode(String.self, forKey: .body),
            imageURL: try container.decodeIfPresent(URL.self, forKey: .imageURL),
            reactions: try container.decodeIfPresent([Reaction].self, forKey: .reactions) ?? [],
            createdAt: createdAt,
            position: try container.decodeIfPresent(Int64.self, forKey: .position),
            replyTo: try container.decodeIfPresent(UUID.self, forKey: .replyTo),
            editedAt: try time(.editedAt),
            deletedAt: try time(.deletedAt),
            attachment: try container.decodeIfPresent(Attachment.self, forKey: .attachment))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        func encode(_ date: Date?, _ key: CodingKeys) throws {
            try container.encodeIfPresent(date.map { Timestamp(microseconds: $0.microseconds) }, forKey: key)
        }
        try container.encode(id.text, forKey: .id)
        try container.encode(conversationID.text, forKey: .conversationID)
        try container.encodeIfPresent(senderID?.text, forKey: .senderID)
        try container.encode(body, forKey: .body)
        try container.encodeIfPresent(imageURL, forKey: .imageURL)
        try container.encode(reactions, forKey: .reactions)
        try encode(createdAt, .createdAt)
        try container.encodeIfPresent(position, forKey: .position)
        try container.encodeIfPresent(replyTo?.text, forKey: .replyTo)
        try encode(editedAt, .editedAt)
        try encode(deletedAt, .deletedAt)
        try container.encodeIfPresent(attachment, forKey: .attachment)
    }
}
