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
package struct ChangeEvent: Sendable {
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

    private enum CodingKeys: String, CodingKey {
        case table, type, errors, record
        case oldRecord = "old_record"
    }

    /// - Throws: When the table or the kind is missing, or the record is no object.
    package init(_ data: JSONMembers) throws(WireError) {
        table = try data.value(CodingKeys.table)
        kind = ChangeKind(rawValue: try data.value(CodingKeys.type))
        errors = try Self.errors(data["errors"])
        let key = kind == .delete ? CodingKeys.oldRecord : .record
        func record() throws(WireError) -> JSONMembers {
            guard let record = data[key.stringValue]?.members else { throw .missing(key: key.stringValue) }
            return record
        }
        row =
            switch table {
            case "messages": .message(ChangedRecord(try record()))
            case "reactions": .reaction(ChangedRecord(try record()))
            case "conversation_members": .member(ChangedRecord(try record()))
            case "conversations": .conversation(ChangedRecord(try record()))
            default: .other
            }
    }

    private static func errors(_ node: JSONNode?) throws(WireError) -> [String] {
        guard let node, !node.isNull else { return [] }
        let words = node.elements?.map(\.string)
        guard let words, !words.contains(nil) else { throw .mismatch(path: "errors") }
        return words.compactMap { $0 }
    }
}

/// A record of a change event: the row when every column is there, and in any case what names it.
package struct ChangedRecord<Row: TableRow>: Sendable {
    /// A failure means: fetch the row by its key.
    package var row: Result<Row, WireError>
    package var key: RowKey

    init(_ record: JSONMembers) {
        key = RowKey(record)
        if let absent = Row.CodingKeys.allCases.first(where: { record[$0.stringValue] == nil }) {
            row = .failure(.missing(key: absent.stringValue))
            return
        }
        do throws(WireError) { row = .success(try Row(record)) } catch { row = .failure(error) }
    }
}

/// Whatever of a row's identity could be read.
package struct RowKey: Hashable, Sendable {
    package var id: UUID?
    package var messageID: UUID?
    package var conversationID: UUID?
    package var userID: UUID?
    package var symbol: String?

    /// An unreadable part of the key is an absent one: the row is then found by what is left.
    init(_ record: JSONMembers) {
        id = record["id"].flatMap { UUID($0) }
        messageID = record["message_id"].flatMap { UUID($0) }
        conversationID = record["conversation_id"].flatMap { UUID($0) }
        userID = record["user_id"].flatMap { UUID($0) }
        symbol = record["symbol"]?.string
    }
}
