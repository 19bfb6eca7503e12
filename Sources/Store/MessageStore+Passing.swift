import FoundationEssentials
import Glibc
import Models
import SQLite

extension MessageStore {
    /// A store in memory for an account whose directory takes no writing. The account's lock is held where there
    /// is one to hold; what is in the directory stays as it is.
    ///
    /// What waits there goes out all the same, and the drafts are there: both are read, as far as that is possible.
    /// A message, a deletion and a mark cannot be done twice, so that nobody has to know that they are done. An edit or
    /// a reaction can, over whatever was wished since: one that is done is struck out in the file as soon as that takes
    /// it.
    /// - Parameter spoolFolder: Gets a link to each copy of a file that waits; made when there is one.
    /// - Throws: `.inUse` when another process has the account open.
    package static func passing(directory: String, for userID: UUID, spoolFolder: String?)
        async throws(StoreError) -> MessageStore
    {
        var lock: AccountLock?
        do throws(StoreError) { lock = try AccountLock(path: directory + "/store.lock") } catch {
            if case .inUse = error { throw error }
        }
        let store = try MessageStore(.memory, in: nil, lock: lock, userID: userID, spoolFolder: spoolFolder)
        let path = directory + "/store.sqlite"
        let remains = Remains(path: path)
        if let spoolFolder { link(remains.uploads, in: directory + "/spool", from: spoolFolder) }
        try await store.adopt(remains)
        if lock != nil { await store.strikeOut(whatIsDoneOf: remains, in: path) }
        return store
    }

    private static func link(_ uploads: [UUID: WaitingUpload], in folder: String, from spool: String) {
        guard !uploads.isEmpty else { return }
        mkdir(spool, 0o700)  // one that cannot be made has no copies: sending them says so
        for upload in uploads.values where !upload.copy.contains("/") {
            symlink(folder + "/" + upload.copy, spool + "/" + upload.copy)
        }
    }
}

extension MessageStore {
    /// Edits and reactions that wait in the file beside a store in memory.
    struct WaitingBeside {
        let path: String
        /// The places they have in the outbox, one for each message and sign.
        fileprivate(set) var slots: Set<String>
    }

    private func strikeOut(whatIsDoneOf remains: Remains, in path: String) {
        let rows = remains.outbox.filter { ["edit", "react"].contains($0.kind) }
        let slots = Set(rows.compactMap(\.slot))
        if !slots.isEmpty { waitingBeside = WaitingBeside(path: path, slots: slots) }
    }

    /// Takes out of the file what waits here no more. What it does not take now is tried after the next change.
    func strikeOut() {
        guard let beside = waitingBeside, access(beside.path, F_OK) == 0 else { return }
        do throws(SQLiteError) {
            let waiting = try connection.query("SELECT slot FROM outbox WHERE slot IS NOT NULL") {
                (row) throws(SQLiteError) in try row.get(0, as: String.self)
            }
            let done = beside.slots.subtracting(waiting)
            guard !done.isEmpty else { return }
            let file = try SQLConnection(.file(beside.path))
            try file.transaction { () throws(SQLiteError) in
                for slot in done {
                    try file.run(
                        "DELETE FROM outbox WHERE slot = ?1 AND kind IN ('edit', 'react')", [slot])
                }
            }
            waitingBeside?.slots.subtract(done)
        } catch {}  // it takes no writing, which is why this store is in memory
    }
}
