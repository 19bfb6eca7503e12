import SupabaseWire

/// What a join asks for. Lenient: any part may be missing or null, and flags may come as text.
struct JoinRequest: Sendable {
    var isPrivate: Bool
    var broadcastsToSelf: Bool
    var acknowledgesBroadcasts: Bool
    var hasPresence: Bool
    /// Empty: the server chooses one.
    var presenceKey: String
    /// As they came.
    var bindings: [JSONValue]
    var accessToken: String?

    init(_ payload: JSONValue) {
        let config = payload["config"]
        let presence = config?["presence"]
        isPrivate = Self.flag(config?["private"]) ?? false
        broadcastsToSelf = Self.flag(config?["broadcast"]?["self"]) ?? false
        acknowledgesBroadcasts = Self.flag(config?["broadcast"]?["ack"]) ?? false
        hasPresence = presence?.object != nil && Self.flag(presence?["enabled"]) ?? true
        presenceKey = presence?["key"]?.string ?? ""
        bindings = config?["postgres_changes"]?.array ?? []
        accessToken = payload["access_token"]?.string
    }

    private static func flag(_ value: JSONValue?) -> Bool? {
        switch value {
        case .bool(let flag): flag
        case .string(let text):
            text.lowercased() == "true" ? true : text.lowercased() == "false" ? false : nil
        default: nil
        }
    }
}

/// One joined channel of one socket.
struct Channel: Sendable {
    /// With `realtime:` in front.
    let topic: String
    let joinRef: String?
    let isPrivate: Bool
    let broadcastsToSelf: Bool
    let acknowledgesBroadcasts: Bool
    let presenceKey: String
    var hasPresence: Bool
    var identity: ChannelIdentity
    var bindings: [ChangeBinding] = []
    /// When presence was called, in microseconds since 1970, as far as the limit looks back.
    var presenceCalls: [Int64] = []

    init(_ frame: RealtimeFrame, _ request: JoinRequest, _ identity: ChannelIdentity) {
        topic = frame.topic
        joinRef = frame.joinRef ?? frame.ref
        isPrivate = request.isPrivate
        broadcastsToSelf = request.broadcastsToSelf
        acknowledgesBroadcasts = request.acknowledgesBroadcasts
        hasPresence = request.hasPresence
        presenceKey = request.presenceKey.isEmpty ? UUIDText.random() : request.presenceKey
        self.identity = identity
    }

    /// The topic as other services name it.
    var subTopic: String { String(topic.dropFirst(Self.prefix.count)) }

    /// Channels of one room hear each other. A private and a public one of the same name are two rooms.
    var room: Room { Room(topic: topic, isPrivate: isPrivate) }

    static let prefix = "realtime:"
}

struct Room: Hashable, Sendable {
    let topic: String
    let isPrivate: Bool

    /// The conversation whose members may enter, if it is one's own channel.
    var conversationID: String? {
        let parts = topic.dropFirst(Channel.prefix.count).split(
            separator: ":", omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[0] == "conversation" else { return nil }
        return UUIDText.canonical(String(parts[1]))
    }
}

/// Who a channel speaks for, and how long its token lets it.
struct ChannelIdentity: Sendable, Equatable {
    var caller: Caller
    /// The token it was made from; `nil` for the project's key.
    var token: String?
    /// Seconds since 1970; `nil` without end.
    var expiresAt: Int64?

    static let anonymous = ChannelIdentity(caller: .anonymous, token: nil, expiresAt: nil)
}

/// Reads the tokens of sockets and channels. Unlike the REST door it allows the clock nothing.
struct TokenReader: Sendable {
    let gate: Gate
    let now: @Sendable () -> Int64

    /// What is wrong with a token, in the words clients know.
    struct Fault: Error, Equatable {
        /// The code before the colon, in join errors only.
        let code: String
        let text: String
        var reason: String { "\(code): \(text)" }
    }

    /// - Parameter token: The project's key, or nothing, is the anonymous identity.
    func identity(_ token: String?) throws(Fault) -> ChannelIdentity {
        guard let token, !token.isEmpty, !gate.isKey(token), !token.hasPrefix("sb_") else {
            return .anonymous
        }
        let claims: Claims
        do { claims = try gate.signer.verify(token) } catch {
            switch error {
            case .malformed:
                throw Fault(code: "MalformedJWT", text: "The token provided is not a valid JWT")
            case .signature: throw Fault(code: "JwtSignatureError", text: "Failed to validate JWT signature")
            }
        }
        guard let end = claims.expiresAt, let caller = Caller(claims) else {
            throw Fault(code: "InvalidJWTToken", text: "Fields `role` and `exp` are required in JWT")
        }
        let late = now() / 1_000_000 - end
        guard late < 0 else { throw Self.expired(late) }
        return ChannelIdentity(caller: caller, token: token, expiresAt: end)
    }

    static func expired(_ seconds: Int64) -> Fault {
        Fault(code: "InvalidJWTToken", text: "Token has expired \(max(0, seconds)) seconds ago")
    }
}
