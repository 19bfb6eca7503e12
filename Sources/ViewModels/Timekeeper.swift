import FoundationEssentials

/// Time as the view models see it: passed in, so that a test decides when a second is over.
package struct Timekeeper: Sendable {
    /// The time of day now.
    package let now: @Sendable () -> Date
    /// Returns after the duration; throws when the task was cancelled before.
    package let sleep: @Sendable (Duration) async throws -> Void

    package init(
        now: @escaping @Sendable () -> Date, sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }

    /// The machine's clock.
    package static let system = Timekeeper(now: { Date() }, sleep: { try await Task.sleep(for: $0) })
}
