import FoundationEssentials
import Models
import SQLite

/// What was done about a damaged store.
package struct Rescue: Sendable, Hashable {
    /// The name the damaged file has now, in the account's directory.
    package let setAsideAs: String
    /// Messages that waited or had failed and could still be read; they wait, or have failed, in the new store.
    package let messages: Int
    package let drafts: Int
    /// Edits, deletes and reactions that waited and could still be read.
    package let changes: Int
}

extension MessageStore {
    /// Opens the store as `open` does, but sets a damaged one aside and begins a new one: what can still be read of
    /// the outbox and the drafts is carried over, everything else comes from the server again.
    ///
    /// The new store has everything before the old one is moved: a crash on the way loses nothing.
    /// - Returns: The store, and what was done when it was damaged.
    /// - Throws: As `open`, but for `.damaged`.
    package static func openOrRebuild(directory: String, for userID: UUID) async throws(StoreError)
        -> (store: MessageStore, rescue: Rescue?)
    {
        do throws(StoreError) {
            return (try open(directory: directory, for: userID), nil)
        } catch {
            guard error == .damaged else { throw error }
        }
        let rescue = try await rebuild(try StoreDirectory(directory), for: userID)
        return (try open(directory: directory, for: userID), rescue)
    }

    /// Under the account's lock, so that no other process opens what is being moved.
    private static func rebuild(_ place: StoreDirectory, for userID: UUID) async throws(StoreError) -> Rescue
    {
        let lock = try AccountLock(path: place.lockPath)
        let remains = Remains(path: place.databasePath)
        try place.beginRebuild()
        let store = try MessageStore(filling: place, for: userID)
        let rescued = try await store.adopt(remains)
        try await store.settle()
        let name = try place.setDatabaseAside()
        try place.finishRebuild()
        withExtendedLifetime(lock) {}
        return Rescue(
            setAsideAs: name, messages: rescued.messages, drafts: remains.drafts.count,
            changes: rescued.changes)
    }

    /// Takes over what waited, each row in its old place.
    @discardableResult
    func adopt(_ remains: Remains) throws(StoreError) -> (messages: Int, changes: Int) {
        try write { (notes) throws(SQLiteError) in
            for message in remains.messages.values {
                try insertMessage(message)
                guard let upload = remains.uploads[message.id], let attachment = message.attachment else {
                    continue
                }
                try keepUpload(
                    OutgoingFile(copy: upload.copy, attachment: attachment, sha256: upload.sha256),
                    for: message.id, wasTried: upload.wasTried)
            }
            var sent: Set<UUID> = []
            var changes = 0
            for row in remains.outbox {
                if row.kind == "send" {
                    guard remains.messages[row.messageID] != nil else { continue }
                    sent.insert(row.messageID)
                }
                try adopt(row)
                if ["edit", "delete", "react"].contains(row.kind) { changes += 1 }
            }
            for message in remains.messages.values.sorted(by: { $0.typedOrder < $1.typedOrder })
            where !sent.contains(message.id) {
                try connection.run(
                    """
                    INSERT INTO outbox (conversation_id, kind, message_id, is_refused, since)
                    VALUES (?1, 'send', ?2, ?3, ?4)
                    """,
                    [
                        message.conversationID, message.id, message.failure != nil,
                        message.createdAt.microseconds,
                    ])
            }
            for name in remains.names {
                try connection.run(
                    "INSERT OR IGNORE INTO names (name, message_id, is_past) VALUES (?1, ?2, ?3)",
                    [name.name, name.messageID, name.isPast])
            }
            for (id, text) in remains.drafts {
                try connection.run(
                    "INSERT OR REPLACE INTO drafts (conversation_id, text) VALUES (?1, ?2)", [id, text])
            }
            for id in remains.markedUnread {
                try connection.run("INSERT INTO marked_unread (conversation_id) VALUES (?1)", [id])
            }
            return (remains.messages.count, changes)
        }
    }

    /// Brings all of it into the one file that is moved.
    private func settle() throws(StoreError) {
        try read { () throws(SQLiteError) in try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    }

    private func adopt(_ row: RemainingOperation) throws(SQLiteError) {
        try connection.run(
            """
            INSERT OR IGNORE INTO outbox (seq, conversation_id, kind, message_id, text, flag, position, slot,
              revision, is_refused, attempts, failing_since, since, tries, tried_at, trouble, failure)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
            """,
            [
                row.sequence, row.conversationID, row.kind, row.messageID, row.text, row.flag, row.position,
                row.slot, row.revision, row.isRefused, row.attempts, row.failingSince, row.since,
                row.tries, row.triedAt, row.trouble, row.failure,
            ])
        guard let position = row.position else { return }
        var marks = try loadMarks(row.conversationID)
        switch row.kind {
        case "markRead": marks.raise(ownRead: position)
        case "markDelivered": marks.raise(ownDelivered: position)
        default: return
        }
        try keep(marks, of: row.conversationID)
    }
}
