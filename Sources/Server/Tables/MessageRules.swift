import SQLite

/// Who may write messages, and what the server decides about them whatever was sent.
struct MessageRules {
    let session: Session
    let user: String

    /// Stores a new message. Its times are the server's, later than everything else in the conversation.
    /// - Returns: `nil` when the id is taken, which a repeated send may ask to be told quietly.
    func insert(_ proposed: StoredRow, ignoresDuplicates: Bool) throws(Refusal) -> StoredRow? {
        var row = proposed
        guard row.text("sender_id") == user else { throw .policy("messages") }
        let conversation = try openConversation(row.text("conversation_id"))
        let instant = session.nextInstant(in: conversation)
        row["created_at"] = .integer(instant)
        row["updated_at"] = .integer(instant)
        row["edited_at"] = .null
        row["deleted_at"] = .null
        try Checks.message(row)
        if let stored = try session.row(.messages, key: [row["id"]]) {
            // Quiet only about one's own: anybody else's id would hide that this message was not stored.
            guard stored.text("sender_id") == user else {
                throw .denied("the id belongs to another message")
            }
            guard ignoresDuplicates else { throw .taken("messages_pkey") }
            return nil
        }
        try checkReply(row)
        try store(row, in: conversation, at: instant)
        return row
    }

    /// Stores a message of the past, for histories that are made here. No rule of order is broken: the cursor of
    /// the conversation moves past it, and only its own time is as given.
    func insertPast(_ proposed: StoredRow, at createdAt: Int64) throws(Refusal) -> StoredRow {
        var row = proposed
        guard let conversation = try session.row(.conversations, key: [row["conversation_id"]]) else {
            throw .missing("messages_conversation_id_fkey", "messages")
        }
        row["created_at"] = .integer(createdAt)
        row["updated_at"] = .integer(session.nextInstant(in: conversation))
        try Checks.message(row)
        try checkReply(row)
        try session.insert(row)
        var moved = conversation
        moved["last_message_at"] = .integer(max(conversation.instant("last_message_at") ?? .min, createdAt))
        moved["changed_at"] = row["updated_at"]
        try session.update(conversation, to: moved)
        return row
    }

    /// Edits or deletes. `old` is one's own message in a conversation one is in.
    func update(_ old: StoredRow, to proposed: StoredRow) throws(Refusal) -> StoredRow {
        var row = proposed
        if !old.isNull("deleted_at") {
            guard row["body"] == old["body"], !row.isNull("deleted_at") else {
                throw .denied("a deleted message cannot be changed")
            }
        }
        let conversation = try openConversation(old.text("conversation_id"))
        let instant = session.nextInstant(in: conversation)
        row["updated_at"] = .integer(instant)
        if old.isNull("deleted_at"), !row.isNull("deleted_at") {
            // What was said is gone, and not merely hidden.
            row["deleted_at"] = .integer(instant)
            row["body"] = .text("")
            for name in Self.content { row[name] = .null }
        } else {
            row["deleted_at"] = old["deleted_at"]
            if row["body"] != old["body"] { row["edited_at"] = .integer(instant) }
        }
        try Checks.message(row)
        try session.update(old, to: row)
        var moved = conversation
        moved["changed_at"] = .integer(instant)
        try session.update(conversation, to: moved)
        return row
    }

    private static let content = [
        "image_path", "attachment_name", "attachment_mime", "attachment_size", "attachment_width",
        "attachment_height",
    ]

    private func store(_ row: StoredRow, in conversation: StoredRow, at instant: Int64) throws(Refusal) {
        try session.insert(row)
        var moved = conversation
        moved["last_message_at"] = .integer(max(conversation.instant("last_message_at") ?? .min, instant))
        moved["changed_at"] = .integer(instant)
        try session.update(conversation, to: moved)
    }

    /// The conversation, for its members.
    private func openConversation(_ id: String?) throws(Refusal) -> StoredRow {
        guard let id, try session.isMember(user, of: id),
            let conversation = try session.row(.conversations, key: [id])
        else { throw .policy("messages") }
        return conversation
    }

    private func checkReply(_ row: StoredRow) throws(Refusal) {
        guard let reply = row.text("reply_to"), let conversation = row.text("conversation_id") else { return }
        let isThere = try session.exists(
            "SELECT 1 FROM messages WHERE id = ? AND conversation_id = ?", [reply, conversation])
        // A message may answer itself as far as the key goes; it is there once the statement ends.
        guard isThere || reply == row.text("id") else { throw .missing("messages_reply_to_fkey", "messages") }
    }
}
