import Diagnostics
import Networking
import SupabaseWire

/// All sockets, their channels, and who hears what.
///
/// One actor, so that a change reaches every channel in commit order and a join sees everything before or after
/// it whole. It keeps nothing on disk: a socket that ends takes its channels, presences and queue with it.
actor RealtimeHub {
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
    /// The channels with bindings.
    var listeners: Set<Listener> = []
    private var joins: RateBucket
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

    private func join(_ frame: RealtimeFrame, from id: Int) async {
        guard let socket = sockets[id] else { return }
        guard joins.take(now: configuration.now()) else {
            socket.outlet.send(
                .refusal(of: frame, "ClientJoinRateLimitReached: Too many joins per second"))
            return socket.outlet.close(code: 1001, reason: "too many joins")
        }
        if let reason = refusal(of: frame, socket) { return socket.outlet.send(.refusal(of: frame, reason)) }
        let request = JoinRequest(frame.payload)
        let identity: ChannelIdentity
        do {
            let own = try tokens.identity(request.accessToken)
            identity = own.token == nil ? socket.identity : own
        } catch {
            return socket.outlet.send(.refusal(of: frame, error.reason))
        }
        var channel = Channel(frame, request, identity)
        guard await mayEnter(channel.room, identity.caller) else {
            return sockets[id]?.outlet.send(.refusal(of: frame, Self.unauthorized(channel)))
                ?? ()
        }
        // The socket may have ended meanwhile, and nothing of it may come back.
        guard sockets[id] != nil else { return }
        if let old = sockets[id]?.channels[frame.topic] { close(old, of: id) }
        let failure = bind(&channel, request.bindings)
        add(channel, to: id)
        reply(to: frame, channel, request.bindings, failure, of: id)
    }

    private func refusal(of frame: RealtimeFrame, _ socket: Socket) -> String? {
        guard frame.topic.hasPrefix(Channel.prefix) else { return "unmatched topic" }
        guard frame.topic.count > Channel.prefix.count else {
            return "TopicNameRequired: You must provide a topic name"
        }
        guard
            socket.channels[frame.topic] != nil
                || socket.channels.count < configuration.limits.channelsPerSocket
        else { return "ChannelRateLimitReached: Too many channels" }
        return nil
    }

    /// - Returns: Why the bindings cannot be served; then none of them is.
    private func bind(_ channel: inout Channel, _ entries: [JSONValue]) -> String? {
        var bindings: [ChangeBinding] = []
        for entry in entries {
            do throws(Refusal) { bindings.append(try ChangeBinding(entry)) } catch { return error.message }
        }
        channel.bindings = bindings
        return nil
    }

    private func reply(
        to frame: RealtimeFrame, _ channel: Channel, _ entries: [JSONValue], _ failure: String?, of id: Int
    ) {
        guard let outlet = sockets[id]?.outlet else { return }
        let echoed = entries.map { entry -> JSONValue in
            var members = entry.object ?? [:]
            members["id"] = .integer(Int64(ChangeBinding.id(of: entry)))
            return .object(members)
        }
        outlet.send(
            .reply(to: frame, ok: true, JSONValue.object(["postgres_changes": .array(echoed)]).jsonText))
        if channel.hasPresence { sendState(to: channel, outlet) }
        if let failure {
            system(channel, outlet, "postgres_changes", isOK: false, failure)
        } else if !channel.bindings.isEmpty {
            system(channel, outlet, "postgres_changes", isOK: true, Self.subscribed)
        }
    }

    private func leave(_ frame: RealtimeFrame, _ channel: Channel, of id: Int) {
        sockets[id]?.outlet.send(.reply(to: frame, ok: true))
        close(channel, of: id)
    }

    /// A channel's new token: its policies and feed are worked out again.
    private func renew(_ frame: RealtimeFrame, _ channel: Channel, of id: Int) async {
        guard let token = frame.payload["access_token"]?.string, token != channel.identity.token else {
            return
        }
        let identity: ChannelIdentity
        do { identity = try tokens.identity(token) } catch { return end(channel, of: id, error.text) }
        guard identity.token != nil else { return }
        guard await mayEnter(channel.room, identity.caller) else {
            return end(channel, of: id, Self.permission(channel))
        }
        guard var current = sockets[id]?.channels[channel.topic], current.joinRef == channel.joinRef else {
            return
        }
        current.identity = identity
        sockets[id]?.channels[channel.topic] = current
        watch(id)
        guard !current.bindings.isEmpty, let outlet = sockets[id]?.outlet else { return }
        system(current, outlet, "postgres_changes", isOK: true, Self.subscribed)
    }

    /// Private rooms are for the members of their conversation; others are open.
    func mayEnter(_ room: Room, _ caller: Caller) async -> Bool {
        guard room.isPrivate else { return true }
        guard let user = caller.userID, let conversation = room.conversationID else { return false }
        do {
            return try await database.read { session throws(Refusal) in
                try session.isMember(user, of: conversation)
            }
        } catch { return false }
    }

    // MARK: - Channels

    private func add(_ channel: Channel, to id: Int) {
        let listener = Listener(socket: id, topic: channel.topic)
        sockets[id]?.channels[channel.topic] = channel
        rooms[channel.room, default: []].insert(listener)
        if !channel.bindings.isEmpty { listeners.insert(listener) }
        watch(id)
    }

    /// Takes a channel out of everything that knows it.
    func remove(_ topic: String, of id: Int) {
        guard let channel = sockets[id]?.channels.removeValue(forKey: topic) else { return }
        let listener = Listener(socket: id, topic: topic)
        listeners.remove(listener)
        rooms[channel.room]?.remove(listener)
        if rooms[channel.room]?.isEmpty == true { rooms[channel.room] = nil }
        if let diff = presence.untrack(key: channel.presenceKey, socket: id, in: channel.room) {
            send(diff, to: channel.room)
        }
    }

    /// Ends a channel in good order.
    private func close(_ channel: Channel, of id: Int) {
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

    private static func permission(_ channel: Channel) -> String {
        "You do not have permissions to read from this Channel topic: \(channel.subTopic)"
    }

    private static func unauthorized(_ channel: Channel) -> String {
        "Unauthorized: " + permission(channel)
    }

    /// Puts out of a conversation's own channels whoever has left it.
    func evict(_ user: String, from conversation: String) {
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
