import Dispatch
import Glibc
import Synchronization

/// A server on loopback whose answers are written down in the test. Every connection has a thread of its own.
final class StubServer: Sendable {
    let port: UInt16
    private let listener: Int32
    private let accepted = Atomic(0)

    init(_ serve: @escaping @Sendable (StubPeer) -> Void) throws {
        (listener, port) = try Self.listen()
        let listener = listener
        DispatchQueue(label: "stub").async { @Sendable [weak self] in
            while true {
                let socket = accept(listener, nil, nil)
                if socket < 0 { break }
                self?.accepted.add(1, ordering: .relaxed)
                DispatchQueue(label: "peer").async { @Sendable in
                    let peer = StubPeer(socket)
                    serve(peer)
                }
            }
            close(listener)
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))  // lets `accept` return; the thread closes it
    }

    var url: String { "http://127.0.0.1:\(port)" }
    var connections: Int { accepted.load(ordering: .relaxed) }

    /// How many sockets of this process are connected to the server.
    var clientSockets: Int { Self.clientSockets(to: port) }

    static func clientSockets(to port: UInt16) -> Int {
        (3..<4_096).filter { descriptor in
            var address = sockaddr_in()
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let code = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    getpeername(Int32(descriptor), $0, &size)
                }
            }
            return code == 0 && address.sin_family == AF_INET && address.sin_port == port.bigEndian
        }.count
    }

    private struct SocketError: Error {
        var code: Int32
    }

    private static func listen() throws -> (Int32, UInt16) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                guard bind(listener, pointer, size) == 0, Glibc.listen(listener, 128) == 0 else {
                    return Int32(-1)
                }
                return getsockname(listener, pointer, &size)
            }
        }
        guard listener >= 0, code == 0 else { throw SocketError(code: errno) }
        return (listener, UInt16(bigEndian: address.sin_port))
    }
}

/// The server's end of one connection: blocking reads and writes. Closed when released.
///
/// Unchecked, for a test uses it from one place at a time.
final class StubPeer: @unchecked Sendable {
    /// Where `nextFrame` waits; one queue, so that what one wait read is there for the next.
    let frames = DispatchQueue(label: "frames")
    private(set) var socket: Int32
    private var buffer: [UInt8] = []

    init(_ socket: Int32) {
        self.socket = socket
    }

    deinit {
        if socket >= 0 { close(socket) }
    }

    /// Gives the socket away, with what was read from it and not used.
    func release() -> (socket: Int32, early: [UInt8]) {
        defer { socket = -1 }
        return (socket, buffer)
    }

    /// Reads up to and with the empty line; `nil` when the connection ends before.
    func readHead() -> String? {
        let end = Array("\r\n\r\n".utf8)
        while true {
            if buffer.count >= 4,
                let start = (0...buffer.count - 4).first(where: { buffer[$0..<$0 + 4].elementsEqual(end) })
            {
                let head = String(decoding: buffer[..<start], as: UTF8.self)
                buffer.removeFirst(start + 4)
                return head
            }
            guard fill() else { return nil }
        }
    }

    /// Reads exactly `count` bytes; fewer when the connection ends before.
    func read(_ count: Int) -> [UInt8] {
        while buffer.count < count, fill() {}
        defer { buffer.removeFirst(min(count, buffer.count)) }
        return Array(buffer.prefix(count))
    }

    /// Reads and throws away until the other end closes.
    func readToEnd() {
        while fill() { buffer = [] }
    }

    @discardableResult
    func write(_ text: String) -> Bool {
        write(Array(text.utf8))
    }

    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                send(socket, bytes.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Answers a request with a status, headers and a body of known length.
    func answer(_ status: String, _ headers: [String] = [], body: String = "") {
        let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + headers
        write(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }

    private func fill() -> Bool {
        var room = [UInt8](repeating: 0, count: 65_536)
        let count = recv(socket, &room, room.count, 0)
        guard count > 0 else { return false }
        buffer += room.prefix(count)
        return true
    }
}

/// What a thread of a test tells the test, in order.
struct Signals<Value: Sendable>: Sendable {
    private let stream: AsyncStream<Value>
    private let continuation: AsyncStream<Value>.Continuation

    init(of: Value.Type = Value.self) {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func send(_ value: Value) { continuation.yield(value) }

    func next() async -> Value? {
        var iterator = stream.makeAsyncIterator()
        return await iterator.next()
    }
}

/// Blocking work beside a test, for the threads that run tasks are few.
enum Thread {
    static func run(_ work: @escaping @Sendable () -> Void) {
        DispatchQueue(label: "thread").async(execute: work)
    }
}
