import Dispatch
import Glibc
import Synchronization

/// The files of all objects: each named by the SHA-256 of its content, so equal contents share one.
///
/// A file comes whole: written beside under a name of its own, brought to the disk, renamed. It goes when no row
/// refers to it. Rows are in the database, which answers late; so a file is *condemned* first, the database is
/// asked then, and whoever places the same content in between acquits it.
final class FileShelf: Sendable {
    private struct State {
        /// Digests whose rows are being written, and how often.
        var pins: [String: Int] = [:]
        var condemned: Set<String> = []
        /// Where the files are; made on first use when they live no longer than the process.
        var root: String?
    }

    /// For what blocks on the disk.
    private let queue = DispatchQueue(label: "pingline.server.storage", attributes: .concurrent)
    private let state: Mutex<State>
    private let isTemporary: Bool
    let room: DiskRoom

    /// - Parameters:
    ///   - directory: The server's data directory; `nil` keeps the files in a temporary one until
    ///     `removeTemporary`.
    ///   - free: Bytes that are free on a folder's disk.
    init(
        directory: String?, limits: ServerLimits = ServerLimits(),
        free: @escaping @Sendable (String) -> Int64? = DiskRoom.free
    ) {
        state = Mutex(State(root: directory.map { $0 + "/storage" }))
        isTemporary = directory == nil
        let disk = directory ?? Self.temporaryFolder
        room = DiskRoom(limit: limits.storedBytes, reserve: limits.freeBytes) { free(disk) }
    }

    /// Makes the directories, and removes what an earlier run did not finish.
    func prepare() throws(ServerError) {
        guard !isTemporary, let root = state.withLock({ $0.root }) else { return }
        guard Self.make(root), Self.settleDirectory(root + "/.."), Self.settleDirectory(root) else {
            throw .directory(root)
        }
        for name in Self.names(in: root + "/incoming") { unlink(root + "/incoming/" + name) }
        for name in Self.names(in: root + "/objects") { room.count(Self.size(root + "/objects/" + name)) }
    }

    /// Runs what blocks on the disk where nobody else waits for it.
    func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            queue.async { @Sendable in continuation.resume(returning: body()) }
        }
    }

    func enqueue(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

    /// A new file to write into.
    func temporaryFile() throws(StorageFault) -> TemporaryFile {
        guard let root = directory() else { throw .failed }
        let path = root + "/incoming/" + UUIDText.random()
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Self.fault(errno) }
        return TemporaryFile(path: path, descriptor: descriptor)
    }

    /// Puts a written file in its place, and keeps it there until `release`.
    func place(_ file: TemporaryFile, digest: String) throws(StorageFault) {
        guard let root = directory(), file.settle() else { throw .failed }
        let isPlaced = state.withLock { state in
            state.pins[digest, default: 0] += 1
            state.condemned.remove(digest)
            let place = root + "/objects/" + digest
            let before = Self.size(place)
            guard file.move(to: place) else {
                Self.unpin(digest, &state)
                return false
            }
            room.count(Self.size(place) - before)
            return true
        }
        guard isPlaced else { throw .failed }
        guard Self.settleDirectory(root + "/objects") else {
            release(digest)
            throw .failed
        }
    }

    /// Keeps the file of a content that is on the shelf, until `release`.
    /// - Returns: `false` when it is not there.
    func pin(_ digest: String) -> Bool {
        state.withLock { state in
            guard let root = state.root, access(root + "/objects/" + digest, F_OK) == 0 else { return false }
            state.pins[digest, default: 0] += 1
            state.condemned.remove(digest)
            return true
        }
    }

    /// The row is written, or refused: the file stays as long as rows want it.
    func release(_ digest: String) { state.withLock { Self.unpin(digest, &$0) } }

    /// The content, open for reading.
    /// - Throws: `.noObject` when it is gone, `.busy` while this process may open no more files.
    func open(_ digest: String) throws(StorageFault) -> OpenFile {
        guard let root = state.withLock({ $0.root }) else { throw .noObject }
        let descriptor = Glibc.open(root + "/objects/" + digest, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw errno == ENOENT ? .noObject : Self.fault(errno) }
        return OpenFile(descriptor: descriptor)
    }

    private static func fault(_ code: Int32) -> StorageFault {
        switch code {
        case EMFILE, ENFILE: .busy
        case ENOSPC, EDQUOT: .storageFull
        default: .failed
        }
    }

    /// Marks a file that perhaps nobody wants.
    /// - Returns: `false` when somebody is about to write a row for it.
    func condemn(_ digest: String) -> Bool {
        state.withLock { state in
            guard state.pins[digest] == nil else { return false }
            state.condemned.insert(digest)
            return true
        }
    }

    /// Removes a condemned file, unless it was acquitted.
    func removeCondemned(_ digest: String) {
        state.withLock { state in
            guard state.condemned.remove(digest) != nil, let root = state.root else { return }
            let place = root + "/objects/" + digest
            let size = Self.size(place)
            if unlink(place) == 0 { room.count(-size) }
        }
    }

    func acquit(_ digest: String) { state.withLock { _ = $0.condemned.remove(digest) } }

    /// The names of all files in their places.
    func digests() -> [String] {
        guard let root = state.withLock({ $0.root }) else { return [] }
        return Self.names(in: root + "/objects")
    }

    /// Removes the files that were to live no longer than the server.
    func removeTemporary() {
        guard isTemporary, let root = state.withLock({ $0.root }) else { return }
        for folder in ["/incoming", "/objects"] {
            for name in Self.names(in: root + folder) { unlink(root + folder + "/" + name) }
            rmdir(root + folder)
        }
        rmdir(root)
    }

    private func directory() -> String? {
        state.withLock { state in
            if let root = state.root { return root }
            var template = Array((Self.temporaryFolder + "/pingline-storage-XXXXXX").utf8CString)
            guard mkdtemp(&template) != nil else { return nil }
            let root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            guard Self.make(root) else { return nil }
            state.root = root
            return root
        }
    }

    private static var temporaryFolder: String {
        let named = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        return named.isEmpty ? "/tmp" : named
    }

    private static func unpin(_ digest: String, _ state: inout State) {
        let count = (state.pins[digest] ?? 1) - 1
        state.pins[digest] = count > 0 ? count : nil
    }

    /// Makes the folders, each their owner's alone.
    private static func make(_ root: String) -> Bool {
        for folder in ["", "/incoming", "/objects"] {
            let path = root + folder
            guard mkdir(path, 0o700) == 0 || errno == EEXIST, chmod(path, 0o700) == 0 else { return false }
        }
        return true
    }

    /// Bytes; 0 of what is not there.
    private static func size(_ path: String) -> Int64 {
        var status = stat()
        return lstat(path, &status) == 0 ? Int64(status.st_size) : 0
    }

    private static func settleDirectory(_ path: String) -> Bool {
        let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return fsync(descriptor) == 0
    }

    private static func names(in path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
