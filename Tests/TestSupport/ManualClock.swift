import FoundationEssentials
import Synchronization

/// Time that goes on only when a test says so.
package final class ManualClock: Sendable {
    private struct Sleeper {
        let number: Int
        let due: Date
        let continuation: CheckedContinuation<Void, any Error>
    }
    private struct State {
        var now: Date
        var count = 0
        var sleepers: [Sleeper] = []
        var cancelled: Set<Int> = []
    }

    private let state: Mutex<State>

    package init(_ now: Date = .example(minutes: 42)) { state = Mutex(State(now: now)) }

    package var now: Date { state.withLock { $0.now } }
    package var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    package func sleep(_ duration: Duration) async throws {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isOver = state.withLock { state in
                    guard state.cancelled.remove(number) == nil else { return true }
                    let due = state.now.addingTimeInterval(duration / .seconds(1))
                    state.sleepers.append(Sleeper(number: number, due: due, continuation: continuation))
                    return false
                }
                if isOver { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let sleeper = state.withLock { state -> Sleeper? in
                guard let index = state.sleepers.firstIndex(where: { $0.number == number }) else {
                    state.cancelled.insert(number)
                    return nil
                }
                return state.sleepers.remove(at: index)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Lets time pass, and wakes whoever slept until then.
    package func advance(by seconds: TimeInterval) {
        let due = state.withLock { state in
            state.now.addTimeInterval(seconds)
            let due = state.sleepers.filter { $0.due <= state.now }
            state.sleepers.removeAll { $0.due <= state.now }
            return due
        }
        for sleeper in due.sorted(by: { $0.due < $1.due }) { sleeper.continuation.resume() }
    }
}
