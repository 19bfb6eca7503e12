import Glibc
import SQLite

/// The directory of a server's data: its owner's alone, and one server's at a time.
final class DataDirectory: Sendable {
    let path: String
    /// The database.
    let file: String
    private let lock: Int32

    /// Makes the directory (0700) and the database's file (0600), whatever the umask, and closes both to others.
    init(_ path: String) throws(ServerError) {
        guard Self.make(path) else { throw .directory(path) }
        guard chmod(path, 0o700) == 0 else { throw .directory(path) }
        let lock = open(path + "/lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw .directory(path) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            close(lock)
            throw .inUse(path)
        }
        self.lock = lock
        self.path = path
        file = path + "/server.sqlite"
        // SQLite gives the files beside it the same permissions.
        let database = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard database >= 0 else { throw .directory(path) }
        let isPrivate = fchmod(database, 0o600) == 0
        close(database)
        guard isPrivate else { throw .directory(path) }
    }

    deinit { close(lock) }

    /// Makes the directory and those it is in, each its owner's alone. One that is there stays as it is.
    private static func make(_ path: String) -> Bool {
        var made = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/") {
            made += "/" + part
            if mkdir(made, 0o700) != 0, errno != EEXIST { return false }
        }
        return true
    }
}
