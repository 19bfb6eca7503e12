import Glibc

/// Files only their owner may read, replaced as a whole or not at all.
package enum PrivateFile {
    /// Puts `bytes` in place of the file at `path`: after a crash either the old or the new content is there.
    /// The file is 0600 from its first moment, whatever the umask is. A symbolic link at `path` is replaced.
    package static func write(_ bytes: [UInt8], to path: String) throws(DirectoryError) {
        let draft = "\(path).\(getpid()).new"
        _ = unlink(draft)  // left by a process of our number that was killed
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw DirectoryError(path, code: errno) }
        do throws(DirectoryError) {
            defer { _ = close(descriptor) }
            guard fchmod(descriptor, 0o600) == 0 else { throw DirectoryError(path, code: errno) }
            try fill(descriptor, with: bytes, path)
            guard fsync(descriptor) == 0 else { throw DirectoryError(path, code: errno) }
        } catch {
            _ = unlink(draft)
            throw error
        }
        guard rename(draft, path) == 0 else {
            let code = errno
            _ = unlink(draft)
            throw DirectoryError(path, code: code)
        }
        syncFolder(of: path)
    }

    /// Takes the rights of others from the file at `path`.
    /// - Returns: Whether others had any. `false` when there is no file.
    package static func closeToOthers(_ path: String) throws(DirectoryError) -> Bool {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return false }
            throw DirectoryError(path, code: errno)
        }
        defer { _ = close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw DirectoryError(path, code: errno) }
        guard status.st_uid == geteuid() else { throw .notOurs(path: path) }
        guard status.st_mode & 0o077 != 0 else { return false }
        guard fchmod(descriptor, 0o600) == 0 else { throw DirectoryError(path, code: errno) }
        return true
    }

    private static func fill(_ descriptor: Int32, with bytes: [UInt8], _ path: String)
        throws(DirectoryError)
    {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw DirectoryError(path, code: errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Best effort: some file systems cannot, and the content is safe either way.
    private static func syncFolder(of path: String) {
        guard let slash = path.lastIndex(of: "/") else { return }
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        _ = close(descriptor)
    }
}
