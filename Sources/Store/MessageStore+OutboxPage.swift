import FoundationEssentials
import Models
import SQLite

extension MessageStore {
    /// Everything in the outbox, what was refused included, in its order. Rows of kinds that only a later version
    /// knows are left out.
    package func outboxEntries() throws(StoreError) -> [OutboxEntry] {
        try read { () throws(SQLiteError) in
            let rows = try connection.query(
                """
                SELECT seq, conversation_id, kind, message_id, text, flag, since, tries, tried_at, trouble, failure,
                  is_refused FROM outbox ORDER BY seq
                """, read: Self.entry)
            var entries: [OutboxEntry] = []
            for (entry, isRefused) in rows.compactMap({ $0 }) {
                guard let whole = try completed(entry, isRefused: isRefused) else { continue }
                entries.append(whole)
            }
            return entries
        }
    }

    private static func entry(_ row: borrowing SQLRow) throws(SQLiteError) -> (OutboxEntry, isRefused: Bool)?
    {
        let text = try row.get(4, as: String?.self) ?? ""
        let flag = try row.get(5, as: Bool?.self) ?? false
        guard let messageID = try row.get(3, as: UUID?.self),
            let kind = kind(try row.get(2), text: text, flag: flag)
        else { return nil }
        var entry = OutboxEntry(
            id: try row.get(0), kind: kind, conversationID: try row.get(1), messageID: messageID,
            text: kind == .edit ? text : "", tries: try row.get(7))
        if kind == .removeFiles { entry.conversationID = UUID(uuidString: text) ?? entry.conversationID }
        entry.since = try row.get(6, as: Int64?.self).map { Date(microseconds: $0) }
        entry.triedAt = try row.get(8, as: Int64?.self).map { Date(microseconds: $0) }
        entry.trouble = try row.get(9, as: String?.self).map { OutboxTrouble(rawValue: $0) }
        entry.failure = try row.get(10, as: String?.self).map(SendErrorText.read)
        return (entry, try row.get(11))
    }

    private static func kind(_ word: String, text: String, flag: Bool) -> OutboxEntry.Kind? {
        switch word {
        case "send": .send
        case "edit": .edit
        case "delete": .delete
        case "react": .react(symbol: text, isOn: flag)
        case "markRead": .markRead
        case "markDelivered": .markDelivered
        case "removeFiles": .removeFiles
        default: nil
        }
    }

    /// With what stands in the message's own row.
    private func completed(_ entry: OutboxEntry, isRefused: Bool) throws(SQLiteError) -> OutboxEntry? {
        var entry = entry
        if entry.kind == .send {
            guard let (message, _) = try storedMessage(entry.messageID) else { return nil }
            entry.text = message.body
            entry.fileName = message.attachment.map { $0.name ?? "file" }
            entry.failure = message.failure
        }
        if isRefused { entry.failure = entry.failure ?? .refused(code: "") }
        return entry
    }
}
