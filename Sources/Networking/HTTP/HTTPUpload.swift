import FoundationEssentials
import Glibc

/// The body of a request, read in pieces and again from the start when a connection has to be replaced.
final class HTTPUpload {
    private enum Source {
        case bytes(Data)
        case file(descriptor: Int32, offset: Int64)
    }

    /// libcurl sends no more than that in one piece with the head.
    private static let smallSize = 32 << 10

    /// Bytes in all.
    let size: Int64
    private let source: Source
    private var position: Int64 = 0

    /// - Returns: `nil` for no body.
    /// - Throws: `.file` when the file cannot be opened or is shorter than its offset.
    init?(_ body: HTTPRequest.Body) throws(NetworkError) {
        switch body {
        case .none: return nil
        case .bytes(let bytes):
            source = .bytes(bytes)
            size = Int64(bytes.count)
        case .file(let path, let offset):
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw .file(code: errno) }
            source = .file(descriptor: descriptor, offset: offset)
            var status = stat()
            guard fstat(descriptor, &status) == 0, offset >= 0, Int64(status.st_size) >= offset else {
                close(descriptor)
                throw .file(code: EINVAL)
            }
            size = Int64(status.st_size) - offset
        }
    }

    /// Whether the body is handed over as a whole, and not read in pieces.
    var isSmall: Bool {
        if case .bytes(let bytes) = source { (1...Self.smallSize).contains(bytes.count) } else { false }
    }

    /// Gives a small body; the pointer is good for the call.
    func withSmallBody(_ body: (UnsafeMutableRawPointer?) -> Void) {
        guard isSmall, case .bytes(let bytes) = source else { return }
        bytes.withUnsafeBytes { body(UnsafeMutableRawPointer(mutating: $0.baseAddress)) }
    }

    deinit {
        if case .file(let descriptor, _) = source { close(descriptor) }
    }

    func seek(to offset: Int64) {
        position = min(max(offset, 0), size)
    }

    /// Copies the next bytes into `room`.
    /// - Returns: How many; 0 at the end.
    /// - Throws: `.file` also when the file has become shorter than it was: its length was promised already.
    func give(_ room: UnsafeMutableRawBufferPointer) throws(NetworkError) -> Int {
        let count = min(room.count, Int(size - position))
        guard count > 0 else { return 0 }
        switch source {
        case .bytes(let bytes):
            let start = bytes.startIndex + Int(position)
            bytes.copyBytes(to: room, from: start..<start + count)
            position += Int64(count)
            return count
        case .file(let descriptor, let offset):
            let read = pread(descriptor, room.baseAddress, count, off_t(offset + position))
            guard read > 0 else { throw .file(code: read < 0 ? errno : EIO) }
            position += Int64(read)
            return read
        }
    }
}
