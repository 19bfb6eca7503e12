import SupabaseWire

/// Who is present in each room, under which key, with what.
struct Presence {
    struct Meta: Sendable, Equatable {
        let socket: Int
        let ref: String
        let payload: [String: JSONValue]
    }

    struct Diff: Sendable, Equatable {
        /// JSON of one presence under its key.
        let joins: String
        let leaves: String

        var payload: String { "{\"joins\":\(joins),\"leaves\":\(leaves)}" }
    }

    private var rooms: [Room: [String: [Meta]]] = [:]
    private var nextRef = 1

    var isEmpty: Bool { rooms.isEmpty }

    /// - Returns: What changed; `nil` when it was tracked with the same payload already.
    mutating func track(_ payload: [String: JSONValue], key: String, socket: Int, in room: Room) -> Diff? {
        let old = rooms[room]?[key]?.first { $0.socket == socket }
        guard old?.payload != payload else { return nil }
        let meta = Meta(socket: socket, ref: "P\(String(nextRef, radix: 36))", payload: payload)
        nextRef += 1
        rooms[room, default: [:]][key, default: []].removeAll { $0.socket == socket }
        rooms[room, default: [:]][key, default: []].append(meta)
        return Diff(
            joins: Self.text([key: [Self.json(meta, previous: old?.ref)]]),
            leaves: Self.text(old.map { [key: [Self.json($0, previous: nil)]] } ?? [:]))
    }

    /// - Returns: What changed; `nil` when nothing was tracked.
    mutating func untrack(key: String, socket: Int, in room: Room) -> Diff? {
        guard let old = rooms[room]?[key]?.first(where: { $0.socket == socket }) else { return nil }
        rooms[room]?[key]?.removeAll { $0.socket == socket }
        if rooms[room]?[key]?.isEmpty == true { rooms[room]?[key] = nil }
        if rooms[room]?.isEmpty == true { rooms[room] = nil }
        return Diff(joins: "{}", leaves: Self.text([key: [Self.json(old, previous: nil)]]))
    }

    /// Everybody in the room, as the state a newcomer is told.
    func state(of room: Room) -> String {
        Self.text((rooms[room] ?? [:]).mapValues { $0.map { Self.json($0, previous: nil) } })
    }

    private static func json(_ meta: Meta, previous: String?) -> JSONValue {
        var members = meta.payload
        members["phx_ref"] = .string(meta.ref)
        if let previous { members["phx_ref_prev"] = .string(previous) }
        return .object(members)
    }

    private static func text(_ presences: [String: [JSONValue]]) -> String {
        JSONValue.object(presences.mapValues { ["metas": .array($0)] }).jsonText
    }
}
