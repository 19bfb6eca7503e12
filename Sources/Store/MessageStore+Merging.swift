import FoundationEssentials
import Models
import SQLite

extension MessageStore {
    /// Merges rows of the live link.
    ///
    /// - Parameter unsure: Conversations in which something may be missing before these rows, as they were not
    ///   caught up since the link came back: a gap is noted under the first new row.
    package func merge(_ rows: IncomingRows, unsure: Set<UUID> = []) throws(StoreError) {
        try write { (notes) throws(SQLiteError) in
            let rows = try underOurNames(rows, &notes)
            if !unsure.isEmpty { try noteGaps(under: rows.messages, in: unsure, &notes) }
            try mergeAll(rows, areNews: true, &notes)
        }
    }

    /// - Parameter areNews: Whether messages of others that are new here are worth a bell.
    func mergeAll(_ incoming: IncomingRows, areNews: Bool, _ notes: inout ChangeNotes) throws(SQLiteError) {
        let rows = try underOurNames(incoming, &notes)
        for reaction in rows.reactions { try mergeReaction(reaction, &notes) }
        var newest: [UUID: ThreadKey] = [:]
        var received: [UUID: ThreadKey] = [:]
        for message in rows.messages {
            guard let key = ThreadKey(message), !buried.contains(message.id) else { continue }
            let isNew = try mergeMessage(message, &notes)
            newest[message.conversationID] = max(newest[message.conversationID] ?? .start, key)
            guard message.senderID != userID, isNew, !message.isDeleted else { continue }
            if areNews { notes.arrivals.insert(message.id) }
            received[message.conversationID] = max(received[message.conversationID] ?? .start, key)
        }
        for (conversationID, key) in newest { try raiseActivity(of: conversationID, to: key.id) }
        for (conversationID, key) in received { try noteReceipt(of: key, in: conversationID, &notes) }
        for member in rows.members { try mergeMember(member, &notes) }
        for id in rows.removed { try bury(id, &notes) }
    }

    /// - Returns: Whether the message was not here before.
    func mergeMessage(_ incoming: Message, _ notes: inout ChangeNotes) throws(SQLiteError) -> Bool {
        var row = incoming
        row.failure = nil
        if row.isDeleted { row.blank() }
        guard let (held, num) = try storedMessage(row.id) else {
            try insertMessage(row)
            try noteUnclear(row)
            notes.touch(message: row.id, in: row.conversationID)
            return true
        }
        guard held.position == nil || held.version < row.version else { return false }
        row.typedOrder = held.typedOrder
        if held.isDeleted, !row.isDeleted {
            // An edit from before that comes late, with the deletion still to be told of by the service.
            row.blank()
            row.deletedAt = held.deletedAt
        }
        try MessageRow.update(row, on: connection)
        try reindex(num, from: held.body, to: row.body)
        if row.isDeleted { try endChanges(of: row, &notes) }
        if held.position == nil { try removeSend(of: row.id, &notes) }
        notes.touch(message: row.id, in: row.conversationID)
        return false
    }

    /// What still waits to be changed of a message that is deleted has nothing to be about any more.
    private func endChanges(of message: Message, _ notes: inout ChangeNotes) throws(SQLiteError) {
        let edits = try refuseEdits(of: message, &notes)
        let reactions = try connection.run(
            "DELETE FROM outbox WHERE message_id = ?1 AND kind = 'react'", [message.id])
        if !edits.isEmpty || reactions > 0 { notes.outbox = true }
    }

    func insertMessage(_ message: Message) throws(SQLiteError) {
        let first = message.createdAt.microseconds << 11
        var num = first | Int64(message.id.uuid.15) << 3
        var spread: Int64 = 1 << 11
        // Messages of one microsecond share 2 048 numbers; where they are many, a wider neighbourhood helps.
        while try isNumberTaken(num) {
            num = first + Int64.random(in: 0..<spread)
            spread = min(spread << 2, 1 << 40)
        }
        try MessageRow.insert(message, num: num, on: connection)
        try reindex(num, from: "", to: message.body)
    }

    private func isNumberTaken(_ num: Int64) throws(SQLiteError) -> Bool {
        try connection.first("SELECT 1 FROM messages WHERE num = ?1", [num]) {
            (_: borrowing SQLRow) throws(SQLiteError) in true
        } ?? false
    }

    func storedMessage(_ id: UUID) throws(SQLiteError) -> (message: Message, num: Int64)? {
        try connection.first("SELECT \(MessageRow.columns) FROM messages WHERE id = ?1", [id]) {
            (row) throws(SQLiteError) in (try MessageRow.read(row), try row.get(14, as: Int64.self))
        }
    }

    func mergeReaction(_ reaction: ReactionRow, _ notes: inout ChangeNotes) throws(SQLiteError) {
        guard !ReactionSymbol(reaction.symbol).isBlank else { return }
        let changed = try connection.run(
            """
            INSERT INTO reactions (message_id, user_id, symbol, is_on, version) VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT DO UPDATE SET is_on = excluded.is_on, version = excluded.version
            WHERE excluded.version > version
            """,
            [
                reaction.messageID, reaction.userID?.sqlValue ?? .blob([]), reaction.symbol, reaction.isOn,
                reaction.version,
            ])
        guard changed > 0, let (message, _) = try storedMessage(reaction.messageID) else { return }
        notes.touch(message: message.id, in: message.conversationID)
    }

    func reindex(_ num: Int64, from old: String, to new: String) throws(SQLiteError) {
        guard old != new else { return }
        if !old.isEmpty {
            try connection.run(
                "INSERT INTO message_search (message_search, rowid, text) VALUES ('delete', ?1, ?2)",
                [num, SearchText.indexed(old)])
        }
        if !new.isEmpty {
            try connection.run(
                "INSERT INTO message_search (rowid, text) VALUES (?1, ?2)", [num, SearchText.indexed(new)])
        }
    }
}

extension Message {
    /// What was said is gone, and not merely hidden.
    mutating func blank() {
        body = ""
        attachment = nil
        imageURL = nil
    }
}
