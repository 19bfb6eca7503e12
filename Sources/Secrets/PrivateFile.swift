import FoundationEssentials
import Glibc

/// Small files that only their owner may read, from their first byte on and whatever the umask.
package enum PrivateFile {
    /// Reads a file of at most 1 MiB, and takes away what others may do with it.
    /// - Returns: `nil` when there is no file.
    package static func read(_ path: String) throws(SecretError) -> Data? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .notReadable(code: errno)
        }
        defer { close(descriptor) }
        tighten(descriptor, to: 0o600)
        var bytes = Data()
        var room = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = Glibc.read(descriptor, &room, room.count)
            if count == 0 { return bytes }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .notReadable(code: errno) }
            bytes.append(contentsOf: room[..<count])
            guard bytes.count <= 1 << 20 else { throw .damaged(setAside: setAside(path)) }
        }
    }

    /// Writes beside the file, makes that durable, then takes the file's place: a crash leaves the old file
    /// or the new one. Callers see to it that they are alone, so a neighbour left by a crash is nobody's.
    package static func replace(_ path: String, with bytes: Data) throws(SecretError) {
        let neighbour = path + ".new"
        unlink(neighbour)
        let descriptor = open(neighbour, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SecretError(writing: errno) }
        let failure = fill(descriptor, with: bytes)
        let closed = close(descriptor) == 0 ? 0 : errno
        if let code = [failure, closed].first(where: { $0 != 0 }) {
            unlink(neighbour)
            throw SecretError(writing: code)
        }
        guard rename(neighbour, path) == 0 else {
            let code = errno
            unlink(neighbour)
            throw SecretError(writing: code)
        }
        syncFolder(of: path)
    }

    /// Moves a file that cannot be read out of the way, so that nothing overwrites it unseen.
    /// - Returns: Its new name; `nil` when it could not be moved and still stands in its place.
    static func setAside(_ path: String) -> String? {
        for number in 1...99 {
            let aside = "\(path).damaged-\(number)"
            // A link and not a rename: it fails where the name is taken.
            guard link(path, aside) == 0 else {
                if errno == EEXIST { continue }
                return nil
            }
            return unlink(path) == 0 ? aside : nil
        }
        return nil
    }

    /// Makes the folder with its parents (0700), or closes it to others.
    package static func makeFolder(_ path: String) throws(SecretError) {
        guard mkdir(path, 0o700) != 0 else { return }
        if errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            try makeFolder(String(path[..<slash]))
            guard mkdir(path, 0o700) != 0 else { return }
        }
        guard errno == EEXIST else { throw SecretError(writing: errno) }
        tighten(folder: path)
    }

    static func openLock(_ path: String) throws(SecretError) -> Int32 {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SecretError(writing: errno) }
        return descriptor
    }

    static func tighten(folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }  // the read that follows says what is wrong
        tighten(descriptor, to: 0o700)
        close(descriptor)
    }

    /// Takes away what others may do. A file of somebody else stays as it is: reading it still works.
    private static func tighten(_ descriptor: Int32, to mode: mode_t) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & 0o077 != 0 else { return }
        _ = fchmod(descriptor, mode)
    }

    /// - Returns: 0, or the system's error.
    private static func fill(_ descriptor: Int32, with bytes: Data) -> Int32 {
        guard fchmod(descriptor, 0o600) == 0 else { return errno }  // whatever the umask took away
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes { room in
                write(descriptor, room.baseAddress.map { $0 + offset }, room.count - offset)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return errno }
            offset += count
        }
        return fsync(descriptor) == 0 ? 0 : errno
    }

    /// Makes the new name durable. A file system that cannot do that has nothing to offer instead.
    private static func syncFolder(of path: String) {
        let folder = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
        let descriptor = open(String(folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }
}
