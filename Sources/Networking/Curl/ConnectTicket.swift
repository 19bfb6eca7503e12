import CCurl
import Synchronization

/// Carries a cancellation into a thread that waits for a connection.
final class ConnectTicket: Sendable {
    /// libcurl allows this pointer in `curl_multi_wakeup` from any thread, and it is used for nothing else
    /// here.
    private struct Bell: @unchecked Sendable {
        let multi: UnsafeMutableRawPointer
    }

    private struct State {
        var isCancelled = false
        var bell: Bell?
    }

    let deadline: ContinuousClock.Instant
    private let state = Mutex(State())

    init(deadline: ContinuousClock.Instant) {
        self.deadline = deadline
    }

    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            if let bell = state.bell { curl_multi_wakeup(bell.multi) }
        }
    }

    /// From now on a cancellation wakes who polls `multi`.
    func attach(_ multi: UnsafeMutableRawPointer) {
        let bell = Bell(multi: multi)
        state.withLock { $0.bell = bell }
    }

    /// Before `multi` is freed.
    func detach() {
        state.withLock { $0.bell = nil }
    }

    /// Milliseconds that may be waited now.
    /// - Throws: `.cancelled`, or `.timedOut` after the deadline.
    func remaining() throws(NetworkError) -> Int32 {
        if state.withLock({ $0.isCancelled }) { throw .cancelled }
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else { throw .timedOut }
        return Int32(clamping: left.wholeMilliseconds)
    }
}
