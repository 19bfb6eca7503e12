import Diagnostics
import FoundationEssentials
import Networking
import SupabaseWire
import Synchronization

/// The Realtime door: upgrades to sockets and reads them, and broadcasts over HTTP.
final class RealtimeDoor: Sendable {
    let hub: RealtimeHub
    let gate: Gate
    let tokens: TokenReader
    let configuration: ServerConfiguration
    private let open = OpenSockets()

    init(hub: RealtimeHub, gate: Gate, tokens: TokenReader, configuration: ServerConfiguration) {
        self.hub = hub
        self.gate = gate
        self.tokens = tokens
        self.configuration = configuration
    }

    /// - Parameter path: What follows `/realtime/v1`.
    func end(_ request: IncomingRequest, path: [String]) async -> Ending {
        if path == ["websocket"] { return await upgrade(request) }
        guard path.first == "api" else { return .answer(.json(404, #"{"error":"Not found"}"#)) }
        if let refusal = gate.refusal(request) { return .answer(refusal) }
        return .answer(await broadcast(request, path: Array(path.dropFirst())))
    }

    /// Returns when every socket has been closed.
    func drained() async { await open.wait() }

    // MARK: - Upgrade

    private func upgrade(_ request: IncomingRequest) async -> Ending {
        guard let version = RealtimeVersion(rawValue: request.query["vsn"] ?? "") else {
            return await refuse(400, "Unsupported serializer version")
        }
        let identity: ChannelIdentity
        do throws(TokenReader.Fault) {
            identity = try self.identity(request)
        } catch {
            return await refuse(401, error.text)
        }
        guard await hub.hasRoom else { return await refuse(429, "Too many connected users") }
        do throws(WebSocketHandshake.Refusal) {
            let headers = HTTPHeaders(request.headers.map { HTTPHeaders.Field($0.name, $0.value) })
            let accept = try WebSocketHandshake.check(method: request.method, headers: headers)
            let ticket = SocketTicket(open)
            return .upgrade(accept: accept) { [self] socket in
                Task { await serve(socket, ticket, version, identity) }
            }
        } catch {
            return .answer(
                .json(
                    error.status, #"{"error":"not a WebSocket upgrade"}"#,
                    headers: [("Sec-WebSocket-Version", "13")]))
        }
    }

    private func identity(_ request: IncomingRequest) throws(TokenReader.Fault) -> ChannelIdentity {
        let key = request.query["apikey"] ?? request.header("x-api-key") ?? request.header("apikey") ?? ""
        guard !key.isEmpty else { throw TokenReader.Fault(code: "", text: "API key is missing") }
        if key.hasPrefix("sb_"), !gate.isKey(key) {
            throw TokenReader.Fault(code: "", text: "The token provided is not a valid JWT")
        }
        return try tokens.identity(key)
    }

    /// A short wait, so that a client that tries again at once is no storm.
    private func refuse(_ status: Int, _ text: String) async -> Ending {
        // Cut short by a stop, the answer is the same.
        try? await Task.sleep(for: .milliseconds(200))
        return .answer(.json(status, JSONValue.object(["error": .string(text)]).jsonText))
    }

    // MARK: - Sockets

    private func serve(
        _ socket: UpgradedSocket, _ ticket: SocketTicket, _ version: RealtimeVersion,
        _ identity: ChannelIdentity
    ) async {
        let limits = configuration.limits
        let connection = WebSocketConnection(
            acceptedSocket: socket.descriptor, initialBytes: socket.initialBytes,
            limits: WebSocketLimits(
                message: limits.frameBytes, unread: limits.frameBytes * 2, sendWait: SocketOutlet.window,
                unsent: limits.socketQueueBytes + limits.frameBytes, closeTimeout: .seconds(1)),
            executor: hub.executor,
            onClosed: {
                socket.close()
                withExtendedLifetime(ticket) {}
            })
        let outlet = SocketOutlet(connection, version: version, limit: limits.socketQueueBytes)
        guard let id = await hub.open(outlet, identity: identity) else {
            connection.enqueueClose(code: 1001, reason: "no more sockets are taken")
            for await _ in connection.events {}
            return
        }
        let idle = IdleWatch(limit: configuration.idleLimit)
        let watching = Task { [idle] in
            guard await idle.waitForSilence() else { return }
            outlet.close(code: 1001, reason: "nothing was heard")
        }
        for await event in connection.events {
            idle.heard()
            switch event {
            case .text(let text): await receive(text, outlet, id)
            case .binary(let bytes):
                // What does not parse is dropped here too.
                guard version == .two, let push = BinaryBroadcast(push: bytes) else { continue }
                await hub.receive(push, from: id)
            case .closed: break
            }
        }
        watching.cancel()
        await hub.ended(id)
    }

    private func receive(_ text: String, _ outlet: SocketOutlet, _ id: Int) async {
        // What does not parse is dropped and the connection kept.
        guard let frame = try? RealtimeFrame(text: text, version: outlet.version) else { return }
        if frame.topic == "phoenix", frame.event == "heartbeat" {
            return outlet.sendAtOnce(.reply(to: frame, ok: true))
        }
        await hub.receive(frame, from: id)
    }
}

/// Stands for one socket from the moment its upgrade is decided until it is closed.
final class SocketTicket: Sendable {
    private let open: OpenSockets

    init(_ open: OpenSockets) {
        self.open = open
        open.add()
    }

    deinit { open.remove() }
}

/// Counts sockets, so that a stop can wait for the last.
final class OpenSockets: Sendable {
    private struct State {
        var count = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func add() { state.withLock { $0.count += 1 } }

    func remove() {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.count -= 1
            guard state.count == 0 else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns when no socket is left.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isEmpty = state.withLock { state in
                if state.count > 0 { state.waiting.append(continuation) }
                return state.count == 0
            }
            if isEmpty { continuation.resume() }
        }
    }
}

/// Notices when a socket has said nothing for too long.
final class IdleWatch: Sendable {
    private let limit: Duration
    private let lastHeard = Mutex(ContinuousClock.now)

    init(limit: Duration) { self.limit = limit }

    func heard() { lastHeard.withLock { $0 = ContinuousClock.now } }

    /// Returns `true` once the limit has passed in silence, `false` when its task is cancelled before.
    func waitForSilence() async -> Bool {
        while true {
            let end = lastHeard.withLock { $0 }.advanced(by: limit)
            guard ContinuousClock.now < end else { return true }
            do { try await Task.sleep(until: end, clock: .continuous) } catch { return false }
        }
    }
}
