/// Lets so many things happen a second on average, and ten seconds' worth at once.
struct RateBucket: Sendable {
    private static let burstSeconds = 10.0
    private let perSecond: Double
    private var level: Double
    private var filledAt: Int64

    /// - Parameter now: Microseconds.
    init(perSecond: Int, now: Int64) {
        self.perSecond = Double(perSecond)
        level = Double(perSecond) * Self.burstSeconds
        filledAt = now
    }

    /// Whether one more may happen now.
    mutating func take(now: Int64) -> Bool {
        // A clock that steps back fills nothing, and takes nothing away.
        let elapsed = Double(max(0, now - filledAt)) / 1_000_000
        level = min(perSecond * Self.burstSeconds, level + elapsed * perSecond)
        filledAt = now
        guard level >= 1 else { return false }
        level -= 1
        return true
    }
}
