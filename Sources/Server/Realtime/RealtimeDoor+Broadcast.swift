import SupabaseWire

/// Broadcasts from outside of any socket.
extension RealtimeDoor {
    /// - Parameter path: What follows `/realtime/v1/api`.
    func broadcast(_ request: IncomingRequest, path: [String]) async -> Answer {
        guard request.method == "POST" else { return .json(405, #"{"message":"Method not allowed"}"#) }
        let caller: Caller
        do { caller = try tokens.identity(request.bearer).caller } catch {
            return .json(401, #"{"message":"Unauthorized"}"#)
        }
        if path == ["broadcast"] { return await broadcastAll(request, caller) }
        guard path.count == 4, path[0] == "broadcast", path[2] == "events" else {
            return .json(404, #"{"message":"Not found"}"#)
        }
        let room = Room(topic: Channel.prefix + path[1], isPrivate: request.query["private"] == "true")
        if request.header("content-type")?.lowercased().hasPrefix("application/octet-stream") == true {
            guard let push = BinaryBroadcast(raw: request.body, topic: room.topic, event: path[3]) else {
                return Self.unprocessable("topic", "is too long")
            }
            await hub.broadcast(push, to: room, from: caller)
            return Answer(202)
        }
        // Whatever is no JSON is refused.
        guard let payload = try? WireCoding.decode(JSONValue.self, from: request.body) else {
            return Self.unprocessable("payload", "is invalid")
        }
        await send(path[3], payload, to: room, caller)
        return Answer(202)
    }

    private func broadcastAll(_ request: IncomingRequest, _ caller: Caller) async -> Answer {
        // Whatever is no JSON has no messages.
        let body = try? WireCoding.decode(JSONValue.self, from: request.body)
        guard let messages = body?["messages"]?.array else {
            return Self.unprocessable("messages", "can't be blank")
        }
        for message in messages {
            for key in ["topic", "event", "payload"] where message[key]?.isNull ?? true {
                return Self.unprocessable(key, "can't be blank")
            }
        }
        for message in messages {
            guard let topic = message["topic"]?.string, let event = message["event"]?.string else {
                return Self.unprocessable("topic", "is invalid")
            }
            let room = Room(topic: Channel.prefix + topic, isPrivate: message["private"]?.bool ?? false)
            await send(event, message["payload"] ?? .null, to: room, caller)
        }
        return Answer(202)
    }

    /// Who may not write to a private room is not told so; the message is dropped.
    private func send(_ event: String, _ payload: JSONValue, to room: Room, _ caller: Caller) async {
        let whole: JSONValue = ["type": "broadcast", "event": .string(event), "payload": payload]
        await hub.broadcast(whole.jsonText, to: room, from: caller)
    }

    private static func unprocessable(_ key: String, _ problem: String) -> Answer {
        let errors: JSONValue = ["errors": .object([key: [.string(problem)]])]
        return .json(422, errors.jsonText)
    }
}

extension RealtimeHub {
    /// A broadcast of somebody who is not in the room.
    func broadcast(_ payload: String, to room: Room, from caller: Caller) async {
        guard payload.utf8.count <= configuration.limits.broadcastBytes, await mayEnter(room, caller) else {
            return
        }
        deliver(OutgoingFrame(topic: room.topic, event: "broadcast", payload: payload), to: room)
    }

    func broadcast(_ push: BinaryBroadcast, to room: Room, from caller: Caller) async {
        guard push.payload.count <= configuration.limits.broadcastBytes, await mayEnter(room, caller) else {
            return
        }
        deliver(push, to: room)
    }
}
