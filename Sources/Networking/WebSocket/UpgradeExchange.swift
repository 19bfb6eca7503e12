import FoundationEssentials

/// The one request and answer of an upgrade, on a connection libcurl left to us. Blocks its thread.
final class UpgradeExchange {
    private static let headLimit = 32 << 10
    private static let bodyLimit = 64 << 10

    private let stream: CurlStream
    private let ticket: ConnectTicket
    /// What came behind the head: the first frames, or the beginning of a refusal's body.
    private(set) var rest: [UInt8] = []

    init(_ stream: CurlStream, _ ticket: ConnectTicket) {
        self.stream = stream
        self.ticket = ticket
    }

    func send(_ request: String) throws(NetworkError) {
        // Copied into memory of its own, for OpenSSL wants a repeated write in the same place.
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: request.utf8.count, alignment: 1)
        defer { bytes.deallocate() }
        bytes.copyBytes(from: request.utf8)
        var left = UnsafeRawBufferPointer(bytes)[...]
        while !left.isEmpty {
            switch stream.write(UnsafeRawBufferPointer(rebasing: left)) {
            case .moved(let count): left = left.dropFirst(count)
            case .wouldBlock: try stream.wait(forRoom: true, ticket)
            case .ended, .failed: throw .connectionLost
            }
        }
    }

    /// Waits for the head of the final answer; interim ones (100, 103) are passed over.
    func receiveHead() throws(NetworkError) -> HTTPHead {
        while true {
            let head = try receiveAnyHead()
            if head.status == 101 || head.status >= 200 { return head }
        }
    }

    /// As much of a refusal's body as comes in time; it only helps to explain.
    func refusalBody(_ head: HTTPHead) -> Data {
        let isChunked = head.headers.hasToken("chunked", in: "Transfer-Encoding")
        let expected =
            isChunked ? Self.bodyLimit : head.headers["Content-Length"].flatMap { Int($0) } ?? Self.bodyLimit
        let wanted = min(max(expected, 0), Self.bodyLimit)
        while rest.count < wanted, !(isChunked && ChunkedBody.isComplete(rest)) {
            // A failure here changes nothing: the refusal is known, the body is cut where it broke off.
            do { guard try receiveMore() else { break } } catch { break }
        }
        return Data(isChunked ? ChunkedBody.decode(rest) : Array(rest.prefix(wanted)))
    }

    private func receiveAnyHead() throws(NetworkError) -> HTTPHead {
        while true {
            if let end = Self.endOfHead(rest) {
                let lines = rest[..<end]
                rest.removeFirst(end)
                return try Self.parse(lines)
            }
            guard rest.count <= Self.headLimit else { throw .protocolViolation }
            guard try receiveMore() else { throw .connectionLost }
        }
    }

    /// - Returns: `false` at the end of the stream.
    private func receiveMore() throws(NetworkError) -> Bool {
        var room = [UInt8](repeating: 0, count: 4_096)
        while true {
            switch room.withUnsafeMutableBytes({ stream.read(into: $0) }) {
            case .moved(let count):
                rest += room.prefix(count)
                return true
            case .wouldBlock: try stream.wait(forRoom: false, ticket)
            case .ended: return false
            case .failed: throw .connectionLost
            }
        }
    }

    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        let end: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
        for index in 0...bytes.count - 4
        where bytes[index] == 0x0D && bytes[index..<index + 4].elementsEqual(end) {
            return index + 4
        }
        return nil
    }

    private static func parse(_ bytes: ArraySlice<UInt8>) throws(NetworkError) -> HTTPHead {
        var head = HTTPHead()
        for line in bytes.split(separator: 0x0A) {
            guard line.withUnsafeBytes({ head.take($0) }) else { throw .protocolViolation }
        }
        guard head.status != 0 else { throw .protocolViolation }
        return head
    }
}

/// The chunked coding of a body (RFC 9112 section 7.1), as far as it has arrived.
enum ChunkedBody {
    /// Whether the last chunk, the empty one, has arrived.
    static func isComplete(_ bytes: [UInt8]) -> Bool {
        walk(bytes) { _ in }
    }

    /// The content of the chunks, cut where the bytes end or make no sense.
    static func decode(_ bytes: [UInt8]) -> [UInt8] {
        var body: [UInt8] = []
        _ = walk(bytes) { body += $0 }
        return body
    }

    private static func walk(_ bytes: [UInt8], _ take: (ArraySlice<UInt8>) -> Void) -> Bool {
        var rest = bytes[...]
        while let lineEnd = rest.firstIndex(of: 0x0A) {
            let digits = rest[..<lineEnd].prefix { $0 != UInt8(ascii: ";") && $0 != 0x0D }
            // `Int` would take a sign as well.
            guard digits.count <= 8, digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-"),
                let size = Int(String(decoding: digits, as: UTF8.self), radix: 16)
            else { return true }
            if size == 0 { return true }
            let content = rest[(lineEnd + 1)...].prefix(size)
            take(content)
            rest = rest[(lineEnd + 1)...].dropFirst(size + 2)  // with the line end behind the chunk
        }
        return false
    }
}
