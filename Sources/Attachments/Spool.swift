import Digest
import FoundationEssentials
import Glibc
import Models

/// Copies of files that wait to be sent, in the account's own folder.
///
/// A copy is made when a file is attached and has its name only when it is whole and on the disk. Which copies are
/// needed is in the store, in the same transaction as the message: what a crash leaves beside them is swept away
/// at the next start.
package struct Spool: Sendable {
    private let folder: String
    private let limit: Int64?
    private static let pieceSize = 256 << 10

    /// - Parameters:
    ///   - folder: Made, for its owner only, when it is missing; its parent must exist.
    ///   - limit: Most bytes of a file; `nil`: the service takes none.
    package init(_ folder: String, limit: Int64?) {
        self.folder = folder
        self.limit = limit
    }

    /// As the other `take`, for a path that is text.
    package func take(_ path: String) async throws(AttachError) -> OutgoingFile {
        try await take(LocalPath(path))
    }

    /// Copies a file, in pieces. A cancelled task ends it.
    /// - Parameter path: Absolute, or from the current folder.
    @concurrent
    package func take(_ path: LocalPath) async throws(AttachError) -> OutgoingFile {
        guard let limit else { throw .notTaken }
        // Without waiting: nobody may ever write into a pipe.
        let source = open(path.cString, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard source >= 0 else { throw AttachError(code: errno) }
        defer { close(source) }
        var status = stat()
        guard fstat(source, &status) == 0 else { throw AttachError(code: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
        guard Int64(status.st_size) <= limit else { throw .tooLarge(limit: limit) }
        if mkdir(folder, 0o700) != 0, errno != EEXIST { throw AttachError(writing: errno) }
        let name = UUID().uuidString.lowercased()
        let part = "\(folder)/\(name).part"
        do throws(AttachError) {
            let content = try copy(source, to: part, limit: limit)
            guard rename(part, "\(folder)/\(name)") == 0 else { throw AttachError(writing: errno) }
            sync(folder)
            let title = path.name ?? "file"
            return OutgoingFile(
                copy: name,
                attachment: Attachment(
                    path: "", name: title, mimeType: FileKind.mimeType(of: title, head: content.head),
                    size: content.size, width: content.pixels?.width, height: content.pixels?.height),
                sha256: content.sha256)
        } catch {
            unlink(part)
            throw error
        }
    }

    /// Removes the copy of a file that is not to be sent after all.
    package func discard(_ file: OutgoingFile) {
        unlink("\(folder)/\(file.copy)")  // gone already is as good
    }

    /// Removes everything but the copies that messages need. Nothing else may use the spool meanwhile.
    package func sweep(keeping names: Set<String>) {
        guard let listing = opendir(folder) else { return }  // nothing was ever attached
        defer { closedir(listing) }
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != "..", !names.contains(name) { unlink("\(folder)/\(name)") }
        }
    }

    // MARK: Copying

    private struct Content {
        var size: Int64 = 0
        var sha256 = ""
        /// The first piece.
        var head: [UInt8] = []
        var pixels: (width: Int, height: Int)? { PixelSize.read(head) }
    }

    private func copy(_ source: Int32, to path: String, limit: Int64) throws(AttachError) -> Content {
        let target = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard target >= 0 else { throw AttachError(writing: errno) }
        defer { close(target) }
        var content = Content()
        let digest = SHA256Stream()
        var piece = [UInt8](repeating: 0, count: Self.pieceSize)
        while true {
            if Task.isCancelled { throw .cancelled }
            let count = read(source, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw AttachError(code: errno) }
            if count == 0 { break }
            let bytes = piece[..<count]
            content.size += Int64(count)
            // It grows while it is read.
            guard content.size <= limit else { throw .tooLarge(limit: limit) }
            if content.head.isEmpty { content.head = Array(bytes) }
            digest.update(Array(bytes))
            try write(bytes, to: target)
        }
        guard fsync(target) == 0 else { throw AttachError(writing: errno) }
        content.sha256 = Hex.encode(digest.finish())
        return content
    }

    private func write(_ bytes: ArraySlice<UInt8>, to target: Int32) throws(AttachError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(target, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw AttachError(writing: errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// So that the name survives a power cut, as the message in the store does.
    private func sync(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}

extension AttachError {
    /// On the side of the copy, a folder that is not there or not ours to write is no fault of the user's file.
    fileprivate init(writing code: Int32) {
        self = code == ENOSPC || code == EDQUOT ? .noRoom : .failed(code: code)
    }
}
