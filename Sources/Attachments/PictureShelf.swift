import Digest
import FoundationEssentials
import Glibc
import Models

/// Pictures of one account that were fetched to be looked at, and what they were drawn as: private files in a folder
/// of the cache, the oldest removed when they become too many.
///
/// Everything in it can be fetched and drawn again; what cannot be written is done without. A name is made here, from
/// the service's own by digest: nothing a sender chose becomes one.
package struct PictureShelf: Sendable {
    private let folder: String
    private let saver: FileSaver
    private let room: Int64

    /// - Parameters:
    ///   - folder: Made, for its owner only, when it is missing, and so is its parent.
    ///   - room: Bytes it may take.
    package init(_ folder: String, saver: FileSaver, room: Int64 = 64 << 20) {
        self.folder = folder
        self.saver = saver
        self.room = room
    }

    /// A picture on this disk.
    package struct Picture: Sendable, Hashable {
        /// Absolute, and of our making.
        package let path: String
        /// Pixels.
        package let width: Int
        package let height: Int
    }

    /// Finds the picture here or fetches it from the account's service.
    /// - Parameter limit: Most bytes to fetch; `nil`: any number.
    @concurrent
    package func picture(_ attachment: Attachment, limit: Int64?) async throws(PictureError) -> Picture {
        let name = Self.name(of: attachment)
        let path = "\(folder)/\(name)"
        if !isThere(path) {
            try await fetch(attachment, as: name, limit: limit)
            prune(keeping: name)
        }
        return try look(at: path)
    }

    // MARK: What was drawn

    /// What `keep` was given for it, if that is still here; anything may be in it.
    /// - Parameters:
    ///   - way: Tells the sizes and colours it can be drawn in apart; letters, digits and dashes.
    ///   - limit: Most bytes to read.
    package func drawing(of attachment: Attachment, way: String, limit: Int) -> [UInt8]? {
        let path = drawingPath(attachment, way)
        guard let bytes = Self.read(path, limit: limit + 1), bytes.count <= limit else { return nil }
        utimensat(AT_FDCWD, path, nil, AT_SYMLINK_NOFOLLOW)  // used: among the last to go
        return bytes
    }

    /// Keeps what the picture was drawn as. A disk that has no room is none of the reader's business.
    package func keep(_ drawing: [UInt8], of attachment: Attachment, way: String) {
        let path = drawingPath(attachment, way)
        let part = "\(path).\(UUID().uuidString)"
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = open(part, flags, 0o600)
        guard descriptor >= 0 else { return }
        let count = drawing.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard close(descriptor) == 0, count == drawing.count, rename(part, path) == 0 else {
            unlink(part)
            return
        }
        prune(keeping: Self.name(of: attachment))
    }

    private func drawingPath(_ attachment: Attachment, _ way: String) -> String {
        "\(folder)/\(Self.name(of: attachment)).\(way)"
    }

    /// Removes everything.
    package func clear() {
        for file in files() { unlink("\(folder)/\(file.name)") }
        rmdir(folder)
    }

    // MARK: Fetching

    private static func name(of attachment: Attachment) -> String {
        Hex.encode(Digest.sha256(Array(attachment.path.utf8)))
    }

    private func isThere(_ path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        utimensat(AT_FDCWD, path, nil, AT_SYMLINK_NOFOLLOW)
        return true
    }

    private func fetch(_ attachment: Attachment, as name: String, limit: Int64?) async throws(PictureError) {
        guard !attachment.path.isEmpty else { throw .notThere }
        if let parent = folder.split(separator: "/").last {
            mkdir(String(folder.dropLast(parent.count + 1)), 0o700)  // it is there nearly always
        }
        mkdir(folder, 0o700)  // what is wrong with it is told by saving there
        var wanted = attachment
        wanted.name = name
        do throws(SaveError) {
            let saved = try await saver.save(wanted, in: folder, fallback: name, limit: limit)
            // Two of one picture at a time: the other one came first, and this one has another name.
            chmod("\(folder)/\(saved)", 0o600)
            if saved != name { rename("\(folder)/\(saved)", "\(folder)/\(name)") }
        } catch { throw PictureError(error) }
    }

    // MARK: Judging

    /// As many pixels as a helper can hold in its memory with ease.
    private static let pixelLimit = 64_000_000

    private func look(at path: String) throws(PictureError) -> Picture {
        guard let head = Self.read(path, limit: 256 << 10) else { throw .notKept }
        guard Self.kinds.contains(FileKind.mimeType(of: "", head: head)), let size = PixelSize.read(head)
        else {
            throw .noPicture
        }
        guard size.width * size.height <= Self.pixelLimit else { throw .tooManyPixels }
        return Picture(path: path, width: size.width, height: size.height)
    }

    /// Told by the first bytes, whatever the sender calls it. No vector graphics: they are programs of a kind, and
    /// may name other files.
    private static let kinds: Set<String> = ["image/png", "image/jpeg", "image/gif", "image/webp"]

    private static func read(_ path: String, limit: Int) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count < limit {
            let count = Glibc.read(descriptor, &piece, min(piece.count, limit - bytes.count))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            bytes += piece[..<count]
        }
        return bytes
    }

    // MARK: Pruning

    private struct File {
        var name: String
        var size: Int64
        /// Seconds since 1970.
        var usedAt: Int
    }

    private func files() -> [File] {
        guard let listing = opendir(folder) else { return [] }
        defer { closedir(listing) }
        var files: [File] = []
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            var status = stat()
            guard lstat("\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                continue
            }
            files.append(File(name: name, size: Int64(status.st_size), usedAt: status.st_mtim.tv_sec))
        }
        return files
    }

    /// Removes what was not used for longest until the rest has room, beginnings of fetches that were broken off among
    /// it. One that goes on is written to all the time, and so is among the last.
    private func prune(keeping name: String) {
        var files = files()
        var total = files.reduce(0) { $0 + $1.size }
        guard total > room else { return }
        files.sort { $0.usedAt < $1.usedAt }
        for file in files where total > room && !file.name.hasPrefix(name) {
            unlink("\(folder)/\(file.name)")
            total -= file.size
        }
    }
}
