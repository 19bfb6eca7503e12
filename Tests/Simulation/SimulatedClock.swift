import FoundationEssentials
import Sync
import Synchronization

/// The clocks of one machine: they go with the agenda, from a beginning of their own, and somebody may set them.
nonisolated final class SimulatedClock: EngineClock {
    /// 2031-01-01, when everything begins.
    static let beginning = Date(timeIntervalSince1970: 1_924_992_000)

    private let agenda: Agenda
    /// How long the machine ran before.
    private let before: Duration
    private let error: Mutex<Duration>

    init(agenda: Agenda, before: Duration, error: Duration) {
        self.agenda = agenda
        self.before = before
        self.error = Mutex(error)
    }

    /// Puts the wall clock wrong by this much.
    func set(wrongBy error: Duration) { self.error.withLock { $0 = error } }

    func uptime() -> Duration { agenda.now + before }

    func wallTime() -> Date {
        let passed = (agenda.now + error.withLock { $0 }).nanoseconds
        return Self.beginning.addingTimeInterval(Double(passed) / 1e9)
    }

    func sleep(until moment: Duration) async {
        let sleeper = Sleeper()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard sleeper.begin(continuation) else { return }
                let plan = agenda.plan(at: moment - before) { sleeper.end() }
                sleeper.remember(plan)
            }
        } onCancel: {
            if let plan = sleeper.end() { agenda.cancel(plan) }
        }
    }
}

/// Somebody who sleeps, until the first of two ends.
nonisolated private final class Sleeper: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Void, Never>?
        var plan: UInt64?
        var isOver = false
    }

    private let state = Mutex(State())

    /// - Returns: `false` when it was over before it began; then nobody sleeps.
    func begin(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
        let isOver = state.withLock { state in
            if !state.isOver { state.continuation = continuation }
            return state.isOver
        }
        if isOver { continuation.resume() }
        return !isOver
    }

    func remember(_ plan: UInt64) { state.withLock { $0.plan = plan } }

    /// - Returns: The plan that has become useless.
    @discardableResult
    func end() -> UInt64? {
        let (continuation, plan) = state.withLock { state in
            defer { state.continuation = nil }
            state.isOver = true
            return (state.continuation, state.plan)
        }
        continuation?.resume()
        return plan
    }
}
