import FoundationEssentials
import Models
import SQLite

extension MessageStore {
    /// Keeps a message and its place in the outbox, both or neither.
    ///
    /// A draft that the message begins with is it, as it was saved while it was written: it goes in the same step, or
    /// after a crash the text would stand there once more, to be sent a second time.
    /// - Parameters:
    ///   - message: Its state, position and order do not matter. An id that is held already changes nothing.
    ///   - file: Whose copy is whole in the spool; it becomes the message's attachment.
    /// - Returns: The message as it is kept: `sending`, after everything typed before it.
    @discardableResult
    package func enqueue(_ message: Message, file: OutgoingFile? = nil) throws(StoreError) -> Message {
        try write { (notes) throws(SQLiteError) in
            if let (held, _) = try storedMessage(message.id) { return held }
            try connection.run(
                "INSERT INTO outbox (conversation_id, kind, message_id, since) VALUES (?1, 'send', ?2, ?3)",
                [message.conversationID, message.id, message.createdAt.microseconds])
            var kept = message
            kept.typedOrder = connection.lastInsertedRowID
            kept.position = nil
            kept.failure = nil
            kept.version = 0
            kept.deliveryState = .sending
            if let file {
                kept.attachment = file.attachment
                try keepUpload(file, for: kept.id)
            }
            try insertMessage(kept)
            try connection.run(
                "DELETE FROM drafts WHERE conversation_id = ?1 AND substr(?2, 1, length(text)) = text",
                [message.conversationID, message.body])
            notes.touch(message: kept.id, in: kept.conversationID)
            notes.enqueued.insert(kept.conversationID)
            notes.outbox = true
            return kept
        }
    }

    /// Keeps a wish about a stored message. It shows at once; a newer wish of the same kind replaces an older one.
    /// A message that failed was never anywhere else: it is changed or forgotten here, at once.
    /// - Parameter date: When it was wished, for the page of the outbox.
    /// - Returns: `false` when the message is not here, or is deleted.
    @discardableResult
    package func enqueue(_ operation: StoredOperation, in conversationID: UUID, at date: Date? = nil)
        throws(StoreError) -> Bool
    {
        try write { (notes) throws(SQLiteError) in
            guard let id = operation.messageID, let (message, num) = try storedMessage(id), !message.isDeleted
            else { return false }
            switch operation {
            case .edit(_, let body) where message.failure != nil:
                try reindex(num, from: message.body, to: body)
                try connection.run("UPDATE messages SET body = ?2 WHERE id = ?1", [id, body])
            case .delete where message.failure != nil:
                try putRemoval(for: message, &notes)
                try forget(message, num, &notes)
                return true
            case .delete:
                try putDelete(of: message, at: date, &notes)
            case .send, .edit, .react, .markRead, .markDelivered, .removeFiles:
                try put(operation, position: nil, in: conversationID, at: date, &notes)
            }
            notes.touch(message: id, in: conversationID)
            return true
        }
    }

    /// The first operation of a conversation that may be tried; `nil` when none waits. Rows that cannot be read, of
    /// a later version for one, are passed over.
    package func nextWaiting(in conversationID: UUID) throws(StoreError) -> OutboxRow? {
        try read { () throws(SQLiteError) in
            var last: Int64 = 0
            while true {
                let next = try connection.first(
                    """
                    SELECT \(OutboxColumns.all) FROM outbox
                    WHERE conversation_id = ?1 AND is_refused = 0 AND seq > ?2 ORDER BY seq LIMIT 1
                    """, [conversationID, last]
                ) { (row) throws(SQLiteError) in
                    let operation = try OutboxColumns.read(row) { (id) throws(SQLiteError) in
                        try storedMessage(id)?.message
                    }
                    return (sequence: try row.get(0, as: Int64.self), row: operation)
                }
                guard let next else { return nil }
                if var row = next.row {
                    row.serviceNames = try serviceNames(in: row.operation)
                    return row
                }
                last = next.sequence
            }
        }
    }

    /// Conversations in which something waits, the longest waiting first.
    package func conversationsWaiting() throws(StoreError) -> [UUID] {
        try read { () throws(SQLiteError) in
            try connection.query(
                """
                SELECT conversation_id FROM outbox WHERE is_refused = 0 GROUP BY conversation_id ORDER BY min(seq)
                """
            ) { (row) throws(SQLiteError) in try row.get(0, as: UUID.self) }
        }
    }

    /// Operations of the user that wait: sends, edits, deletes and reactions, not what follows from them by itself.
    package func waitingCount() throws(StoreError) -> Int {
        try read { () throws(SQLiteError) in try loadWaitingCount() }
    }

    func loadWaitingCount() throws(SQLiteError) -> Int {
        try connection.first(
            """
            SELECT count(*) FROM outbox WHERE is_refused = 0
              AND kind NOT IN ('markRead', 'markDelivered', 'removeFiles')
            """
        ) { (row) throws(SQLiteError) in try row.get(0) } ?? 0
    }

    /// Edits, deletes and reactions that wait, by message, oldest first.
    func loadWishes() throws(SQLiteError) -> [UUID: [StoredOperation]] {
        let rows = try connection.query(
            """
            SELECT \(OutboxColumns.all) FROM outbox
            WHERE kind IN ('edit', 'delete', 'react') AND is_refused = 0 ORDER BY seq
            """
        ) { (row) throws(SQLiteError) in try OutboxColumns.read(row) { _ in nil } }
        return Dictionary(grouping: rows.compactMap { $0?.operation }) { $0.messageID ?? UUID() }
    }

    func enqueueMark(
        _ mark: StoredOperation, at position: Int64, in conversationID: UUID, _ notes: inout ChangeNotes
    ) throws(SQLiteError) {
        try put(mark, position: position, in: conversationID, &notes)
    }

    /// One row for each slot; a mark's row never moves back. A newer wish takes the place of a refused one, too.
    /// - Parameter flag: In place of the operation's own.
    func put(
        _ operation: StoredOperation, position: Int64?, in conversationID: UUID, flag: Bool? = nil,
        at date: Date? = nil, _ notes: inout ChangeNotes
    ) throws(SQLiteError) {
        let columns = OutboxColumns(operation)
        try connection.run(
            """
            INSERT INTO outbox (conversation_id, kind, message_id, text, flag, position, slot, since)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            ON CONFLICT (slot) DO UPDATE SET message_id = excluded.message_id, text = excluded.text,
              flag = excluded.flag, position = excluded.position, revision = revision + 1,
              since = excluded.since, is_refused = 0, failure = NULL
            WHERE excluded.position IS NULL OR excluded.position > position
            """,
            [
                conversationID, columns.kind, operation.messageID, columns.text, flag ?? columns.flag,
                position, columns.slot(in: conversationID), date?.microseconds,
            ])
        notes.enqueued.insert(conversationID)
        notes.outbox = true
    }
}
