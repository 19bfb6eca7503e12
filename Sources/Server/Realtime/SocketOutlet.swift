import Networking
import SupabaseWire
import Synchronization

/// A message on its way out.
enum OutgoingMessage: Sendable {
    case text(String)
    case binary([UInt8])

    var size: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let bytes): bytes.count
        }
    }

    func enqueue(on connection: WebSocketConnection) {
        switch self {
        case .text(let text): connection.enqueue(text: text)
        case .binary(let bytes): connection.enqueue(binary: bytes)
        }
    }

    /// Waits while the peer takes nothing.
    func send(on connection: WebSocketConnection) async throws(NetworkError) {
        switch self {
        case .text(let text): try await connection.send(text: text)
        case .binary(let bytes): try await connection.send(binary: bytes)
        }
    }
}

/// What leaves through one socket.
///
/// Little is handed to the connection ahead of the peer; the rest waits here, so that a heartbeat's answer, which
/// goes around it, is never behind more than `window`. A peer that lets too much pile up is closed with 1001: it
/// comes back and catches up, where silently dropping would leave it with a hole.
final class SocketOutlet: Sendable {
    private struct Backlog {
        var messages: [OutgoingMessage] = []
        var next = 0
        var bytes = 0
        var isDraining = false
        var isOver = false
    }

    /// Bytes in the connection up to which more is handed over.
    static let window = 64 << 10
    let version: RealtimeVersion
    private let connection: WebSocketConnection
    private let limit: Int
    private let backlog = Mutex(Backlog())

    init(_ connection: WebSocketConnection, version: RealtimeVersion, limit: Int) {
        self.connection = connection
        self.version = version
        self.limit = limit
    }

    /// Bytes that wait, here and in the connection.
    var queuedBytes: Int { backlog.withLock { $0.bytes } + connection.queuedBytes }

    /// Sends behind everything sent before.
    func send(_ frame: OutgoingFrame) { send(.text(frame.text(version))) }

    /// Sends ahead of what waits.
    func sendAtOnce(_ frame: OutgoingFrame) { connection.enqueue(text: frame.text(version)) }

    func send(_ message: OutgoingMessage) {
        enum Step { case handOver, wait, drain, end, nothing }
        let step: Step = backlog.withLock { backlog in
            guard !backlog.isOver else { return .nothing }
            if !backlog.isDraining, connection.queuedBytes < Self.window { return .handOver }
            backlog.messages.append(message)
            backlog.bytes += message.size
            if backlog.bytes > limit {
                backlog = Backlog(isOver: true)
                return .end
            }
            defer { backlog.isDraining = true }
            return backlog.isDraining ? .wait : .drain
        }
        switch step {
        case .handOver: message.enqueue(on: connection)
        case .drain: Task { await drain() }
        case .end: connection.enqueueClose(code: 1001, reason: "reading too slowly")
        case .wait, .nothing: break
        }
    }

    /// Closes after what waits in the connection; what waits here is dropped.
    func close(code: UInt16, reason: String) {
        backlog.withLock { $0 = Backlog(isOver: true) }
        connection.enqueueClose(code: code, reason: reason)
    }

    private func drain() async {
        while let message = takeNext() {
            do throws(NetworkError) { try await message.send(on: connection) } catch {
                backlog.withLock { $0 = Backlog(isOver: true) }
                return
            }
        }
    }

    private func takeNext() -> OutgoingMessage? {
        backlog.withLock { backlog in
            guard backlog.next < backlog.messages.count else {
                let isOver = backlog.isOver
                backlog = Backlog(isOver: isOver)
                return nil
            }
            let message = backlog.messages[backlog.next]
            backlog.next += 1
            backlog.bytes -= message.size
            if backlog.next >= 1_024 {
                backlog.messages.removeFirst(backlog.next)
                backlog.next = 0
            }
            return message
        }
    }
}
