import SupabaseWire

/// Changes, broadcasts and presence on their way to those who may have them.
extension RealtimeHub {
    /// Sends one change to every channel whose bindings want it and whose user may see the row.
    func announce(_ change: RowChange) {
        var frames = ChangeFrames(change)
        switch change.audience {
        case .everySignedInUser: for user in listeners.values { announce(change, to: user, &frames) }
        case .users(let users):
            for user in users { announce(change, to: listeners[user] ?? [], &frames) }
        }
        if change.row.table == .conversationMembers, !change.row.isNull("left_at"),
            let user = change.row.text("user_id"), let conversation = change.row.text("conversation_id")
        {
            evict(user, from: conversation)
        }
    }

    private func announce(_ change: RowChange, to listeners: Set<Listener>, _ frames: inout ChangeFrames) {
        for listener in listeners {
            guard let socket = sockets[listener.socket], let channel = socket.channels[listener.topic] else {
                continue
            }
            let wanting = channel.bindings.filter { $0.wants(change) }
            guard !wanting.isEmpty else { continue }
            socket.outlet.send(frames.message(on: channel.topic, wanting, socket.outlet.version))
        }
    }

    // MARK: - Broadcast

    func broadcast(_ frame: RealtimeFrame, _ channel: Channel, from id: Int) {
        let payload = frame.payload.jsonText
        guard takesBroadcast(of: payload.utf8.count, frame, channel, from: id) else { return }
        let sender = channel.broadcastsToSelf ? nil : Listener(socket: id, topic: channel.topic)
        deliver(
            OutgoingFrame(topic: channel.topic, event: "broadcast", payload: payload), to: channel.room,
            except: sender)
        if channel.acknowledgesBroadcasts { sockets[id]?.outlet.send(.reply(to: frame, ok: true)) }
    }

    /// A binary broadcast goes on as it is to receivers of version 2, and as text to those of version 1.
    func receive(_ push: BinaryBroadcast, from id: Int) {
        let frame = RealtimeFrame(joinRef: push.joinRef, ref: push.ref, topic: push.topic, event: "broadcast")
        guard let channel = sockets[id]?.channels[push.topic] else {
            sockets[id]?.outlet.send(.refusal(of: frame, "unmatched topic"))
            return
        }
        if let joinRef = push.joinRef, joinRef != channel.joinRef { return }
        guard takesBroadcast(of: push.payload.count, frame, channel, from: id) else { return }
        let sender = channel.broadcastsToSelf ? nil : Listener(socket: id, topic: channel.topic)
        deliver(push, to: channel.room, except: sender)
        guard channel.acknowledgesBroadcasts, push.ref != nil else { return }
        sockets[id]?.outlet.send(.reply(to: frame, ok: true))
    }

    func deliver(_ push: BinaryBroadcast, to room: Room, except sender: Listener? = nil) {
        let binary = OutgoingMessage.binary(push.delivered)
        let text = push.textPayload.map {
            OutgoingFrame(topic: push.topic, event: "broadcast", payload: $0).text(.one)
        }
        for listener in rooms[room] ?? [] where listener != sender {
            guard let outlet = sockets[listener.socket]?.outlet else { continue }
            switch outlet.version {
            case .one: if let text { outlet.send(.text(text)) }
            case .two: outlet.send(binary)
            }
        }
    }

    /// A message to a room from outside of any channel.
    func deliver(_ frame: OutgoingFrame, to room: Room, except sender: Listener? = nil) {
        var texts: [RealtimeVersion: String] = [:]
        for listener in rooms[room] ?? [] where listener != sender {
            guard let outlet = sockets[listener.socket]?.outlet else { continue }
            let text = texts[outlet.version] ?? frame.text(outlet.version)
            texts[outlet.version] = text
            outlet.send(.text(text))
        }
    }

