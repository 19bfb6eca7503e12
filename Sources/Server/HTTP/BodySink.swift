import Synchronization

/// Takes a body as it comes, so that it is never in memory whole.
protocol BodySink: AnyObject, Sendable {
    /// Takes a piece. The connection brings no other before `next` was called; that happens exactly once, on any
    /// thread, with `false` when no more is wanted.
    ///
    /// A connection that breaks says nothing: the sink is let go.
    func take(_ bytes: [UInt8], next: @escaping @Sendable (Bool) -> Void)
}

/// What becomes of a body, decided when the headers are in.
enum Reception {
    /// It is gathered in memory, within the limit of all requests.
    case gather
    case stream(any BodySink)
    /// The request is answered at once, and its connection closed.
    case refuse(Answer)
}

/// Decides about bodies on the daemon's thread, without waiting for anything.
protocol BodyReceiver: Sendable {
    /// Whether the body of such a request is this receiver's business; asked of every request.
    func wants(method: String, target: String) -> Bool
    /// - Parameter request: Without its body.
    func reception(of request: IncomingRequest) -> Reception
}

/// Counts the connections that rest while a piece of their body is taken: the library may not end before they
/// were resumed.
final class Pauses: Sendable {
    private struct State {
        var count = 0
        var isClosed = false
        var closing: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// - Returns: `false` when the daemon is about to end.
    func begin() -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.count += 1
            return true
        }
    }

    func end() {
        let closing = state.withLock { state in
            state.count -= 1
            guard state.count == 0 else { return nil as CheckedContinuation<Void, Never>? }
            defer { state.closing = nil }
            return state.closing
        }
        closing?.resume()
    }

    /// Lets nobody rest any more, and returns when nobody does.
    func close() async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                state.isClosed = true
                guard state.count > 0 else { return true }
                state.closing = continuation
                return false
            }
            if isDone { continuation.resume() }
        }
    }
}
