/// When to ask a silent link for a sign of life, and when to call it dead. Times are since any fixed moment.
struct Heartbeat: Sendable, Equatable {
    /// After so long without a frame in either direction a beat is due. The server's limit is 60 s.
    static let period = Duration.seconds(25)
    /// From the real write of a beat to any frame.
    static let patience = Duration.seconds(10)
    /// The same after a sleep, when the link is probably gone.
    static let wakingPatience = Duration.seconds(3)
    /// For the write itself: a full socket buffer is a sign too.
    static let writingPatience = Duration.seconds(15)

    enum Step: Equatable { case none, beat, dead }

    private struct Pending: Equatable {
        var ref: String
        var deadline: Duration
        var patience: Duration
    }

    private var lastSent: Duration
    private var lastReceived: Duration
    private var pending: Pending?
    private var isWaking = false
    private var isUrgent = false

    init(at now: Duration) {
        lastSent = now
        lastReceived = now
    }

    var deadline: Duration {
        pending?.deadline ?? (isUrgent ? lastReceived : min(lastSent, lastReceived) + Self.period)
    }

    /// Any frame counts as life.
    mutating func received(at now: Duration) {
        lastReceived = now
        pending = nil
        isUrgent = false
    }

    /// Something happened that the link may not have survived: a beat is due now, and its answer soon.
    mutating func doubted(at now: Duration) {
        guard let beat = pending else {
            isUrgent = true
            return
        }
        pending?.patience = Self.wakingPatience
        pending?.deadline = min(beat.deadline, now + Self.wakingPatience)
    }

    mutating func sent(at now: Duration) { lastSent = now }

    mutating func step(at now: Duration) -> Step {
        guard now >= deadline else { return .none }
        // Late by a whole period: the machine slept, and an answer may lie unread behind us. Ask anew.
        isWaking = isUrgent || now - deadline > Self.period
        defer { isUrgent = false }
        return pending == nil || isWaking ? .beat : .dead
    }

    mutating func beat(_ ref: String, at now: Duration) {
        let patience = isWaking ? Self.wakingPatience : Self.patience
        pending = Pending(ref: ref, deadline: now + Self.writingPatience, patience: patience)
        lastSent = now
    }

    /// The clock of the answer starts when the beat has really left.
    mutating func written(_ ref: String, at now: Duration) {
        guard let beat = pending, beat.ref == ref else { return }
        pending?.deadline = now + beat.patience
    }
}