    /// Whether a broadcast is small enough and not one too many.
    private func takesBroadcast(
        of bytes: Int, _ frame: RealtimeFrame, _ channel: Channel, from id: Int
    ) -> Bool {
        guard bytes <= configuration.limits.broadcastBytes else {
            if channel.acknowledgesBroadcasts {
                sockets[id]?.outlet.send(.reply(to: frame, ok: false, "\"payload_size_exceeded\""))
            }
            return false
        }
        return takesMessage(channel, from: id)
    }

    private func takesMessage(_ channel: Channel, from id: Int) -> Bool {
        guard sockets[id]?.messages.take(now: configuration.now()) == true else {
            end(channel, of: id, "Too many messages per second")
            return false
        }
        return true
    }

    // MARK: - Presence

    func track(_ frame: RealtimeFrame, _ channel: Channel, from id: Int) {
        guard takesPresence(channel, from: id), let outlet = sockets[id]?.outlet else { return }
        switch frame.payload["event"]?.string?.lowercased() {
        case "track":
            guard let payload = frame.payload["payload"]?.object else {
                return outlet.send(.refusal(of: frame, "Presence track payload must be a map"))
            }
            guard frame.payload.jsonText.utf8.count <= configuration.limits.presenceBytes else {
                return end(channel, of: id, "Track message size exceeded")
            }
            if !channel.hasPresence {
                sockets[id]?.channels[channel.topic]?.hasPresence = true
                sendState(to: channel, outlet)
            }
            let diff = presence.track(payload, key: channel.presenceKey, socket: id, in: channel.room)
            outlet.send(.reply(to: frame, ok: true))
            if let diff { send(diff, to: channel.room) }
        case "untrack":
            let diff = presence.untrack(key: channel.presenceKey, socket: id, in: channel.room)
            outlet.send(.reply(to: frame, ok: true))
            if let diff { send(diff, to: channel.room) }
        default: outlet.send(.refusal(of: frame, "unknown presence event"))
        }
    }

    private func takesPresence(_ channel: Channel, from id: Int) -> Bool {
        let now = configuration.now()
        let recent = channel.presenceCalls.filter { $0 > now - 30_000_000 && $0 <= now }
        guard recent.count < configuration.limits.presenceCalls else {
            end(channel, of: id, "Client presence rate limit exceeded")
            return false
        }
        sockets[id]?.channels[channel.topic]?.presenceCalls = recent + [now]
        return true
    }

    func sendState(to channel: Channel, _ outlet: SocketOutlet) {
        outlet.send(
            OutgoingFrame(
                joinRef: channel.joinRef, topic: channel.topic, event: "presence_state",
                payload: presence.state(of: channel.room)))
    }

    func send(_ diff: Presence.Diff, to room: Room) {
        let frame = OutgoingFrame(topic: room.topic, event: "presence_diff", payload: diff.payload)
        for listener in rooms[room] ?? [] {
            guard let socket = sockets[listener.socket], socket.channels[listener.topic]?.hasPresence == true
            else { continue }
            socket.outlet.send(frame)
        }
    }

    // MARK: - Time

    /// Sees to it that the first token to expire ends its channel in time.
    func watch(_ id: Int) {
        guard let socket = sockets[id] else { return }
        let next = socket.channels.values.compactMap(\.identity.expiresAt).min()
        guard let next, next < socket.watchedUntil else { return }
        socket.watch?.cancel()
        sockets[id]?.watchedUntil = next
        let wait = max(0, next * 1_000_000 - configuration.now())
        sockets[id]?.watch = Task { [weak self] in
            do { try await Task.sleep(for: .microseconds(wait)) } catch { return }
            await self?.endExpired(of: id)
        }
    }

    private func endExpired(of id: Int) {
        guard let socket = sockets[id] else { return }
        sockets[id]?.watchedUntil = .max
        let now = configuration.now() / 1_000_000
        for channel in socket.channels.values {
            guard let end = channel.identity.expiresAt, end <= now else { continue }
            self.end(channel, of: id, TokenReader.expired(now - end).text)
        }
        watch(id)
    }
}
