import SQLite

/// Who may react, and what the server decides about it.
struct ReactionRules {
    let session: Session
    let user: String

    /// Adds a reaction, or with a resolution answers one that is there.
    /// - Parameter merged: The columns a repeated one sets anew; `nil` when a taken key is no update.
    /// - Returns: The row and whether it is new, or `nil` when it was there and is left alone.
    func insert(
        _ proposed: StoredRow, merged: Set<String>?, ignoresDuplicates: Bool
    ) throws(Refusal) -> (row: StoredRow, isNew: Bool)? {
        var row = proposed
        let message = try session.row(.messages, key: [row["message_id"]])
        guard row.text("user_id") == user, let message, message.isNull("deleted_at"),
            let conversation = try openConversation(message.text("conversation_id"))
        else { throw .policy("reactions") }
        row["conversation_id"] = conversation["id"]
        try Checks.reaction(row)
        let key = [row["message_id"], row["user_id"], row["symbol"]]
        if let stored = try session.row(.reactions, key: key) {
            guard let merged else {
                guard ignoresDuplicates else { throw .taken("reactions_pkey") }
                return nil
            }
            var changed = stored
            for name in merged { changed[name] = row[name] }
            return (try update(stored, to: changed), false)
        }
        let instant = session.nextInstant(in: conversation)
        row["created_at"] = .integer(instant)
        row["updated_at"] = .integer(instant)
        if !row.isNull("removed_at") { row["removed_at"] = .integer(instant) }
        try session.insert(row)
        try move(conversation, to: instant)
        return (row, true)
    }

    /// Takes back or sets again. `old` is one's own reaction in a conversation one is in.
    func update(_ old: StoredRow, to proposed: StoredRow) throws(Refusal) -> StoredRow {
        var row = proposed
        guard ["message_id", "user_id", "symbol"].allSatisfy({ row[$0] == old[$0] }) else {
            throw .denied("a reaction cannot be moved")
        }
        guard let conversation = try openConversation(old.text("conversation_id")) else {
            throw .policy("reactions")
        }
        let instant = session.nextInstant(in: conversation)
        row["updated_at"] = .integer(instant)
        if !row.isNull("removed_at") { row["removed_at"] = .integer(instant) }
        try session.update(old, to: row)
        try move(conversation, to: instant)
        return row
    }

    private func openConversation(_ id: String?) throws(Refusal) -> StoredRow? {
        guard let id, try session.isMember(user, of: id) else { return nil }
        return try session.row(.conversations, key: [id])
    }

    private func move(_ conversation: StoredRow, to instant: Int64) throws(Refusal) {
        var moved = conversation
        moved["changed_at"] = .integer(instant)
        try session.update(conversation, to: moved)
    }
}
