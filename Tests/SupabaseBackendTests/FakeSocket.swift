import FoundationEssentials
import Networking
import SupabaseWire
import Synchronization
import TestSupport

@testable import SupabaseBackend

/// A WebSocket without a network: a test plays the server.
final class FakeSocket: SocketConnection {
    let events: AsyncStream<WebSocketEvent>
    /// What the client sends, in order, and an end when it closes.
    let sent: AsyncStream<RealtimeFrame>
    private let incoming: AsyncStream<WebSocketEvent>.Continuation
    private let outgoing: AsyncStream<RealtimeFrame>.Continuation

    init() {
        (events, incoming) = AsyncStream.makeStream()
        (sent, outgoing) = AsyncStream.makeStream()
    }

    func send(text: String) async throws(NetworkError) {
        guard let frame = try? RealtimeFrame(text: text, version: .one) else { throw .protocolViolation }
        outgoing.yield(frame)
    }

    func end() async {
        incoming.yield(.closed(WebSocketClose(.local, code: 1000)))
        incoming.finish()
        outgoing.finish()
    }

    func receive(_ frame: RealtimeFrame) throws {
        receive(text: try frame.text(version: .one, fromServer: true))
    }

    func receive(text: String) { incoming.yield(.text(text)) }

    func lose() { incoming.yield(.closed(WebSocketClose(.lost))) }
}

/// Hands out sockets, or refuses.
final class FakeSockets: SocketTransport {
    private struct State {
        var answers: [(answer: Result<FakeSocket, NetworkError>, gate: Gate?)] = []
        var urls: [String] = []
    }
    private let state = Mutex(State())

    /// - Parameter gate: What the answer waits for.
    func then(_ answer: Result<FakeSocket, NetworkError>, after gate: Gate? = nil) {
        state.withLock { $0.answers.append((answer, gate)) }
    }

    var urls: [String] { state.withLock { $0.urls } }

    func open(_ url: String) async throws(NetworkError) -> any SocketConnection {
        let (answer, gate) = state.withLock { state -> (Result<FakeSocket, NetworkError>, Gate?) in
            state.urls.append(url)
            return state.answers.isEmpty ? (.failure(.refused), nil) : state.answers.removeFirst()
        }
        await gate?.pass()
        return try answer.get()
    }
}

/// A scripted Realtime server on a `FakeSocket`: answers joins and leaves, and says when the feed is
/// attached.
struct FakeFeed {
    let socket: FakeSocket
    private var frames: AsyncStream<RealtimeFrame>.AsyncIterator

    init(_ socket: FakeSocket) {
        self.socket = socket
        frames = socket.sent.makeAsyncIterator()
    }

    /// - Returns: `nil` when the client closed.
    mutating func next(_ event: String) async throws -> RealtimeFrame? {
        while let frame = await frames.next(isolation: nil) {
            if frame.event == event { return frame }
            try reply(to: frame)
        }
        return nil
    }

    func reply(to frame: RealtimeFrame) throws {
        guard ["phx_join", "phx_leave", "heartbeat"].contains(frame.event) else { return }
        try socket.receive(
            RealtimeFrame(
                ref: frame.ref, topic: frame.topic, event: "phx_reply",
                payload: ["status": "ok", "response": [:]]))
    }

    func attach(_ topic: String) throws {
        try socket.receive(
            RealtimeFrame(
                topic: topic, event: "system",
                payload: [
                    "extension": "postgres_changes", "status": "ok", "message": "Subscribed to PostgreSQL",
                ]))
    }

    mutating func acceptInbox() async throws {
        while let join = try await next("phx_join") {
            try reply(to: join)
            if join.topic == CoreDriver.inbox { return try attach(join.topic) }
        }
    }

    func insert(_ table: String, _ record: JSONValue, errors: JSONValue = nil) throws {
        try change(table, "INSERT", record, errors: errors)
    }

    /// A delete names the key of its row and nothing else.
    func remove(_ table: String, _ key: JSONValue) throws {
        try socket.receive(
            RealtimeFrame(
                topic: CoreDriver.inbox, event: "postgres_changes",
                payload: [
                    "ids": [1],
                    "data": [
                        "schema": "public", "table": .string(table), "type": "DELETE", "old_record": key,
                        "errors": nil, "columns": [],
                    ],
                ]))
    }

    func change(_ table: String, _ type: String, _ record: JSONValue, errors: JSONValue = nil) throws {
        try socket.receive(
            RealtimeFrame(
                topic: CoreDriver.inbox, event: "postgres_changes",
                payload: [
                    "ids": [1],
                    "data": [
                        "schema": "public", "table": .string(table), "type": .string(type), "record": record,
                        "errors": errors, "columns": [],
                    ],
                ]))
    }
}
