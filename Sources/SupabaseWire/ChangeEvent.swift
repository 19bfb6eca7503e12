import FoundationEssentials

/// What happened to a row; unknown words survive.
package struct ChangeKind: RawRepresentable, Hashable, Sendable, Codable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let insert = ChangeKind(rawValue: "INSERT")
    package static let update = ChangeKind(rawValue: "UPDATE")
    package static let delete = ChangeKind(rawValue: "DELETE")
}

/// The `data` of a `postgres_changes` message.
package struct ChangeEvent: Decodable, Sendable {
    package var table: String
    package var kind: ChangeKind
    /// Not empty when the server left out some or all of the row.
    package var errors: [String]
    package var row: ChangedRow

    /// The new row, by its table.
    package enum ChangedRow: Sendable {
        case message(ChangedRecord<MessageRow>)
        case reaction(ChangedRecord<ReactionRow>)
        case member(ChangedRecord<MemberRow>)
        case conversation(ChangedRecord<ConversationRow>)
        case other
    }

    enum CodingKeys: String, CodingKey {
        case table, type, errors, record
        case oldRecord = "old_record"
    }

    package init(from decoder: any Decoder) throws {
        let event = try decoder.container(keyedBy: CodingKeys.self)
        table = try event.decode(String.self, forKey: .table)
        kind = try event.decode(ChangeKind.self, forKey: .type)
        errors = try event.decodeIfPresent([String].self, forKey: .errors) ?? []
        let key: CodingKeys = kind == .delete ? .oldRecord : .record
        row =
            switch table {
            case "messages": .message(try event.decode(ChangedRecord.self, forKey: key))
            case "reactions": .reaction(try event.decode(ChangedRecord.self, forKey: key))
            case "conversation_members": .member(try event.decode(ChangedRecord.self, forKey: key))
            case "conversations": .conversation(try event.decode(ChangedRecord.self, forKey: key))
            default: .other
            }
    }
}

/// A record of a change event: the row when every column is there, and in any case what names it.
package struct ChangedRecord<Row: TableRow>: Decodable, Sendable {
    /// A failure means: fetch the row by its key.
    package var row: Result<Row, WireError>
    package var key: RowKey

    package init(from decoder: any Decoder) throws {
        let record = try decoder.container(keyedBy: Row.CodingKeys.self)
        key = try RowKey(from: decoder)
        if let absent = Row.CodingKeys.allCases.first(where: { !record.contains($0) }) {
            row = .failure(.missing(key: absent.stringValue))
            return
        }
        do { row = .success(try Row(from: decoder)) } catch { row = .failure(WireError(error)) }
    }
}

/// Whatever of a row's identity could be read.
package struct RowKey: Decodable, Hashable, Sendable {
    package var id: UUID?
    package var messageID: UUID?
    package var conversationID: UUID?
    package var userID: UUID?
    package var symbol: String?

    enum CodingKeys: String, CodingKey {
        case id, symbol
        case messageID = "message_id"
        case conversationID = "conversation_id"
        case userID = "user_id"
    }

    package init(from decoder: any Decoder) throws {
        let record = try decoder.container(keyedBy: CodingKeys.self)
        // An unreadable part of the key is an absent one: the row is then found by what is left.
        func id(_ key: CodingKeys) -> UUID? { try? record.decode(UUID.self, forKey: key) }
        self.id = id(.id)
        messageID = id(.messageID)
        conversationID = id(.conversationID)
        userID = id(.userID)
        symbol = try? record.decode(String.self, forKey: .symbol)  // as above
    }
}
