import Backend
import FoundationEssentials
import Models
import SupabaseWire

/// Every decision about one Realtime connection, without any clock, socket or task.
///
/// It lives as long as its socket: a closed one ends it, and nothing of it is remembered. Frames are told by
/// topic and ref; what is of an earlier join, or of a topic we do not hold, is dropped.
struct RealtimeCore: Sendable {
    enum Event: Sendable {
        case frame(RealtimeFrame)
        case change(topic: String, ChangeEvent)
        /// A change whose content is lost.
        case unreadableChange(topic: String)
        /// Something arrived that is no frame; it is a sign of life all the same.
        case noise
        /// A heartbeat has left.
        case written(ref: String)
        /// A deadline may have passed.
        case tick
        /// The link may be dead without a sign of it: ask now.
        case doubted
        /// The account has a newer token, and when to look for the next one.
        case token(String, checkAt: Duration)
        case tokenFailed(isFinal: Bool)
        /// The conversations whose channels somebody holds, all of them.
        case held(Set<UUID>)
        case typing(Bool, UUID)
        /// The socket is gone.
        case closed
    }

    enum Effect: Sendable {
        case send(RealtimeFrame)
        /// To be sent, and to be answered by `.written` when it has left.
        case beat(RealtimeFrame)
        case emit(BackendEvent)
        case deliver(ChangeEvent)
        /// Renew the token if it is time, then answer with `.token`.
        case checkToken
        /// The server refused this token: get another one, then answer with `.token` or `.tokenFailed`.
        case renewToken(String)
        case end(LinkProblem)
    }

    static let replyLimit = Duration.seconds(10)
    static let feedLimit = Duration.seconds(15)
    static let trackPause = Duration.seconds(10)

    let userID: UUID
    let inboxTopic: String
    /// 0.5...1 on each call.
    let jitter: @Sendable () -> Double
    var token: String
    var tokenCheckAt: Duration
    var channels: [String: RealtimeChannel] = [:]
    var heartbeat: Heartbeat
    /// When each conversation was last told that we are here; kept past the channel for the rate limit.
    var tracks: [UUID: Duration] = [:]
    var hasEnded = false
    private var lastRef = 0

    /// Nothing is sent before the first event; a `.tick` will do.
    /// - Parameter held: The conversations whose channels are held already.
    init(
        userID: UUID, token: String, tokenCheckAt: Duration, held: some Sequence<UUID>, at now: Duration,
        jitter: @escaping @Sendable () -> Double
    ) {
        self.userID = userID
        self.token = token
        self.tokenCheckAt = tokenCheckAt
        self.jitter = jitter
        heartbeat = Heartbeat(at: now)
        inboxTopic = RealtimeFrames.inboxTopic(userID)
        channels[inboxTopic] = RealtimeChannel(.inbox, at: now)
        for id in held { channels[RealtimeFrames.topic(id)] = RealtimeChannel(.conversation(id), at: now) }
    }

    /// When `.tick` is due at the latest; `nil` after the end.
    var deadline: Duration? {
        guard !hasEnded else { return nil }
        return channels.values.reduce(min(heartbeat.deadline, tokenCheckAt)) { min($0, $1.deadline ?? $0) }
    }

    mutating func handle(_ event: Event, at now: Duration) -> [Effect] {
        guard !hasEnded else { return [] }
        var effects: [Effect] = []
        react(to: event, now, &effects)
        if let deadline, now >= deadline { advance(now, &effects) }
        return effects
    }

    private mutating func react(to event: Event, _ now: Duration, _ effects: inout [Effect]) {
        switch event {
        case .tick: break
        case .doubted: heartbeat.doubted(at: now)
        case .frame(let frame):
            heartbeat.received(at: now)
            take(frame, now, &effects)
        case .change(let topic, let change):
            heartbeat.received(at: now)
            if topic == inboxTopic { effects.append(.deliver(change)) }
        case .unreadableChange(let topic):
            heartbeat.received(at: now)
            // Something changed: what it was, a catch-up finds.
            if topic == inboxTopic { effects.append(.emit(.live)) }
        case .noise: heartbeat.received(at: now)
        case .written(let ref): heartbeat.written(ref, at: now)
        case .token(let new, let checkAt): renewed(new, checkAt: checkAt, now, &effects)
        case .tokenFailed(let isFinal): tokenFailed(isFinal: isFinal, now, &effects)
        case .held(let ids): hold(only: ids, now, &effects)
        case .typing(let isTyping, let id): type(isTyping, id, now, &effects)
        case .closed: end(.lost, &effects)
        }
    }

    /// Does whatever is due.
    private mutating func advance(_ now: Duration, _ effects: inout [Effect]) {
        switch heartbeat.step(at: now) {
        case .none: break
        case .dead: return end(.lost, &effects)
        case .beat:
            let ref = nextRef()
            heartbeat.beat(ref, at: now)
            effects.append(.beat(RealtimeFrames.heartbeat(ref)))
            effects.append(.checkToken)
        }
        if now >= tokenCheckAt {
            tokenCheckAt = now + .seconds(30)  // until the answer says better
            effects.append(.checkToken)
        }
        for topic in topics where !hasEnded { advance(topic, now, &effects) }
    }

    // MARK: Tools of the parts

    /// In a fixed order, the inbox first: what it brings is waited for.
    var topics: [String] {
        channels.keys.sorted { ($0 == inboxTopic ? 0 : 1, $0) < ($1 == inboxTopic ? 0 : 1, $1) }
    }

    mutating func nextRef() -> String {
        lastRef += 1
        return String(lastRef)
    }

    mutating func send(_ frame: RealtimeFrame, _ now: Duration, _ effects: inout [Effect]) {
        heartbeat.sent(at: now)
        effects.append(.send(frame))
    }

    mutating func end(_ problem: LinkProblem, _ effects: inout [Effect]) {
        hasEnded = true
        effects.append(.end(problem))
    }
}
