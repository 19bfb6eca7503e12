import Synchronization

/// Hands values to any number of streams. A stream that ends is forgotten at once.
///
/// Its lock makes subscribing and sending one order, so every subscriber sees a gap-free suffix.
final class Broadcast<Value: Sendable>: Sendable {
    private struct State {
        var current: Value?
        /// For the first subscriber, oldest first.
        var early: [Value] = []
        var earlyRoom = 0
        var next = 0
        var continuations: [Int: AsyncStream<Value>.Continuation] = [:]
        var isFinished = false
    }

    private let state: Mutex<State>
    private let keepsCurrent: Bool
    private let isKeptEarly: @Sendable (Value) -> Bool
    private let onEmpty: @Sendable () -> Void

    /// A stream of state: each subscriber gets the current value first and only ever the newest.
    /// - Parameters:
    ///   - initial: `nil` when nothing is known yet; then a subscriber waits for the first value.
    ///   - onEmpty: Called each time the last subscriber has gone.
    init(state initial: Value?, onEmpty: @escaping @Sendable () -> Void = {}) {
        state = Mutex(State(current: initial))
        isKeptEarly = { _ in false }
        keepsCurrent = true
        self.onEmpty = onEmpty
    }

    /// A stream of events: nothing is dropped, and nothing is replayed to whoever comes second.
    /// - Parameters:
    ///   - early: So many of the first events are kept for the first subscriber, when they come before it.
    ///   - isKept: Which of them.
    init(early: Int = 0, where isKept: @escaping @Sendable (Value) -> Bool = { _ in true }) {
        state = Mutex(State(earlyRoom: early))
        isKeptEarly = isKept
        keepsCurrent = false
        onEmpty = {}
    }

    func subscribe() -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream<Value>.makeStream(
            bufferingPolicy: keepsCurrent ? .bufferingNewest(1) : .unbounded)
        let id: Int? = state.withLock { state in
            if let current = state.current { continuation.yield(current) }
            for value in state.early { continuation.yield(value) }
            (state.early, state.earlyRoom) = ([], 0)
            guard !state.isFinished else { return nil }
            state.next += 1
            state.continuations[state.next] = continuation
            return state.next
        }
        if let id {
            // In a task: it is called with the lock of the reader's task held, which `send` takes after ours.
            continuation.onTermination = { [weak self] _ in Task { self?.remove(id) } }
        } else {
            continuation.finish()
        }
        return stream
    }

    func send(_ value: Value) {
        state.withLock { state in
            if keepsCurrent { state.current = value }
            if state.earlyRoom > 0, isKeptEarly(value) {
                state.early.append(value)
                state.earlyRoom -= 1
            }
            for continuation in state.continuations.values { continuation.yield(value) }
        }
    }

    /// Ends every stream, also those asked for later.
    func finish() {
        let continuations = state.withLock { state in
            defer { state.continuations = [:] }
            state.isFinished = true
            return state.continuations
        }
        // Outside the lock: it may run the reader.
        for continuation in continuations.values { continuation.finish() }
    }

    var subscriberCount: Int { state.withLock { $0.continuations.count } }

    private func remove(_ id: Int) {
        let isEmpty = state.withLock { state in
            state.continuations.removeValue(forKey: id) != nil && state.continuations.isEmpty
        }
        if isEmpty { onEmpty() }
    }
}
