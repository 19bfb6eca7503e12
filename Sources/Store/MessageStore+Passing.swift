import FoundationEssentials
import Glibc
import Models
import SQLite

extension MessageStore {
    /// A store in memory for an account whose directory takes no writing. The account's lock is held where there
    /// is one to hold; what is in the directory stays as it is.
    ///
    /// What waits there goes out all the same, and the drafts are there: both are read, as far as that is possible.
    /// Edits and reactions are not. Here nobody can note that they are done, so they would be done again at the next
    /// start, over whatever was wished since; a message, a deletion and a mark cannot be done twice.
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
        let remains = Remains(path: directory + "/store.sqlite").repeatable
        if let spoolFolder { link(remains.uploads, in: directory + "/spool", from: spoolFolder) }
        try await store.adopt(remains)
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

extension Remains {
    /// Without what must not be done a second time.
    fileprivate var repeatable: Remains {
        var remains = self
        remains.outbox.removeAll { row in ["edit", "react"].contains(row.kind) }
        return remains
    }
}
