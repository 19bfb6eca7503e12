import Networking
import SupabaseWire

@testable import Server

/// A raw Realtime client: it says what a test tells it to, and hands out what comes, in order.
final class TestSocket {
    struct Closed: Error {
        let close: WebSocketClose
    }

    let connection: WebSocketConnection
    let version: RealtimeVersion
    private var events: AsyncStream<WebSocketEvent>.AsyncIterator
    private var nextRef = 1
    private(set) var joinRefs: [String: String] = [:]

    private init(_ connection: WebSocketConnection, _ version: RealtimeVersion) {
        self.connection = connection
        self.version = version
        events = connection.events.makeAsyncIterator()
    }

    static func open(_ server: TestServer, version: RealtimeVersion = .one, key: String? = nil) async throws
        -> TestSocket
    {
        let key = key ?? server.address.publishableKey
        let url = "\(server.address.baseURL)/realtime/v1/websocket?apikey=\(key)&vsn=\(version.rawValue)"
        return TestSocket(try await WebSocketClient.connect(url: url), version)
    }

    /// Sends a message and answers its ref.
    @discardableResult
    func send(
        _ event: String, _ topic: String, _ payload: JSONValue = [:], ref: String? = nil,
        joinRef: String? = nil
    ) async throws -> String {
        let own = ref ?? String(nextRef)
        nextRef += 1
        let frame = RealtimeFrame(
            joinRef: joinRef ?? joinRefs[topic], ref: own, topic: topic, event: event, payload: payload)
        try await connection.send(text: frame.text(version: version, fromServer: false))
        return own
    }

    /// Joins and waits for the reply, and with bindings for the feed.
    @discardableResult
    func join(
        _ topic: String, token: String? = nil, changes tables: [String] = [], config: JSONValue = [:]
    ) async throws -> JSONValue {
        var members = config.object ?? [:]
        if !tables.isEmpty {
            members["postgres_changes"] = .array(
                tables.map { ["event": "*", "schema": "public", "table": .string($0)] })
        }
        var payload: [String: JSONValue] = ["config": .object(members)]
        if let token { payload["access_token"] = .string(token) }
        let ref = String(nextRef)
        try await send("phx_join", topic, .object(payload), ref: ref, joinRef: ref)
        joinRefs[topic] = ref
        let reply = try await self.reply(to: ref)
        if members["postgres_changes"] != nil, reply["status"] == "ok" { _ = try await next("system") }
        return reply
    }

    /// The payload of the next message of an event; others before it are passed over.
    func next(_ event: String) async throws -> JSONValue {
        while true {
            let frame = try await next()
            if frame.event == event { return frame.payload }
        }
    }

    func reply(to ref: String) async throws -> JSONValue {
        while true {
            let frame = try await next()
            if frame.event == "phx_reply", frame.ref == ref { return frame.payload }
        }
    }

    /// The next message, whatever it is.
    func next() async throws -> RealtimeFrame {
        try RealtimeFrame(text: await nextText(), version: version)
    }

    /// The next message as it came.
    func nextText() async throws -> String {
        switch await events.next(isolation: nil) {
        case .text(let text): return text
        case .binary: throw Closed(close: WebSocketClose(.protocolViolation))
        case .closed(let close): throw Closed(close: close)
        case nil: throw Closed(close: WebSocketClose(.lost))
        }
    }

    /// The next binary message.
    func nextBinary() async throws -> [UInt8] {
        guard case .binary(let bytes) = await events.next(isolation: nil) else {
            throw Closed(close: WebSocketClose(.protocolViolation))
        }
        return bytes
    }

    /// Waits for the end and answers how it came.
    func closed() async -> WebSocketClose {
        while let event = await events.next(isolation: nil) {
            if case .closed(let close) = event { return close }
        }
        return WebSocketClose(.lost)
    }
}
