import FoundationEssentials
import Glibc

/// The folder downloads go into.
///
/// It is held open, and every call is relative to it: swapping the path for a link leads nowhere else. A file
/// is written under a hidden name of its own and gets its real one when it is whole, so what has a real name
/// is complete. Nothing that exists is ever written over. What a crash leaves are hidden `.part` files: the next
/// save of the same file goes on with its own, and those that nobody went on with for a week are swept away.
package actor DestinationAccess {
    private let folder: Int32
    /// Names in use, as some file system would compare them: read once, then kept.
    private var taken: Set<String>

    /// Opens the folder, which must exist.
    package init(_ path: LocalPath) throws(DestinationError) {
        let opened = open(path.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { throw DestinationError(code: errno) }
        folder = opened
        taken = Self.names(in: opened) { AttachmentFileName.collisionKey(of: $0) }
    }

    /// As the other one, for a path that is text.
    package init(_ path: String) throws(DestinationError) { try self.init(LocalPath(path)) }

    deinit { _ = close(folder) }

    /// Bytes that are free there; `nil` when the file system does not say.
    package func room() -> Int64? {
        var status = statvfs()
        guard fstatvfs(folder, &status) == 0, status.f_blocks > 0 else { return nil }
        return Int64(
            clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
                .partialValue)
    }

    /// Begins a file under a hidden name, readable by its owner only.
    /// - Parameter key: Letters and digits that stand for the file and its version: what an earlier run left of it
    ///   is gone on with, unless somebody else does. `nil` begins an empty one.
    package func begin(_ key: String? = nil) throws(DestinationError) -> PartialFile {
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        if let key {
            let name = Self.prefix + key + Self.suffix
            let descriptor = openat(folder, name, flags, 0o600)
            if descriptor >= 0 {
                if Self.isOurs(descriptor), flock(descriptor, LOCK_EX | LOCK_NB) == 0,
                    isThere(name, descriptor)
                {
                    return part(name, descriptor)
                }
                _ = close(descriptor)
            }
        }
        let name = Self.prefix + UUID().uuidString.lowercased() + Self.suffix
        let descriptor = openat(folder, name, flags | O_EXCL, 0o600)
        guard descriptor >= 0 else { throw DestinationError(code: errno) }
        _ = flock(descriptor, LOCK_EX | LOCK_NB)  // its name is nobody else's
        return part(name, descriptor)
    }

    private static let prefix = ".pingline-"
    private static let suffix = ".part"

    private func part(_ name: String, _ descriptor: Int32) -> PartialFile {
        // By the folder that is held open: swapping its path for a link leads nowhere else.
        PartialFile(name: name, path: "/proc/self/fd/\(folder)/\(name)", descriptor: descriptor)
    }

    /// A plain file of this user under one name only: written to, it changes nothing else.
    private static func isOurs(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            && status.st_uid == geteuid() && status.st_nlink == 1 && fchmod(descriptor, 0o600) == 0
    }

    /// Whoever held the lock before may have given the file its real name meanwhile.
    private func isThere(_ name: String, _ descriptor: Int32) -> Bool {
        var (named, opened) = (stat(), stat())
        return fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && fstat(descriptor, &opened) == 0
            && named.st_ino == opened.st_ino && named.st_dev == opened.st_dev
    }

    /// Removes every file that nobody has written to for a week, from a folder of our own that holds copies only.
    /// - Parameter now: Seconds since 1970.
    package func sweepCopies(now: Int) {
        for name in Self.names(in: folder, { $0 }) { remove(name, unusedSince: now - Self.week) }
    }

    private static let week = 7 * 86_400

    /// Unless somebody holds it.
    private func remove(_ name: String, unusedSince moment: Int) {
        let descriptor = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { _ = close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_mtim.tv_sec < moment, flock(descriptor, LOCK_EX | LOCK_NB) == 0
        else { return }
        _ = unlinkat(folder, name, 0)
    }

    /// Removes unfinished files that nobody has written to for a week and nobody holds now.
    /// - Parameter now: Seconds since 1970.
    package func sweep(now: Int) {
        let unfinished = Self.names(in: folder) { name in
            name.hasPrefix(Self.prefix) && name.hasSuffix(Self.suffix) ? name : nil
        }
        for name in unfinished { remove(name, unusedSince: now - Self.week) }
    }

    /// Gives a whole file its name, or the first free numbered one.
    /// - Returns: The name it got.
    /// - Throws: The file keeps its hidden name then, and may be placed again or discarded.
    package func place(_ file: PartialFile, as wanted: AttachmentFileName) throws(DestinationError) -> String
    {
        try file.finish()
        for number in 1...AttachmentFileName.highestNumber {
            let name = wanted.numbered(number)
            guard !taken.contains(name.collisionKey) else { continue }
            taken.insert(name.collisionKey)  // it exists, or will in a moment
            guard try rename(file.name, to: name.text) else { continue }
            _ = fsync(folder)  // best effort: the content is on the disk already
            return name.text
        }
        throw .nameExhausted
    }

    /// Removes a file that will not be whole.
    package func discard(_ file: PartialFile) {
        _ = unlinkat(folder, file.name, 0)
    }

    /// - Returns: `false` when something has that name already: a file, a folder, a link to anywhere.
    private func rename(_ part: String, to name: String) throws(DestinationError) -> Bool {
        if linkat(folder, part, folder, name, 0) == 0 {
            _ = unlinkat(folder, part, 0)
            return true
        }
        switch errno {
        case EEXIST: return false
        case EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK: return try renameWithoutLinks(part, to: name)
        default:
            let code = errno
            taken.remove(AttachmentFileName.collisionKey(of: name))
            throw DestinationError(code: code)
        }
    }

    /// USB sticks know no second name for a file: there an empty one of ours holds the place and is replaced.
    private func renameWithoutLinks(_ part: String, to name: String) throws(DestinationError) -> Bool {
        let holder = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard holder >= 0 else {
            if errno == EEXIST { return false }
            throw DestinationError(code: errno)
        }
        _ = close(holder)
        guard renameat(folder, part, folder, name) == 0 else {
            let code = errno
            _ = unlinkat(folder, name, 0)
            throw DestinationError(code: code)
        }
        return true
    }

    /// A folder that cannot be listed can still be written: the system tells what exists.
    /// - Parameter wanted: What to keep of a name; a folder may have very many.
    private static func names(in folder: Int32, _ wanted: (String) -> String?) -> Set<String> {
        let copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0 else { return [] }
        guard let listing = fdopendir(copy) else {
            _ = close(copy)
            return []
        }
        defer { closedir(listing) }
        var names: Set<String> = []
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if let kept = wanted(name) { names.insert(kept) }
        }
        return names
    }
}

extension DestinationError {
    init(code: Int32) {
        switch code {
        case ENOENT: self = .unavailable
        case ENOTDIR: self = .notAFolder
        case EACCES, EPERM, EROFS: self = .notWritable
        case ENOSPC, EDQUOT: self = .full
        case ENAMETOOLONG: self = .nameTooLong
        default: self = .failed(code: code)
        }
    }
}
