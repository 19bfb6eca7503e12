import FoundationEssentials
import Glibc

/// Where the engine takes its time from. Tests give it one they move by hand.
package protocol EngineClock: Sendable {
    /// Time since some fixed moment. Never moves back, and goes on while the machine sleeps.
    func uptime() -> Duration
    /// The wall clock. For showing and for times that must survive a restart; never for order or waiting.
    func wallTime() -> Date
    /// Returns once `uptime` has reached the moment, or when the task is cancelled.
    func sleep(until moment: Duration) async
}

/// The system's clocks.
package struct SystemClock: EngineClock {
    package init() {}

    package func uptime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    package func wallTime() -> Date { Date() }

    package func sleep(until moment: Duration) async {
        let left = moment - uptime()
        // Cancelled is over, as the caller sees by `Task.isCancelled`.
        if left > .zero { try? await Task.sleep(for: left, tolerance: .milliseconds(10)) }
    }
}
