import Glibc

/// A file only its owner should read.
enum PrivateFile {
    /// Takes the rights of others from the file at `path`. A symbolic link is followed: people keep their settings
    /// elsewhere. One that is not ours to change stays as it is.
    /// - Returns: Whether others had any. `false` when there is no file.
    static func closeToOthers(_ path: String) throws(DirectoryError) -> Bool {
        // On the open file, so that nobody can swap it between the look and the change.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }  // reading it is going to say why
        defer { _ = close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw DirectoryError(path, code: errno) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(), status.st_mode & 0o077 != 0
        else {
            return false
        }
        guard fchmod(descriptor, status.st_mode & 0o700) == 0 else {
            if errno == EROFS { return false }
            throw DirectoryError(path, code: errno)
        }
        return true
    }
}
