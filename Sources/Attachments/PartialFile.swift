import Digest
import Glibc

/// A file on its way in, under its hidden name. One writer at a time: it is locked for as long as it is open.
package final class PartialFile: Sendable {
    let name: String
    /// Where others can open it by a path, as long as its `DestinationAccess` is there.
    let path: String
    private let descriptor: Int32

    init(name: String, path: String, descriptor: Int32) {
        self.name = name
        self.path = path
        self.descriptor = descriptor
    }

    deinit { _ = close(descriptor) }

    /// Writes all of it at the end.
    package func append(_ bytes: some Collection<UInt8>) throws(DestinationError) {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw DestinationError(code: errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Bytes it has now.
    func size() throws(DestinationError) -> Int64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw DestinationError(code: errno) }
        return Int64(status.st_size)
    }

    /// Of what it has now: lower-case hexadecimal.
    func sha256() throws(DestinationError) -> String {
        let digest = SHA256Stream()
        var piece = [UInt8](repeating: 0, count: 256 << 10)
        var offset: off_t = 0
        while true {
            let count = pread(descriptor, &piece, piece.count, offset)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw DestinationError(code: errno) }
            if count == 0 { return Hex.encode(digest.finish()) }
            digest.update(Array(piece[..<count]))
            offset += off_t(count)
        }
    }

    /// Begins it again from nothing.
    func empty() throws(DestinationError) {
        guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw DestinationError(code: errno)
        }
    }

    /// Brings the content to the disk and gives the file the rights any new file has.
    func finish() throws(DestinationError) {
        guard fchmod(descriptor, 0o666 & ~Self.mask) == 0 else { throw DestinationError(code: errno) }
        while fdatasync(descriptor) != 0 {
            guard errno == EINTR else { throw DestinationError(code: errno) }
        }
    }

    /// The process's umask. `umask` itself cannot tell it without changing it for every thread.
    private static let mask: mode_t = {
        guard let status = fopen("/proc/self/status", "re") else { return 0o077 }
        defer { fclose(status) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), status) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            guard text.hasPrefix("Umask:") else { continue }
            return mode_t(text.dropFirst(6).filter(\.isNumber), radix: 8) ?? 0o077
        }
        return 0o077
    }()
}
