import FoundationEssentials
import Glibc

/// Where the body of an answer goes, and how large it may become.
struct HTTPDownload: ~Copyable {
    private let destination: HTTPRequest.Destination
    private let limit: Int
    private var received = 0
    private var descriptor: Int32 = -1
    private(set) var body = Data()

    init(_ destination: HTTPRequest.Destination, limit: Int) {
        self.destination = destination
        self.limit = limit
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// - Throws: `.tooLarge` past the limit, `.file` when the file does not take the bytes.
    mutating func take(_ bytes: UnsafeRawBufferPointer, status: Int) throws(NetworkError) {
        received += bytes.count
        guard received <= limit else { throw .tooLarge(limit: limit) }
        switch destination {
        case .file(let path) where status == 200 || status == 206: try append(bytes, to: path)
        case .file, .memory: body.append(contentsOf: bytes)
        }
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer, to path: String) throws(NetworkError) {
        if descriptor < 0 {
            descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { throw .file(code: errno) }
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw .file(code: errno) }
            rest = rest.dropFirst(written)
        }
    }
}
