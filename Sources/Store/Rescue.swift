import FoundationEssentials
import Glibc
import Models
import SQLite

/// What was done about a damaged store.
package struct Rescue: Sendable, Hashable {
    /// The name the damaged file has now, in the account's directory.
    package let setAsideAs: String
    /// Messages that waited and could still be read; they wait in the new store.
    package let messages: Int
    package let drafts: Int
}

extension MessageStore {
    /// Opens the store as `open` does, but sets a damaged one aside and begins a new one: what can still be read of
    /// the outbox and the drafts is carried over, everything else comes from the server again.
    ///
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
        let (remains, name) = try setAside(in: try StoreDirectory(directory))
        let store = try open(directory: directory, for: userID)
        for message in remains.messages { try await store.enqueue(message) }
        for (id, text) in remains.drafts { try await store.saveDraft(text, in: id) }
        return (
            store, Rescue(setAsideAs: name, messages: remains.messages.count, drafts: remains.drafts.count)
        )
    }
}

extension MessageStore {
    /// Under the account's lock, so that no other process opens what is being moved.
    private static func setAside(in place: StoreDirectory) throws(StoreError) -> (Remains, String) {
        let lock = try AccountLock(path: place.lockPath)
        let remains = Remains(path: place.databasePath)
        let name = try place.setDatabaseAside()
        withExtendedLifetime(lock) {}
        return (remains, name)
    }
}

/// What can be read of a damaged store. Each table is read for itself, and each as far as it goes.
private struct Remains {
    private(set) var messages: [Message] = []
    private(set) var drafts: [(UUID, String)] = []

    init(path: String) {
        // Nothing readable is nothing rescued: the file is kept for whoever can do better.
        guard let connection = try? SQLConnection(.file(path), readOnly: true) else { return }
        var found: [Message] = []
        _ = try? connection.query(
            "SELECT \(MessageRow.columns) FROM messages WHERE position IS NULL ORDER BY typed_order"
        ) { (row) throws(SQLiteError) in found.append(try MessageRow.read(row)) }
        messages = found
        var kept: [(UUID, String)] = []
        _ = try? connection.query("SELECT conversation_id, text FROM drafts") { (row) throws(SQLiteError) in
            kept.append((try row.get(0), try row.get(1)))
        }
        drafts = kept
    }
}

extension StoreDirectory {
    /// Renames the database and the files beside it.
    /// - Returns: The new name, without the directory.
    func setDatabaseAside() throws(StoreError) -> String {
        var number = 1
        while access("\(databasePath).damaged-\(number)", F_OK) == 0 { number += 1 }
        let target = "\(databasePath).damaged-\(number)"
        guard rename(databasePath, target) == 0 else { throw StoreError(errno: errno) }
        for suffix in ["-wal", "-shm"] where rename(databasePath + suffix, target + suffix) != 0 {
            guard errno == ENOENT else { throw StoreError(errno: errno) }
        }
        unlink(damageMarkPath)  // nothing to do when it is not there
        return "store.sqlite.damaged-\(number)"
    }
}
