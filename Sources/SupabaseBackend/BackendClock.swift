import Glibc

/// The clocks, injected so that a test owns the time.
package struct BackendClock: Sendable {
    /// Microseconds since 1970. May jump; it is compared with what servers say, never used to wait.
    package var wall: @Sendable () -> Int64
    /// Rises steadily, also while the machine sleeps.
    package var uptime: @Sendable () -> Duration
    /// Waits; throws when the task is cancelled.
    package var sleep: @Sendable (Duration) async throws -> Void

    package init(
        wall: @escaping @Sendable () -> Int64, uptime: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.wall = wall
        self.uptime = uptime
        self.sleep = sleep
    }

    package static let system = BackendClock(
        wall: {
            let time = read(CLOCK_REALTIME)
            return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
        },
        uptime: {
            let time = read(CLOCK_BOOTTIME)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        },
        sleep: { try await Task.sleep(for: $0) })

    private static func read(_ clock: clockid_t) -> timespec {
        var time = timespec()
        clock_gettime(clock, &time)
        return time
    }
}
