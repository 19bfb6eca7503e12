import Glibc

/// A folder only its owner may enter.
package enum PrivateFolder {
    /// Makes `path` and the folders above it that are missing, each 0700 whatever the umask is, and takes the
    /// rights of others from `path` itself. A symbolic link to a folder of ours is fine.
    /// - Returns: Whether the folder was there with rights for others.
    package static func prepare(_ path: String) throws(PrivateFileError) -> Bool {
        try make(path)
        return try closeToOthers(path)
    }

    /// Takes the rights of others from a folder that is there, and gives its owner all of theirs back.
    /// - Returns: Whether others had any.
    package static func closeToOthers(_ path: String) throws(PrivateFileError) -> Bool {
        let descriptor = try opened(path)
        defer { close(descriptor) }
        // On the open folder, so that nobody can swap it between the look and the change.
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .failed(path: path, code: errno) }
        guard status.st_uid == geteuid() else { throw .notOurs(path: path) }
        guard status.st_mode & 0o777 != 0o700 else { return false }
        guard fchmod(descriptor, 0o700) == 0 else { throw .failed(path: path, code: errno) }
        return status.st_mode & 0o077 != 0
    }

    /// Folders that exist keep the rights they have.
    private static func make(_ path: String) throws(PrivateFileError) {
        if mkdir(path, 0o700) == 0 {
            _ = chmod(path, 0o700)  // a umask may have taken even the owner's rights
            return
        }
        switch errno {
        case EEXIST: return
        case ENOENT:
            guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
                throw .failed(path: path, code: ENOENT)
            }
            try make(String(path[..<slash]))
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .failed(path: path, code: errno) }
            _ = chmod(path, 0o700)
        default: throw .failed(path: path, code: errno)
        }
    }

    private static func opened(_ path: String) throws(PrivateFileError) -> Int32 {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        let descriptor = open(path, flags)
        if descriptor >= 0 { return descriptor }
        // A folder of ours that even we may not read can still be given back to us.
        guard errno == EACCES, chmod(path, 0o700) == 0 else { throw .failed(path: path, code: errno) }
        let second = open(path, flags)
        guard second >= 0 else { throw .failed(path: path, code: errno) }
        return second
    }
}
