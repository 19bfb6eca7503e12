import Synchronization

/// Holds whoever passes until it is opened.
package final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var arrivals: [CheckedContinuation<Void, Never>] = []
        var arrived = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Returns once the gate is open.
    package func pass() async {
        await withCheckedContinuation { continuation in
            let (isOpen, watchers) = state.withLock { state in
                state.arrived += 1
                let watchers = state.arrivals
                state.arrivals = []
                if !state.isOpen { state.waiting.append(continuation) }
                return (state.isOpen, watchers)
            }
            for watcher in watchers { watcher.resume() }
            if isOpen { continuation.resume() }
        }
    }

    /// Returns once somebody has come to the gate.
    package func arrival() async {
        await withCheckedContinuation { continuation in
            let hasArrived = state.withLock { state in
                if state.arrived == 0 { state.arrivals.append(continuation) }
                return state.arrived > 0
            }
            if hasArrived { continuation.resume() }
        }
    }

    package func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
