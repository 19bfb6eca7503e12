import FoundationEssentials
import Models
import SQLite

/// How an operation stands in the outbox table.
struct OutboxColumns {
    let kind: String
    let text: String?
    let flag: Bool?
    private let slotKey: String?

    static let all = "seq, conversation_id, kind, message_id, text, flag, revision, attempts, failing_since"

    init(_ operation: StoredOperation) {
        switch operation {
        case .send: (kind, text, flag, slotKey) = ("send", nil, nil, nil)
        case .edit(let id, let body): (kind, text, flag, slotKey) = ("edit", body, nil, id.text)
        case .delete(let id): (kind, text, flag, slotKey) = ("delete", nil, nil, id.text)
        case .react(let id, let symbol, let isOn):
            (kind, text, flag) = ("react", symbol, isOn)
            slotKey = "\(id.text) \(symbol)"
        case .markRead: (kind, text, flag, slotKey) = ("markRead", nil, nil, "")
        case .markDelivered: (kind, text, flag, slotKey) = ("markDelivered", nil, nil, "")
        case .removeFiles(let id, let conversationID, let isUnsure):
            (kind, text, flag, slotKey) = ("removeFiles", conversationID.text, isUnsure, id.text)
        }
    }

    /// Operations with one slot replace one another.
    func slot(in conversationID: UUID) -> String? {
        slotKey.map { "\(kind) \(conversationID.text) \($0)" }
    }

    /// - Parameter message: Finds the message of a send.
    /// - Returns: `nil` for a row that cannot be performed: its message is gone, or a later version wrote it.
    static func read(
        _ row: borrowing SQLRow, message: (UUID) throws(SQLiteError) -> Message?
    ) throws(SQLiteError) -> OutboxRow? {
        let kind = try row.get(2, as: String.self)
        guard let id = try row.get(3, as: UUID?.self),
            let operation = try operation(kind, id, row, message: message)
        else { return nil }
        return OutboxRow(
            sequence: try row.get(0), conversationID: try row.get(1), operation: operation,
            revision: try row.get(6), attempts: try row.get(7), failingSince: try row.get(8))
    }

    private static func operation(
        _ kind: String, _ id: UUID, _ row: borrowing SQLRow, message: (UUID) throws(SQLiteError) -> Message?
    ) throws(SQLiteError) -> StoredOperation? {
        switch kind {
        case "send": try message(id).map { .send($0) }
        case "edit": .edit(messageID: id, body: try row.get(4, as: String?.self) ?? "")
        case "delete": .delete(messageID: id)
        case "react":
            .react(
                messageID: id, symbol: try row.get(4, as: String?.self) ?? "",
                isOn: try row.get(5, as: Bool?.self) ?? false)
        case "markRead": .markRead(messageID: id)
        case "markDelivered": .markDelivered(messageID: id)
        case "removeFiles": try removal(id, row)
        default: nil
        }
    }
}

extension OutboxColumns {
    private static func removal(_ id: UUID, _ row: borrowing SQLRow) throws(SQLiteError) -> StoredOperation? {
        guard let text = try row.get(4, as: String?.self), let conversationID = UUID(uuidString: text) else {
            return nil
        }
        return .removeFiles(
            messageID: id, conversationID: conversationID, isUnsure: try row.get(5, as: Bool?.self) ?? false)
    }
}

extension StoredOperation {
    /// The message it is about.
    package var messageID: UUID? {
        switch self {
        case .send(let message): message.id
        case .edit(let id, _), .delete(let id), .react(let id, _, _): id
        case .markRead(let id), .markDelivered(let id), .removeFiles(let id, _, _): id
        }
    }
}
