import Glibc
import Models

/// An account's directory, readable by its owner only.
struct StoreDirectory {
    private let path: String

    var databasePath: String { path + "/store.sqlite" }
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

extension StoreError {
    init(errno code: Int32) {
        switch code {
        case ENOSPC, EDQUOT: self = .diskFull
        case EACCES, EPERM, EROFS, ENOENT, ENOTDIR, ELOOP: self = .readOnly
        default: self = .failed(code: code)
        }
    }
}
