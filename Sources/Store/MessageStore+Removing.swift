import FoundationEssentials
import Models
import SQLite

extension MessageStore {
    /// Removals that are remembered at most; a purge of a whole server must not fill the memory.
    private static let buriedLimit = 10_000

    /// How messages look that could not be kept: those that are newer than what is here, with the reactions and the
    /// wishes that are, and none that was removed at the service meanwhile.
    package func unkept(_ messages: [Message]) -> [Message] {
        let standing = messages.filter { !buried.contains($0.id) }
        do throws(StoreError) {
            return try read { () throws(SQLiteError) in
                var newer: [Message] = []
                for message in standing {
                    if let (held, _) = try storedMessage(message.id), held.position != nil,
                        held.version >= message.version || held.isDeleted && !message.isDeleted
                    {
                        continue
                    }
                    newer.append(message)
                }
                return try dress(newer)
            }
        } catch { return standing }  // what is new is worth more than how it looks
    }

    /// Takes out a message that the service has no more, with the wishes about it.
    ///
    /// One that waits stays: it is on its way, and the service may not have seen it yet. Marks that name the message
    /// stand for the place; the one below takes its part.
    func bury(_ id: UUID, _ notes: inout ChangeNotes) throws(SQLiteError) {
        let held = try storedMessage(id)
        if let held, held.message.position == nil { return }
        if buried.count >= Self.buriedLimit { buried = [] }
        buried.insert(id)
        guard let (message, num) = held, let key = ThreadKey(message) else {
            notes.vanished.append(id)
            return
        }
        try moveMarks(from: key, in: message.conversationID)
        // What was typed to change it is its writer's to throw away.
        let edits = try refuseEdits(of: message, &notes)
        try forget(message, num, sparing: edits, &notes)
        try connection.run("DELETE FROM reactions WHERE message_id = ?1", [id])
        try forgetPreview(of: id, in: message.conversationID)
    }

    /// - Returns: The places of the edits in the outbox.
    func refuseEdits(of message: Message, _ notes: inout ChangeNotes) throws(SQLiteError) -> [Int64] {
        let edits = try connection.query(
            "SELECT seq FROM outbox WHERE message_id = ?1 AND kind = 'edit'", [message.id]
        ) { (row) throws(SQLiteError) in try row.get(0, as: Int64.self) }
        for sequence in edits {
            try connection.run(
                "UPDATE outbox SET is_refused = 1, failure = ?2 WHERE seq = ?1",
                [sequence, SendErrorText.write(.messageGone)])
        }
        return edits
    }

    private func moveMarks(from key: ThreadKey, in conversationID: UUID) throws(SQLiteError) {
        guard let below = try confirmedRows(in: conversationID, before: key, limit: 1).first else { return }
        try connection.run(
            """
            UPDATE outbox SET message_id = ?2, revision = revision + 1
            WHERE message_id = ?1 AND kind IN ('markRead', 'markDelivered')
            """, [key.id, below.id])
    }

    /// The list's own short form of the newest message.
    func forgetPreview(of id: UUID, in conversationID: UUID) throws(SQLiteError) {
        let preview = try connection.first(
            "SELECT preview FROM conversations WHERE id = ?1", [conversationID]
        ) { (row) throws(SQLiteError) in try row.get(0, as: String?.self) }
        guard let text = preview ?? nil, let message: Message = JSONText.read(text), message.id == id else {
            return
        }
        try connection.run("UPDATE conversations SET preview = NULL WHERE id = ?1", [conversationID])
    }
}
