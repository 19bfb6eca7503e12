import FoundationEssentials
import Glibc

/// Small files that only their owner may read, from their first byte on and whatever the umask.
package enum PrivateFile {
    /// Bytes; a longer file is none of ours.
    package static let sizeLimit = 1 << 20

    /// Reads a file, and takes away what others may do with it. A symbolic link is refused.
    /// - Returns: `nil` when there is no file.
    package static func read(_ path: String) throws(PrivateFileError) -> Data? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .failed(path: path, code: errno)
        }
        defer { close(descriptor) }
        _ = try? closeToOthers(descriptor, path)  // one that stays open to others is read all the same
        var bytes = Data()
        var room = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = Glibc.read(descriptor, &room, room.count)
            if count == 0 { return bytes }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .failed(path: path, code: errno) }
            bytes.append(contentsOf: room[..<count])
            guard bytes.count <= sizeLimit else { throw .tooLong(path: path) }
        }
    }

    /// Writes beside the file, makes that durable, then takes the file's place: a crash leaves the old file
    /// or the new one. Callers see to it that they are alone, so a neighbour left by a crash is nobody's.
    package static func replace(_ path: String, with bytes: Data) throws(PrivateFileError) {
        let neighbour = path + ".new"
        unlink(neighbour)
        let descriptor = open(neighbour, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .failed(path: path, code: errno) }
        let failure = fill(descriptor, with: bytes)
        let closed = close(descriptor) == 0 ? 0 : errno
        if let code = [failure, closed].first(where: { $0 != 0 }) {
            unlink(neighbour)
            throw .failed(path: path, code: code)
        }
        guard rename(neighbour, path) == 0 else {
            let code = errno
            unlink(neighbour)
            throw .failed(path: path, code: code)
        }
        syncFolder(of: path)
    }

    /// Moves a file that cannot be read out of the way, so that nothing overwrites it unseen.
    /// - Returns: Its new name; `nil` when it could not be moved and still stands in its place.
    package static func setAside(_ path: String) -> String? {
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

    /// Opens a file to hold a lock on, making it when it is missing. The caller closes the descriptor.
    package static func openLock(_ path: String) throws(PrivateFileError) -> Int32 {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .failed(path: path, code: errno) }
        return descriptor
    }

    /// Takes the rights of others from the file at `path`. A symbolic link is followed: people keep their
    /// settings elsewhere. One that is not ours to change stays as it is.
    /// - Returns: Whether others had any. `false` when there is no file.
    package static func closeToOthers(_ path: String) throws(PrivateFileError) -> Bool {
        // On the open file, so that nobody can swap it between the look and the change.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }  // reading it is going to say why
        defer { close(descriptor) }
        return try closeToOthers(descriptor, path)
    }

    private static func closeToOthers(_ descriptor: Int32, _ path: String) throws(PrivateFileError) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .failed(path: path, code: errno) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(), status.st_mode & 0o077 != 0
        else { return false }
        guard fchmod(descriptor, status.st_mode & 0o700) == 0 else {
            if errno == EROFS { return false }
            throw .failed(path: path, code: errno)
        }
        return true
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
