import Observation
import Synchronization

/// Waits until a condition over observable state holds; looks again whenever what it read has changed.
@MainActor
package func until(_ condition: @escaping @MainActor () -> Bool) async {
    while !condition() {
        let box = OneShot()
        await withCheckedContinuation { continuation in
            box.hold(continuation)
            let holds = withObservationTracking {
                condition()
            } onChange: {
                box.resume()
            }
            if holds { box.resume() }
        }
    }
}

/// Resumes a continuation once, whoever comes first.
private final class OneShot: Sendable {
    private let continuation = Mutex<CheckedContinuation<Void, Never>?>(nil)

    func hold(_ continuation: CheckedContinuation<Void, Never>) {
        self.continuation.withLock { $0 = continuation }
    }

    func resume() {
        let held = continuation.withLock { held in
            defer { held = nil }
            return held
        }
        held?.resume()
    }
}
