import Dispatch
import Glibc

@testable import Networking

/// A frame as it stands on the wire, made and read without wslay.
struct RawFrame: Equatable, Sendable {
    var opcode: UInt8
    var payload: [UInt8]
    var isFinal = true

    static func text(_ text: String, isFinal: Bool = true) -> RawFrame {
        RawFrame(opcode: 1, payload: Array(text.utf8), isFinal: isFinal)
    }

    static func close(_ code: UInt16, _ reason: String = "") -> RawFrame {
        RawFrame(opcode: 8, payload: [UInt8(code >> 8), UInt8(code & 255)] + Array(reason.utf8))
    }

    /// - Parameter mask: What a client must have and a server must not.
    func bytes(mask: [UInt8]?) -> [UInt8] {
        var bytes: [UInt8] = [opcode | (isFinal ? 0x80 : 0)]
        let masked: UInt8 = mask == nil ? 0 : 0x80
        switch payload.count {
        case ..<126: bytes.append(masked | UInt8(payload.count))
        case ..<65_536: bytes += [masked | 126] + Self.bigEndian(payload.count, 2)
        default: bytes += [masked | 127] + Self.bigEndian(payload.count, 8)
        }
        guard let mask else { return bytes + payload }
        return bytes + mask + Self.masked(payload, mask)
    }

    /// A payload under its mask, or from under it. Eight bytes at a time: at single ones a debug build is slow, and
    /// under a sanitizer it takes minutes for megabytes.
    static func masked(_ payload: [UInt8], _ mask: [UInt8]) -> [UInt8] {
        var bytes = payload
        let word = (mask + mask).withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
        bytes.withUnsafeMutableBytes { bytes in
            let rest = bytes.count & ~7
            for offset in stride(from: 0, to: rest, by: 8) {
                let plain = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                bytes.storeBytes(of: plain ^ word, toByteOffset: offset, as: UInt64.self)
            }
            for offset in rest..<bytes.count { bytes[offset] ^= mask[offset & 3] }
        }
        return bytes
    }

    private static func bigEndian(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}

extension StubPeer {
    /// A pair of connected sockets: one for a connection under test, one for the test.
    static func pair() -> (socket: Int32, peer: StubPeer) {
        var sockets: [Int32] = [-1, -1]
        _ = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &sockets)
        return (sockets[0], StubPeer(sockets[1]))
    }

    func write(_ frame: RawFrame, mask: [UInt8]? = nil) {
        write(frame.bytes(mask: mask))
    }

    /// Reads one frame, of either side; `nil` at the end of the connection.
    func readFrame() -> RawFrame? {
        let head = read(2)
        guard head.count == 2 else { return nil }
        var length = Int(head[1] & 0x7F)
        if length >= 126 { length = read(length == 126 ? 2 : 8).reduce(0) { $0 << 8 | Int($1) } }
        let mask = head[1] & 0x80 != 0 ? read(4) : [0, 0, 0, 0]
        let payload = read(length)
        guard mask.count == 4, payload.count == length else { return nil }
        return RawFrame(
            opcode: head[0] & 15, payload: RawFrame.masked(payload, mask), isFinal: head[0] & 0x80 != 0)
    }

    /// `readFrame` for a task: it waits on a thread of its own, for those that run tasks are few.
    func nextFrame() async -> RawFrame? {
        await withCheckedContinuation { continuation in
            frames.async { @Sendable in
                continuation.resume(returning: self.readFrame())
            }
        }
    }

    /// Answers an upgrade request; what is given comes right behind the 101, in the same write.
    @discardableResult
    func upgrade(sending early: [UInt8] = []) -> String? {
        guard let head = readHead(), let key = Self.header("Sec-WebSocket-Key", in: head) else { return nil }
        let answer = [
            "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Accept: \(WebSocketHandshake.accept(key: key))",
        ]
        write(Array((answer.joined(separator: "\r\n") + "\r\n\r\n").utf8) + early)
        return head
    }

    static func header(_ name: String, in head: String) -> String? {
        head.split(separator: "\r\n").first { $0.hasPrefix(name + ": ") }.map {
            String($0.dropFirst(name.count + 2))
        }
    }
}

extension WebSocketConnection {
    /// The server's end under test, and a raw client.
    static func server(
        initialBytes: [UInt8] = [], limits: WebSocketLimits = WebSocketLimits(),
        onClosed: @escaping @Sendable () -> Void = {}
    ) -> (connection: WebSocketConnection, peer: StubPeer) {
        let (socket, peer) = StubPeer.pair()
        let connection = WebSocketConnection(
            acceptedSocket: socket, initialBytes: initialBytes, limits: limits,
            onClosed: {
                Glibc.close(socket)
                onClosed()
            })
        return (connection, peer)
    }

    /// Both ends under test.
    static func pair(
        limits: WebSocketLimits = WebSocketLimits()
    ) -> (client: WebSocketConnection, server: WebSocketConnection) {
        var sockets: [Int32] = [-1, -1]
        _ = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &sockets)
        let (near, far) = (sockets[0], sockets[1])
        let client = WebSocketConnection(
            .client, SocketStream(near) { Glibc.close(near) }, early: [], limits: limits,
            executor: QueueExecutor("client"))
        let server = WebSocketConnection(acceptedSocket: far, limits: limits) { Glibc.close(far) }
        return (client, server)
    }

    /// All events, the closing included.
    func allEvents() async -> [WebSocketEvent] {
        var all: [WebSocketEvent] = []
        for await event in events { all.append(event) }
        return all
    }
}

/// What a client's frames are masked with in tests.
let mask: [UInt8] = [0x12, 0x34, 0x56, 0x78]
