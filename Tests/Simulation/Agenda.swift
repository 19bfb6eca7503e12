import CConcurrency
import Synchronization

/// Everything that is going to happen, in the order of a clock that exists only here.
///
/// Swift's jobs and what the simulated world plans stand in one queue. A job becomes due a moment after it became
/// ready, and how long after is drawn: so the seed decides which of the ready ones runs next, and that time passes
/// while programs compute.
nonisolated final class Agenda: Sendable {
    /// How long ready jobs wait, in nanoseconds, and how often a task is stopped where it changes actors.
    struct Pace {
        var usual: Int64 = 1_000
        /// Of each 1 000 jobs this many wait up to `long`, as on a machine that is busy with something else.
        var longPerMille = 0
        var long: Int64 = 0
        var stopsPerMille = 500
    }

    private struct Entry {
        let due: Int64
        let sequence: UInt64
        /// The address of a job or task; 0: what is planned under `sequence`.
        let work: UInt
        let kind: pl_work_kind

        func isBefore(_ other: Entry) -> Bool {
            due == other.due ? sequence < other.sequence : due < other.due
        }
    }

    private struct State {
        var now: Int64 = 0
        var sequence: UInt64 = 0
        var heap: [Entry] = []
        var plans: [UInt64: @MainActor () -> Void] = [:]
        var random = SeededRandom(seed: 0)
        var pace = Pace()
        var jobCount = 0
        var waitingJobs = 0
        /// A task that goes on after a stop is due now: its wait is over.
        var goesOn = false
        /// Of everything that ran, in order.
        var fingerprint: UInt64 = 0
    }

    private let state = Mutex(State())

    /// The one that Swift's jobs go to.
    static let current = Agenda()

    /// Takes over the process. Only once.
    static func takeOver() -> Int32 {
        pl_take_over(
            { work, kind in
                if let work { Agenda.current.add(UInt(bitPattern: work), kind) }
            },
            { Agenda.current.stopsHere() ? 1 : 0 })
    }

    func begin(seed: UInt64, pace: Pace) {
        state.withLock { state in
            state = State()
            state.random = SeededRandom(seed: seed)
            state.pace = pace
        }
    }

    /// Since the beginning of the simulation.
    var now: Duration { .nanoseconds(state.withLock { $0.now }) }
    var jobCount: Int { state.withLock { $0.jobCount } }
    /// Jobs that are ready and did not run.
    var waitingJobs: Int { state.withLock { $0.waitingJobs } }
    var fingerprint: UInt64 { state.withLock { $0.fingerprint } }

    /// Does something in the world, later.
    /// - Returns: A number to cancel it by.
    @discardableResult
    func plan(after delay: Duration, _ action: @escaping @MainActor () -> Void) -> UInt64 {
        plan(at: now + delay, action)
    }

    @discardableResult
    func plan(at moment: Duration, _ action: @escaping @MainActor () -> Void) -> UInt64 {
        state.withLock { state in
            state.sequence += 1
            state.plans[state.sequence] = action
            Self.push(
                Entry(
                    due: max(moment.nanoseconds, state.now), sequence: state.sequence, work: 0, kind: PL_JOB),
                &state.heap)
            return state.sequence
        }
    }

    func cancel(_ plan: UInt64) { state.withLock { _ = $0.plans.removeValue(forKey: plan) } }

    private func add(_ work: UInt, _ kind: pl_work_kind) {
        state.withLock { state in
            state.sequence += 1
            state.waitingJobs += 1
            let wait = state.goesOn ? 0 : Self.wait(&state)
            Self.push(
                Entry(due: state.now + wait, sequence: state.sequence, work: work, kind: kind), &state.heap)
        }
    }

    private static func wait(_ state: inout State) -> Int64 {
        if state.pace.longPerMille > 0, state.random.happens(state.pace.longPerMille) {
            return state.random.below(state.pace.long)
        }
        return 1 + state.random.below(state.pace.usual)
    }

    private func stopsHere() -> Bool {
        state.withLock { $0.random.happens($0.pace.stopsPerMille) }
    }

    /// Does what is due next.
    /// - Returns: `false` when nothing is due until then; the clock stands there.
    @MainActor func step(until end: Duration) -> Bool {
        let (entry, action) = state.withLock { state -> (Entry?, (@MainActor () -> Void)?) in
            guard let first = state.heap.first, first.due <= end.nanoseconds else {
                state.now = max(state.now, end.nanoseconds)
                return (nil, nil)
            }
            let entry = Self.pop(&state.heap)
            state.now = max(state.now, entry.due)
            guard entry.work != 0 else { return (entry, state.plans.removeValue(forKey: entry.sequence)) }
            state.jobCount += 1
            state.waitingJobs -= 1
            state.goesOn = entry.kind == PL_PARKED
            state.fingerprint = (state.fingerprint ^ entry.sequence) &* 0x100_0000_01B3
            return (entry, nil)
        }
        guard let entry else { return false }
        if entry.work == 0 {
            action?()
        } else if let work = UnsafeMutableRawPointer(bitPattern: entry.work) {
            pl_run(work, entry.kind)
            if entry.kind == PL_PARKED { state.withLock { $0.goesOn = false } }
        }
        return true
    }

    // MARK: A binary heap

    private static func push(_ entry: Entry, _ heap: inout [Entry]) {
        heap.append(entry)
        var index = heap.count - 1
        while index > 0, entry.isBefore(heap[(index - 1) / 2]) {
            heap[index] = heap[(index - 1) / 2]
            index = (index - 1) / 2
        }
        heap[index] = entry
    }

    private static func pop(_ heap: inout [Entry]) -> Entry {
        let first = heap[0]
        let last = heap.removeLast()
        guard !heap.isEmpty else { return first }
        var index = 0
        while true {
            var child = index * 2 + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].isBefore(heap[child]) { child += 1 }
            guard heap[child].isBefore(last) else { break }
            heap[index] = heap[child]
            index = child
        }
        heap[index] = last
        return first
    }
}
