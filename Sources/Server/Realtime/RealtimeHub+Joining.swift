import SupabaseWire

/// How channels are joined, left, and carried over to a new token.
extension RealtimeHub {
    func join(_ frame: RealtimeFrame, from id: Int) async {
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
            sockets[id]?.outlet.send(.refusal(of: frame, Self.unauthorized(channel)))
            return
        }
        // The socket may have ended meanwhile, and nothing of it may come back.
        guard sockets[id] != nil else { return }
        if let old = sockets[id]?.channels[frame.topic] { close(old, of: id) }
        let failure = bind(&channel, request.bindings)
        add(channel, to: id)
        reply(to: frame, channel, request.bindings, failure, of: id)
    }

    private func refusal(of frame: RealtimeFrame, _ socket: Socket) -> String? {
        guard frame.topic.hasPrefix(Channel.prefix),
            frame.topic.utf8.count <= configuration.limits.topicBytes
        else { return "unmatched topic" }
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
        guard entries.count <= configuration.limits.bindingsPerChannel else { return "Too many bindings" }
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

    func leave(_ frame: RealtimeFrame, _ channel: Channel, of id: Int) {
        sockets[id]?.outlet.send(.reply(to: frame, ok: true))
        close(channel, of: id)
    }

    /// A channel's new token: its policies and feed are worked out again.
    func renew(_ frame: RealtimeFrame, _ channel: Channel, of id: Int) async {
        guard let token = frame.payload["access_token"]?.string, token != channel.identity.token else {
            return
        }
        let identity: ChannelIdentity
        do { identity = try tokens.identity(token) } catch { return end(channel, of: id, error.text) }
        guard identity.token != nil else { return }
        guard await mayEnter(channel.room, identity.caller) else {
            return end(channel, of: id, Self.permission(channel))
        }
        guard let current = sockets[id]?.channels[channel.topic], current.joinRef == channel.joinRef else {
            return
        }
        identify(current, as: identity, of: id)
        guard !current.bindings.isEmpty, let outlet = sockets[id]?.outlet else { return }
        system(current, outlet, "postgres_changes", isOK: true, Self.subscribed)
    }

    /// Private rooms are for the members of their conversation; others are open.
    func mayEnter(_ room: Room, _ caller: Caller) async -> Bool {
        guard room.isPrivate else { return true }
        guard let user = caller.userID, let conversation = room.conversationID else { return false }
        while true {
            let before = evictions
            let isMember: Bool
            do {
                isMember = try await database.read { session throws(Refusal) in
                    try session.isMember(user, of: conversation)
                }
            } catch { return false }
            // Somebody was put out while we asked: it may have been this one, and found no channel yet.
            if before == evictions { return isMember }
        }
    }
}
