import FoundationEssentials
import Models
import SQLite

/// Messages that a service knows by other ids than we do.
///
/// A message keeps the id it was shown under first. Whatever names it otherwise is taken under that id when it comes,
/// and told to the service under its latest name; the names are kept, so that this holds after a restart.
extension MessageStore {
    /// What the service calls a message now.
    package func serviceName(of id: UUID) throws(StoreError) -> UUID {
        try read { () throws(SQLiteError) in try loadServiceName(of: id) ?? id }
    }

    /// Takes the names that `rows` bring.
    /// - Returns: The rows with every message under its id here. Doing it twice changes nothing.
    func underOurNames(_ rows: IncomingRows, _ notes: inout ChangeNotes) throws(SQLiteError) -> IncomingRows {
        for change in rows.renamed { try rename(change, &notes) }
        var ours = rows
        ours.renamed = []
        guard try knowsNames() else { return ours }
        for index in ours.messages.indices {
            let message = ours.messages[index]
            ours.messages[index] = message.named(try ownName(of: message.id))
            if let answered = message.replyTo { ours.messages[index].replyTo = try ownName(of: answered) }
        }
        for index in ours.reactions.indices {
            ours.reactions[index].messageID = try ownName(of: ours.reactions[index].messageID)
        }
        for index in ours.removed.indices { ours.removed[index] = try ownName(of: ours.removed[index]) }
        return ours
    }

    /// Notes that two names are of one message. Where both have a row it becomes one.
    func rename(_ change: NameChange, _ notes: inout ChangeNotes) throws(SQLiteError) {
        guard change.old != change.new else { return }
        let (old, new) = (try ownName(of: change.old), try ownName(of: change.new))
        // What is shown keeps its name; of two, the one that was there first.
        let (isOldShown, isNewShown) = (try storedMessage(old) != nil, try storedMessage(new) != nil)
        let (kept, gone) = isNewShown && !isOldShown ? (new, old) : (old, new)
        hasNames = true
        try connection.run("UPDATE names SET message_id = ?1 WHERE message_id = ?2", [kept, gone])
        if gone != kept, gone != change.new {
            // The id of a row that goes. Whether the service uses it is known, or it never did.
            try connection.run(
                "INSERT OR IGNORE INTO names (name, message_id, is_past) VALUES (?1, ?2, 1)", [gone, kept])
        }
        try keepPastName(change.old, of: kept)
        try keepCurrentName(change.new, of: kept)
        guard gone != kept else { return }
        try moveWhatNames(gone, to: kept, &notes)
        try moveRow(of: gone, to: kept, &notes)
        if buried.contains(gone) { try forgetRemoved(kept, &notes) }
    }

    private func keepPastName(_ name: UUID, of id: UUID) throws(SQLiteError) {
        try connection.run(
            """
            INSERT INTO names (name, message_id, is_past) VALUES (?1, ?2, 1)
            ON CONFLICT (name) DO UPDATE SET is_past = 1
            """, [name, id])
    }

    /// One that was given up before stays so: news of names may come in another order than they were given.
    private func keepCurrentName(_ name: UUID, of id: UUID) throws(SQLiteError) {
        try connection.run(
            """
            INSERT INTO names (name, message_id) VALUES (?1, ?2)
            ON CONFLICT (name) DO UPDATE SET number = (SELECT max(number) + 1 FROM names) WHERE is_past = 0
            """, [name, id])
    }

    /// Names by which the service knows messages of an operation, where they differ.
    func serviceNames(in operation: StoredOperation) throws(SQLiteError) -> [UUID: UUID] {
        guard try knowsNames() else { return [:] }
        var ids = [operation.messageID].compactMap(\.self)
        if case .send(let message) = operation { ids = [message.replyTo].compactMap(\.self) }
        var names: [UUID: UUID] = [:]
        for id in ids { names[id] = try loadServiceName(of: id) }
        return names
    }

    private func knowsNames() throws(SQLiteError) -> Bool {
        if let hasNames { return hasNames }
        let isAny =
            try connection.first("SELECT 1 FROM names LIMIT 1") { (_) throws(SQLiteError) in true } ?? false
        hasNames = isAny
        return isAny
    }

    func ownName(of name: UUID) throws(SQLiteError) -> UUID {
        guard try knowsNames() else { return name }
        return try connection.first("SELECT message_id FROM names WHERE name = ?1", [name]) {
            (row) throws(SQLiteError) in try row.get(0, as: UUID.self)
        } ?? name
    }

    private func loadServiceName(of id: UUID) throws(SQLiteError) -> UUID? {
        guard try knowsNames() else { return nil }
        return try connection.first(
            "SELECT name FROM names WHERE message_id = ?1 AND is_past = 0 ORDER BY number DESC LIMIT 1", [id]
        ) { (row) throws(SQLiteError) in try row.get(0, as: UUID.self) }
    }

    /// Reactions, replies, wishes and the edges of gaps.
    private func moveWhatNames(_ gone: UUID, to kept: UUID, _ notes: inout ChangeNotes) throws(SQLiteError) {
        try connection.run(
            """
            INSERT INTO reactions (message_id, user_id, symbol, is_on, version)
            SELECT ?1, user_id, symbol, is_on, version FROM reactions WHERE message_id = ?2
            ON CONFLICT DO UPDATE SET is_on = excluded.is_on, version = excluded.version
            WHERE excluded.version > version
            """, [kept, gone])
        try connection.run("DELETE FROM reactions WHERE message_id = ?1", [gone])
        let replies = try connection.query(
            "SELECT id, conversation_id FROM messages WHERE reply_to = ?1", [gone]
        ) { (row) throws(SQLiteError) in
            (id: try row.get(0, as: UUID.self), room: try row.get(1, as: UUID.self))
        }
        for reply in replies { notes.touch(message: reply.id, in: reply.room) }
        try connection.run("UPDATE messages SET reply_to = ?1 WHERE reply_to = ?2", [kept, gone])
        // A wish of the same kind about either name: the one about the name that goes stands, as its row was looked at.
        try connection.run(
            """
            UPDATE OR REPLACE outbox SET message_id = ?1, slot = replace(slot, ?3, ?4), revision = revision + 1
            WHERE message_id = ?2
            """, [kept, gone, gone.text, kept.text])
        try connection.run("UPDATE gaps SET upper_id = ?1 WHERE upper_id = ?2", [kept, gone])
        try connection.run("UPDATE gaps SET lower_id = ?1 WHERE lower_id = ?2", [kept, gone])
    }

    private func moveRow(of gone: UUID, to kept: UUID, _ notes: inout ChangeNotes) throws(SQLiteError) {
        forgetUnclear(gone)
        guard let (message, num) = try storedMessage(gone) else { return }
        try reindex(num, from: message.body, to: "")
        try connection.run("DELETE FROM messages WHERE id = ?1", [gone])
        notes.forget(message: gone, in: message.conversationID)
        try forgetPreview(of: gone, in: message.conversationID)
        if message.position != nil { _ = try mergeMessage(message.named(kept), &notes) }
        if try storedMessage(kept)?.message.position != nil { try removeSend(of: kept, &notes) }
        notes.touch(message: kept, in: message.conversationID)
    }

    /// It was taken away at the service before we learned which it was.
    private func forgetRemoved(_ id: UUID, _ notes: inout ChangeNotes) throws(SQLiteError) {
        buried.insert(id)
        guard let (message, num) = try storedMessage(id) else { return }
        try forget(message, num, &notes)
        try connection.run("DELETE FROM reactions WHERE message_id = ?1", [id])
    }
}
