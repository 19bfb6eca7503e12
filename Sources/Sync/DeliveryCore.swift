import Backend
import FoundationEssentials

/// When to deliver which conversation.
struct DeliveryCore: Sendable {
    private var running: Set<UUID> = []
    /// Conversations whose first operation waits until then.
    private var waiting: [UUID: Duration] = [:]
    private var backoffs: [UUID: Backoff] = [:]
    private let generator: any RandomNumberGenerator & Sendable

    init(generator: any RandomNumberGenerator & Sendable) {
        self.generator = generator
    }

    var deadline: Duration? { waiting.values.min() }
    func nextTry(in id: UUID) -> Duration? { waiting[id] }
    var isIdle: Bool { running.isEmpty && !isLooking }
    /// It is being looked up what waits.
    private var isLooking = false

    mutating func look() -> [SyncEffect] {
        isLooking = true
        return [.findWaiting]
    }

    /// A conversation that waits for its time keeps waiting: the new operation is behind the first one.
    mutating func enqueued(_ id: UUID, isLive: Bool) -> [SyncEffect] {
        guard isLive, waiting[id] == nil else { return [] }
        return start(id)
    }

    /// The link is back, or the user wants it now: no more waiting.
    mutating func wake(_ ids: [UUID]) -> [SyncEffect] {
        waiting = [:]
        isLooking = false
        return ids.flatMap { start($0) }
    }

    mutating func ended(_ id: UUID, _ end: Delivery, isLive: Bool, now: Duration) -> [SyncEffect] {
        switch end {
        case .running: return []
        case .empty:
            running.remove(id)
            backoffs[id] = nil
        case .waitForSignIn:
            running.remove(id)
        case .wait(let after, _):
            running.remove(id)
            var backoff = backoffs[id] ?? Backoff(generator: generator)
            // Even the first repeat waits: it was this operation that failed, not the link.
            let delay = backoff.next(atLeast: after ?? .milliseconds(500))
            backoffs[id] = backoff
            if isLive { waiting[id] = now + delay }
        }
        return []
    }

    mutating func tick(now: Duration, isLive: Bool) -> [SyncEffect] {
        let due = waiting.filter { $0.value <= now }.map(\.key).sorted()
        for id in due { waiting[id] = nil }
        return isLive ? due.flatMap { start($0) } : []
    }

    /// Asking while it runs is right: the outbox then looks again before it ends.
    private mutating func start(_ id: UUID) -> [SyncEffect] {
        running.insert(id)
        return [.deliver(id)]
    }
}
