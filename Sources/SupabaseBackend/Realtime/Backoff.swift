/// How long to wait before the next try: at once, then 1 to 30 s, each times a random 0.5...1.
struct Backoff: Sendable, Equatable {
    /// A try that held for so long starts the count anew; a mere success does not.
    static let healthy = Duration.seconds(30)
    /// The least wait after the server asked for fewer tries.
    static let rateLimitFloor = Duration.seconds(30)

    private(set) var failures = 0

    /// - Parameter jitter: 0.5...1.
    mutating func next(jitter: Double, atLeast floor: Duration = .zero) -> Duration {
        let steps: [Duration] = [
            .zero, .seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(16), .seconds(30),
        ]
        let step = steps[min(failures, steps.count - 1)]
        failures += 1
        return max(step * jitter, floor)
    }

    mutating func reset() { failures = 0 }
}
