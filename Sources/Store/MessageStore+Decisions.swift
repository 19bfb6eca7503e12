import FoundationEssentials
import Models
import SQLite

/// What the user decides about operations that wait or were refused.
extension MessageStore {
    /// Puts a failed message, or the refused edit of a confirmed one, back among the waiting, in its old place and
    /// under its id.
    /// - Returns: Its conversation; `nil` when nothing of it was refused.
    package func retry(_ messageID: UUID) throws(StoreError) -> UUID? {
        try write { (notes) throws(SQLiteError) in
            let refused = try connection.query(
                """
                SELECT conversation_id FROM outbox
                WHERE message_id = ?1 AND kind IN ('send', 'edit') AND is_refused = 1
                """, [messageID]
            ) { (row) throws(SQLiteError) in try row.get(0, as: UUID.self) }
            guard let conversationID = refused.first else { return nil }
            try connection.run(
                "UPDATE messages SET failure = NULL WHERE id = ?1 AND position IS NULL", [messageID])
            try connection.run(
                """
                UPDATE outbox SET is_refused = 0, failure = NULL, attempts = 0, failing_since = NULL
                WHERE message_id = ?1 AND kind IN ('send', 'edit')
                """, [messageID])
            notes.touch(message: messageID, in: conversationID)
            notes.enqueued.insert(conversationID)
            notes.outbox = true
            return conversationID
        }
    }

    /// Forgets a message that is not confirmed, or the refused edit of one that is.
    ///
    /// - Parameter mayHaveArrived: It was tried: a wish to delete it takes its place, for the service may have it.
    /// - Returns: Its conversation; `nil` when there is nothing to forget.
    package func drop(_ messageID: UUID, mayHaveArrived: Bool) throws(StoreError) -> UUID? {
        try write { (notes) throws(SQLiteError) in
            if let (message, num) = try storedMessage(messageID), message.position == nil {
                try withdraw(message, num, mayHaveArrived: mayHaveArrived, &notes)
                return message.conversationID
            }
            return try takeRefusedEdit(of: messageID, &notes)?.conversationID
        }
    }

    /// Forgets it as `drop` does, but what was typed becomes the beginning of the conversation's draft in the same
    /// transaction: no crash loses it.
    /// - Returns: What the composer gets; `nil` when there is nothing to take back.
    package func takeBack(_ messageID: UUID, mayHaveArrived: Bool) throws(StoreError)
        -> (conversationID: UUID, taken: TakenBack)?
    {
        try write { (notes) throws(SQLiteError) in
            if let (message, num) = try storedMessage(messageID), message.position == nil {
                let taken = TakenBack(
                    text: try lastWording(of: message), replyTo: message.replyTo,
                    file: try outgoingFile(of: message))
                try withdraw(message, num, mayHaveArrived: mayHaveArrived, &notes)
                // The composer owns the copy from now on.
                notes.spentCopies.removeAll { $0 == taken.file?.copy }
                try putIntoDraft(taken.text, of: message.conversationID)
                return (message.conversationID, taken)
            }
            guard let edit = try takeRefusedEdit(of: messageID, &notes) else { return nil }
            try putIntoDraft(edit.text, of: edit.conversationID)
            return (edit.conversationID, TakenBack(text: edit.text))
        }
    }

    /// Takes back a wish that still waits, other than a message: what it is about looks as the service has it. One
    /// that is on its way now may be done all the same.
    /// - Parameter sequence: Its place in the outbox.
    /// - Returns: Whether there was such a wish.
    package func cancel(_ sequence: Int64) throws(StoreError) -> Bool {
        try write { (notes) throws(SQLiteError) in
            let found = try connection.first(
                """
                SELECT conversation_id, message_id FROM outbox
                WHERE seq = ?1 AND kind IN ('edit', 'delete', 'react')
                """, [sequence]
            ) { (row) throws(SQLiteError) in (try row.get(0, as: UUID.self), try row.get(1, as: UUID.self)) }
            guard let (conversationID, messageID) = found else { return false }
            try connection.run("DELETE FROM outbox WHERE seq = ?1", [sequence])
            notes.touch(message: messageID, in: conversationID)
            notes.outbox = true
            return true
        }
    }

    private func withdraw(
        _ message: Message, _ num: Int64, mayHaveArrived: Bool, _ notes: inout ChangeNotes
    ) throws(SQLiteError) {
        let attempts = try connection.first(
            "SELECT attempts FROM outbox WHERE message_id = ?1 AND kind = 'send'", [message.id]
        ) { (row) throws(SQLiteError) in try row.get(0, as: Int.self) }
        let isInDoubt = mayHaveArrived || (attempts ?? 0) > 0
        if !isInDoubt { try putRemoval(for: message, &notes) }
        try forget(message, num, &notes)
        if isInDoubt { try putDelete(of: message, &notes) }
    }

    /// The body as it was wished last.
    private func lastWording(of message: Message) throws(SQLiteError) -> String {
        let edit = try connection.first(
            "SELECT text FROM outbox WHERE message_id = ?1 AND kind = 'edit'", [message.id]
        ) { (row) throws(SQLiteError) in try row.get(0, as: String?.self) }
        return (edit ?? nil) ?? message.body
    }

    private func outgoingFile(of message: Message) throws(SQLiteError) -> OutgoingFile? {
        guard var attachment = message.attachment, let upload = try loadUpload(of: message.id) else {
            return nil
        }
        attachment.path = ""  // a new message brings it anew
        return OutgoingFile(copy: upload.copy, attachment: attachment, sha256: upload.sha256)
    }

    private func takeRefusedEdit(of messageID: UUID, _ notes: inout ChangeNotes) throws(SQLiteError)
        -> (conversationID: UUID, text: String)?
    {
        let edit = try connection.first(
            """
            SELECT seq, conversation_id, text FROM outbox
            WHERE message_id = ?1 AND kind = 'edit' AND is_refused = 1
            """, [messageID]
        ) { (row) throws(SQLiteError) in
            (
                sequence: try row.get(0, as: Int64.self), conversationID: try row.get(1, as: UUID.self),
                text: try row.get(2, as: String?.self) ?? ""
            )
        }
        guard let edit else { return nil }
        try connection.run("DELETE FROM outbox WHERE seq = ?1", [edit.sequence])
        notes.outbox = true
        return (edit.conversationID, edit.text)
    }

    private func putIntoDraft(_ text: String, of conversationID: UUID) throws(SQLiteError) {
        guard !text.isEmpty else { return }
        try connection.run(
            """
            INSERT INTO drafts (conversation_id, text) VALUES (?1, ?2)
            ON CONFLICT DO UPDATE SET text = excluded.text || char(10) || text
            """, [conversationID, text])
    }
}
