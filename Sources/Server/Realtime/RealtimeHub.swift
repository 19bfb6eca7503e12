import Diagnostics
import Networking
import SupabaseWire

/// All sockets, their channels, and who hears what.
///
/// One actor, so that a change reaches every channel in commit order and a join sees everything before or after
/// it whole. It keeps nothing on disk: a socket that ends takes its channels, presences and queue with it. It runs
/// on the queue of the sockets: what it sends leaves on the same thread, without another having to wake up first.
actor RealtimeHub {
    /// Sockets are small work and never block: one queue serves all.
    nonisolated let executor = QueueExecutor("pingline.server.sockets")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    struct Socket {
        let outlet: SocketOutlet
        /// The identity of channels that bring no token.
        let identity: ChannelIdentity
        var channels: [String: Channel] = [:]
        var messages: RateBucket
        /// Sleeps until the next thing that time alone brings.
        var watch: Task<Void, Never>?
        var watchedUntil = Int64.max
    }

    struct Listener: Hashable {
        let socket: Int
        let topic: String
    }

    let configuration: ServerConfiguration
    let database: Database
    let tokens: TokenReader
    var sockets: [Int: Socket] = [:]
    var presence = Presence()
    /// The channels of each room.
    var rooms: [Room: Set<Listener>] = [:]
    /// The channels with bindings, by the user they speak for: a change is looked up by those who may see it.
    /// Nobody who is not signed in sees any.
    private(set) var listeners: [String: Set<Listener>] = [:]
    var joins: RateBucket
    /// How often somebody was put out of a conversation's channels.
    var evictions = 0
    private var nextSocket = 1
    private var isStopped = false

    init(configuration: ServerConfiguration, database: Database, tokens: TokenReader) {
        self.configuration = configuration
        self.database = database
        self.tokens = tokens
        joins = RateBucket(perSecond: configuration.limits.joinsPerSecond, now: configuration.now())
    }

    /// Announces changes until their stream ends.
    func announce(_ changes: AsyncStream<[RowChange]>) async {
        for await commit in changes {
            for change in commit { announce(change) }
        }
    }

    // MARK: - Sockets

    /// - Returns: The socket's number, or `nil` when no more are taken.
    func open(_ outlet: SocketOutlet, identity: ChannelIdentity) -> Int? {
        guard !isStopped, sockets.count < configuration.limits.sockets else { return nil }
        let id = nextSocket
        nextSocket += 1
        let messages = RateBucket(
            perSecond: configuration.limits.messagesPerSecond, now: configuration.now())
        sockets[id] = Socket(outlet: outlet, identity: identity, messages: messages)
        return id
    }

    var hasRoom: Bool { !isStopped && sockets.count < configuration.limits.sockets }

    /// The socket has ended, however it did.
    func ended(_ id: Int) {
        guard let socket = sockets[id] else { return }
        for topic in socket.channels.keys { remove(topic, of: id) }
        sockets[id]?.watch?.cancel()
        sockets[id] = nil
    }

    /// Closes every socket with 1001; they end when their peers have answered.
    func stop() {
        isStopped = true
        for socket in sockets.values {
            socket.watch?.cancel()
            socket.outlet.close(code: 1001, reason: "the server is going away")
        }
    }

    var counts: (sockets: Int, channels: Int, queue: Int) {
        (
            sockets.count, sockets.values.reduce(0) { $0 + $1.channels.count },
            sockets.values.reduce(0) { $0 + $1.outlet.queuedBytes }
        )
    }

    // MARK: - Messages of a socket

    func receive(_ frame: RealtimeFrame, from id: Int) async {
        guard let socket = sockets[id] else { return }
        if frame.event == "phx_join" { return await join(frame, from: id) }
        guard let channel = socket.channels[frame.topic] else {
            let reply =
                frame.event == "phx_leave"
                ? OutgoingFrame.reply(to: frame, ok: true) : .refusal(of: frame, "unmatched topic")
            return socket.outlet.send(reply)
        }
        // Of an earlier join of the topic: its channel is gone.
        if let joinRef = frame.joinRef, joinRef != channel.joinRef { return }
        switch frame.event {
        case "phx_leave": leave(frame, channel, of: id)
        case "access_token": await renew(frame, channel, of: id)
        case "broadcast": broadcast(frame, channel, from: id)
        case "presence": track(frame, channel, from: id)
        default: break
        }
    }

    // MARK: - Channels

    func add(_ channel: Channel, to id: Int) {
        let listener = Listener(socket: id, topic: channel.topic)
        sockets[id]?.channels[channel.topic] = channel
        rooms[channel.room, default: []].insert(listener)
        listen(channel, listener)
        watch(id)
    }

    private func listen(_ channel: Channel, _ listener: Listener) {
        guard !channel.bindings.isEmpty, let user = channel.identity.caller.userID else { return }
        listeners[user, default: []].insert(listener)
    }

    private func stopListening(_ channel: Channel, _ listener: Listener) {
        guard let user = channel.identity.caller.userID else { return }
        listeners[user]?.remove(listener)
        if listeners[user]?.isEmpty == true { listeners[user] = nil }
    }

    /// A joined channel speaks for somebody else, or for longer, from now on.
    func identify(_ channel: Channel, as identity: ChannelIdentity, of id: Int) {
        let listener = Listener(socket: id, topic: channel.topic)
        stopListening(channel, listener)
        sockets[id]?.channels[channel.topic]?.identity = identity
        if let known = sockets[id]?.channels[channel.topic] { listen(known, listener) }
        watch(id)
    }

    /// Takes a channel out of everything that knows it.
    func remove(_ topic: String, of id: Int) {
        guard let channel = sockets[id]?.channels.removeValue(forKey: topic) else { return }
        let listener = Listener(socket: id, topic: topic)
        stopListening(channel, listener)
        rooms[channel.room]?.remove(listener)
        if rooms[channel.room]?.isEmpty == true { rooms[channel.room] = nil }
        if let diff = presence.untrack(key: channel.presenceKey, socket: id, in: channel.room) {
            send(diff, to: channel.room)
        }
    }

    /// Ends a channel in good order.
    func close(_ channel: Channel, of id: Int) {
        remove(channel.topic, of: id)
        sockets[id]?.outlet.send(
            OutgoingFrame(
                joinRef: channel.joinRef, ref: channel.joinRef, topic: channel.topic, event: "phx_close",
                payload: "{}"))
    }

    /// Ends a channel for a reason its client is told.
    func end(_ channel: Channel, of id: Int, _ reason: String) {
        guard let outlet = sockets[id]?.outlet,
            sockets[id]?.channels[channel.topic]?.joinRef == channel.joinRef
        else { return }
        system(channel, outlet, "system", isOK: false, reason)
        close(channel, of: id)
    }

    func system(_ channel: Channel, _ outlet: SocketOutlet, _ kind: String, isOK: Bool, _ message: String) {
        let payload: JSONValue = [
            "channel": .string(channel.subTopic), "extension": .string(kind),
            "status": isOK ? "ok" : "error", "message": .string(message),
        ]
        outlet.send(
            OutgoingFrame(
                joinRef: channel.joinRef, ref: nil, topic: channel.topic, event: "system",
                payload: payload.jsonText))
    }

    static let subscribed = "Subscribed to PostgreSQL"

    static func permission(_ channel: Channel) -> String {
        "You do not have permissions to read from this Channel topic: \(channel.subTopic)"
    }

    static func unauthorized(_ channel: Channel) -> String {
        "Unauthorized: " + permission(channel)
    }

    /// Puts out of a conversation's own channels whoever has left it.
    func evict(_ user: String, from conversation: String) {
        evictions += 1
        for (room, members) in rooms where room.isPrivate && room.conversationID == conversation {
            for member in members {
                guard let channel = sockets[member.socket]?.channels[member.topic],
                    channel.identity.caller.userID == user
                else { continue }
                end(channel, of: member.socket, Self.permission(channel))
            }
        }
    }
}
