/// How long to wait before the next try.
///
/// The first retry comes at once; then 1, 2, 4, 8, 16 and 30 seconds, each times a random 0.5...1 so that the
/// clients of a server that comes back do not all call in the same second; for ever.
package struct Backoff: Sendable {
    /// The most that is waited, whatever the server asks for: a slip in a header must not be the end.
    package static let longest = Duration.seconds(3_600)

    /// Tries that failed since the last success that lasted.
    package private(set) var failures = 0
    private var generator: any RandomNumberGenerator & Sendable

    package init(generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()) {
        self.generator = generator
    }

    /// Counts a failure.
    /// - Parameter floor: What the server asked for; never less than that is waited, up to `longest`.
    package mutating func next(atLeast floor: Duration = .zero) -> Duration {
        failures += 1
        let floor = min(floor, Self.longest)
        guard failures > 1 else { return floor }
        let seconds = failures - 2 < 5 ? Double(1 << (failures - 2)) : 30
        return max(.milliseconds(Int64(seconds * 1_000 * factor())), floor)
    }

    package mutating func reset() { failures = 0 }

    private mutating func factor() -> Double {
        func draw(_ generator: inout some RandomNumberGenerator) -> Double {
            Double.random(in: 0.5...1, using: &generator)
        }
        return draw(&generator)
    }
}
