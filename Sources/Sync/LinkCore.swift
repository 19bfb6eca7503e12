import Backend
import Models

/// When to try to connect, and when not to.
struct LinkCore: Sendable {
    private enum Phase: Equatable {
        case idle
        case connecting(since: Duration)
        /// The link stands since then, the change feed is not attached.
        case open(since: Duration)
        case live(since: Duration)
        case waiting
        /// Only the user can go on.
        case stopped
    }

    /// So long a link must have been healthy for the next trouble to count as the first.
    private static let health = Duration.seconds(30)
    /// A link whose feed is not attached by then is given up.
    private static let feedLimit = Duration.seconds(30)
    /// A try that is so old is begun anew when somebody wants the link at once: it may hang in a network that is
    /// gone.
    private static let promptness = Duration.seconds(2)

    /// So long after a wish for the link its end is answered at once: it was dead when the wish came.
    private static let wishHolds = Duration.seconds(3)

    private var phase = Phase.idle
    private var backoff: Backoff
    /// When somebody wanted a link that still seemed to stand, as after a sleep.
    private var wishedAt: Duration?

    init(generator: any RandomNumberGenerator & Sendable) {
        backoff = Backoff(generator: generator)
    }

    var isLive: Bool { if case .live = phase { true } else { false } }
    var isStopped: Bool { phase == .stopped }
    var hasTrouble: Bool { backoff.failures > 0 || phase == .stopped }

    var deadline: Duration? {
        if case .open(let since) = phase { since + Self.feedLimit } else { nil }
    }

    func isOverdue(now: Duration) -> Bool { deadline.map { $0 <= now } ?? false }

    mutating func handle(_ event: SyncEvent, now: Duration) -> [SyncEffect] {
        switch event {
        case .started, .retryDue, .reconnect: connect(event, now: now)
        case .linkOpened: opened(now: now)
        case .live: live(now: now)
        case .feedLost: feedLost(now: now)
        case .linkFailed(let error): ended(error.linkProblem, floor: error.retryAfter, now: now)
        case .linkEnded(let problem): ended(problem, floor: nil, now: now)
        default: []
        }
    }

    private mutating func connect(_ event: SyncEvent, now: Duration) -> [SyncEffect] {
        switch (phase, event) {
        case (.idle, .started), (.waiting, .retryDue), (.waiting, .reconnect), (.stopped, .reconnect):
            phase = .connecting(since: now)
            return [.markConnecting, .connect]
        case (.connecting(let since), .reconnect) where now - since >= Self.promptness,
            (.open(let since), .reconnect) where now - since >= Self.promptness:
            phase = .connecting(since: now)
            return [.connect]
        case (.live, .reconnect):
            wishedAt = now
            return []
        default: return []
        }
    }

    private mutating func opened(now: Duration) -> [SyncEffect] {
        if case .connecting = phase { phase = .open(since: now) }
        return []
    }

    private mutating func live(now: Duration) -> [SyncEffect] {
        if !isLive { phase = .live(since: now) }
        return [.markConnected]
    }

    private mutating func feedLost(now: Duration) -> [SyncEffect] {
        guard case .live(let since) = phase else { return [] }
        if now - since >= Self.health { backoff.reset() }
        phase = .open(since: now)
        return [.markConnecting]
    }

    private mutating func ended(_ problem: LinkProblem, floor: Duration?, now: Duration) -> [SyncEffect] {
        if case .live(let since) = phase, now - since >= Self.health { backoff.reset() }
        guard phase != .stopped, phase != .waiting, phase != .idle else { return [] }
        guard problem.isTransient else {
            phase = .stopped
            let told: [SyncEffect] = problem == .signedOut ? [.tellSignedOut] : []
            return [.markDisconnected(problem, attempt: backoff.failures)] + told
        }
        phase = .waiting
        let isWished = floor == nil && wishedAt.map { now - $0 <= Self.wishHolds } ?? false
        wishedAt = nil
        let next = backoff.next(atLeast: max(floor ?? .zero, problem.pace ?? .zero))
        let delay = isWished ? .zero : next
        return [.markDisconnected(problem, attempt: backoff.failures), .reconnect(after: delay)]
    }
}

extension BackendError {
    /// What a failed try to connect means for the link.
    var linkProblem: LinkProblem {
        switch self {
        case .offline(let problem): problem
        case .timedOut: .lost
        case .busy: .serverUnavailable
        case .signedOut: .signedOut
        case .localFile, .unexpected: .intercepted
        case .notFound, .notAllowed, .taken, .invalid, .unsupported: .refused
        }
    }

    /// How long the service asked to wait.
    var retryAfter: Duration? {
        if case .busy(let delay) = self { delay } else { nil }
    }
}
