import FoundationEssentials
import Sync
import Synchronization

/// A clock that stands until it is moved.
final class TestClock: EngineClock {
    private struct State {
        var uptime = Duration.seconds(1_000)
        var sleepers: [Int: (until: Duration, continuation: CheckedContinuation<Void, Never>)] = [:]
        var next = 0
    }

    /// The wall clock at uptime 0.
    private let beginning: Date
    private let state = Mutex(State())

    /// - Parameter wallTime: What the clock on the wall shows at first.
    init(wallTime: Date = Date(timeIntervalSince1970: 1_924_993_000)) {
        beginning = wallTime.addingTimeInterval(-1_000)
    }

    func uptime() -> Duration { state.withLock { $0.uptime } }

    func wallTime() -> Date {
        beginning.addingTimeInterval(Double(uptime().components.seconds))
    }

    func sleep(until moment: Duration) async {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard state.uptime < moment, !Task.isCancelled else { return true }
                    state.sleepers[number] = (moment, continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: number) }?.continuation.resume()
        }
    }

    /// Moves on, and wakes who slept until then.
    func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.uptime += duration
            let due = state.sleepers.filter { $0.value.until <= state.uptime }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in woken { continuation.resume() }
    }

    var sleeperCount: Int { state.withLock { $0.sleepers.count } }
}
