import FoundationEssentials
import Models
import SQLite

/// How a message stands in its table. The one place that knows the columns of `messages`.
enum MessageRow {
    static let columns = """
        id, conversation_id, sender_id, body, image_url, attachment, reply_to, created_at, edited_at, deleted_at, \
        position, typed_order, version, failure, num
        """

    static func read(_ row: borrowing SQLRow) throws(SQLiteError) -> Message {
        let failure = try row.get(13, as: String?.self).map(SendErrorText.read)
        let position = try row.get(10, as: Int64?.self)
        var message = Message(
            id: try row.get(0), conversationID: try row.get(1), senderID: try row.get(2),
            body: try row.get(3), createdAt: Date(microseconds: try row.get(7)), position: position,
            typedOrder: try row.get(11), version: try row.get(12))
        message.imageURL = try row.get(4, as: String?.self).flatMap { URL(string: $0) }
        message.attachment = try row.get(5, as: String?.self).flatMap { JSONText.read($0) }
        message.replyTo = try row.get(6)
        message.editedAt = try row.get(8, as: Int64?.self).map { Date(microseconds: $0) }
        message.deletedAt = try row.get(9, as: Int64?.self).map { Date(microseconds: $0) }
        if position == nil {
            message.failure = failure
            message.deliveryState = failure == nil ? .sending : .failed
        }
        return message
    }

    static func insert(_ message: Message, num: Int64, on connection: SQLConnection) throws(SQLiteError) {
        try connection.run(
            """
            INSERT INTO messages (id, conversation_id, sender_id, body, image_url, attachment, reply_to, created_at,
              edited_at, deleted_at, position, typed_order, version, failure, num)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
            """, values(message) + [num])
    }

    /// Writes every column but `num`, by id.
    static func update(_ message: Message, on connection: SQLConnection) throws(SQLiteError) {
        try connection.run(
            """
            UPDATE messages SET conversation_id = ?2, sender_id = ?3, body = ?4, image_url = ?5, attachment = ?6,
              reply_to = ?7, created_at = ?8, edited_at = ?9, deleted_at = ?10, position = ?11, typed_order = ?12,
              version = ?13, failure = ?14 WHERE id = ?1
            """, values(message))
    }

    private static func values(_ message: Message) -> [any SQLConvertible] {
        [
            message.id, message.conversationID, message.senderID, message.body,
            message.imageURL?.absoluteString, message.attachment.flatMap { JSONText.write($0) },
            message.replyTo, message.createdAt.microseconds, message.editedAt?.microseconds,
            message.deletedAt?.microseconds, message.position, message.typedOrder, message.version,
            message.failure.map(SendErrorText.write),
        ]
    }
}

/// Small values kept as JSON in one column. What cannot be read is as if it were not there: the row counts more.
enum JSONText {
    static func read<Value: Decodable>(_ text: String) -> Value? {
        // A column of a later version, or damage: the message is shown without it.
        try? JSONDecoder().decode(Value.self, from: Data(text.utf8))
    }

    static func write(_ value: some Encodable) -> String? {
        // Plain strings and numbers only: encoding them cannot fail.
        (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// A refusal as one column of text.
enum SendErrorText {
    static func write(_ error: SendError) -> String {
        switch error {
        case .tooLong(let limit): "tooLong:\(limit)"
        case .empty: "empty"
        case .notAMember: "notAMember"
        case .messageGone: "messageGone"
        case .serverFailing: "serverFailing"
        case .mayHaveBeenSent: "mayHaveBeenSent"
        case .fileTooLarge(let limit): "fileTooLarge:\(limit)"
        case .quotaUsedUp: "quotaUsedUp"
        case .serviceFull: "serviceFull"
        case .fileUnreadable: "fileUnreadable"
        case .refused(let code): "refused:\(code)"
        }
    }

    static func read(_ text: String) -> SendError {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let detail = parts.count > 1 ? String(parts[1]) : ""
        return switch parts.first ?? "" {
        case "tooLong": .tooLong(limit: Int(detail) ?? 0)
        case "empty": .empty
        case "notAMember": .notAMember
        case "messageGone": .messageGone
        case "serverFailing": .serverFailing
        case "mayHaveBeenSent": .mayHaveBeenSent
        case "fileTooLarge": .fileTooLarge(limit: Int64(detail) ?? 0)
        case "quotaUsedUp": .quotaUsedUp
        case "serviceFull": .serviceFull
        case "fileUnreadable": .fileUnreadable
        default: .refused(code: detail)
        }
    }
}
