import Glibc
import Models

/// An account's directory, readable by its owner only.
struct StoreDirectory {
    private let path: String

    var databasePath: String { path + "/store.sqlite" }
    /// Copies of files that wait to be sent.
    var spoolPath: String { path + "/spool" }
    /// What takes the place of a damaged database; whole once that one is set aside.
    var rebuiltPath: String { path + "/store.rebuilt" }
    var hasDatabase: Bool { access(databasePath, F_OK) == 0 }
    /// Whether the database has lost all its bytes: one that was ever used has its first page.
    var isDatabaseEmptied: Bool {
        var status = stat()
        return stat(databasePath, &status) == 0 && status.st_size == 0
    }
    var lockPath: String { path + "/store.lock" }
    /// An empty file that says: damage was found while the store was in use.
    var damageMarkPath: String { path + "/store.damaged" }
    var isMarkedDamaged: Bool { access(damageMarkPath, F_OK) == 0 }

    /// Opening a store does not look at every page, so damage that was met later must be remembered.
    func markDamaged() {
        let descriptor = open(damageMarkPath, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Makes the directory when it is missing (its parent must exist) and closes it to others.
    init(_ path: String) throws(StoreError) {
        self.path = path
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw StoreError(errno: errno) }
        var status = stat()
        guard stat(path, &status) == 0 else { throw StoreError(errno: errno) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .readOnly }
        if status.st_mode & 0o077 != 0, chmod(path, 0o700) != 0 { throw StoreError(errno: errno) }
    }

    /// Makes the file when it is missing and closes it to others, whatever the umask. SQLite gives the files it
    /// puts beside the database (`-wal`, `-shm`) the database's own mode.
    func makePrivateFile(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw StoreError(errno: errno) }
        defer { close(descriptor) }
        guard fchmod(descriptor, 0o600) == 0 else { throw StoreError(errno: errno) }
        for name in [path + "-wal", path + "-shm"] where chmod(name, 0o600) != 0 && errno != ENOENT {
            throw StoreError(errno: errno)
        }
    }
}

extension StoreDirectory {
    /// Takes away what a first opening that failed has left: it would pass for one that lost its bytes.
    func removeEmptyDatabase() {
        guard isDatabaseEmptied else { return }
        // What stays is taken for damaged the next time, and replaced.
        for suffix in ["-wal", "-shm", ""] { unlink(databasePath + suffix) }
    }

    /// Makes room for the database to be filled; what an earlier try left is not whole.
    func beginRebuild() throws(StoreError) {
        for suffix in ["", "-wal", "-shm"] where unlink(rebuiltPath + suffix) != 0 && errno != ENOENT {
            throw StoreError(errno: errno)
        }
        try makePrivateFile(rebuiltPath)
    }

    /// Puts the filled database in the place of the one that was set aside; nothing to do when there is none.
    func finishRebuild() throws(StoreError) {
        // A crash may have left the old one's log; it must not be taken for the new one's.
        for suffix in ["-wal", "-shm"] where unlink(databasePath + suffix) != 0 && errno != ENOENT {
            throw StoreError(errno: errno)
        }
        guard rename(rebuiltPath, databasePath) == 0 || errno == ENOENT else {
            throw StoreError(errno: errno)
        }
    }

    /// Renames the database and the files beside it.
    /// - Returns: The new name, without the directory.
    func setDatabaseAside() throws(StoreError) -> String {
        var number = 1
        while access("\(databasePath).damaged-\(number)", F_OK) == 0 { number += 1 }
        let target = "\(databasePath).damaged-\(number)"
        // The database first: as long as it is there, nothing has happened yet.
        for suffix in ["", "-wal", "-shm"] where rename(databasePath + suffix, target + suffix) != 0 {
            guard errno == ENOENT else { throw StoreError(errno: errno) }
        }
        unlink(damageMarkPath)  // nothing to do when it is not there
        return "store.sqlite.damaged-\(number)"
    }
}

extension StoreError {
    init(errno code: Int32) {
        switch code {
        case ENOSPC, EDQUOT: self = .diskFull
        case EACCES, EPERM, EROFS, ENOENT, ENOTDIR, ELOOP: self = .readOnly
        default: self = .failed(code: code)
        }
    }
}
