/// The writing end of a connection's events, with limits on what waits there unread.
final class WebSocketSink {
    private let continuation: AsyncStream<WebSocketEvent>.Continuation
    private let limits: WebSocketLimits
    private var unread = UnreadAccount()
    private var isFinished = false

    init(_ continuation: AsyncStream<WebSocketEvent>.Continuation, _ limits: WebSocketLimits) {
        self.continuation = continuation
        self.limits = limits
    }

    /// A stream does not end because nobody can write to it any more: its reader would wait for ever.
    deinit {
        finish(WebSocketClose(.cut))
    }

    /// A stream that holds one event more than the limit: the last place is for `.closed`.
    static func makeStream(
        _ limits: WebSocketLimits
    ) -> (stream: AsyncStream<WebSocketEvent>, continuation: AsyncStream<WebSocketEvent>.Continuation) {
        AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(limits.unreadMessages + 1))
    }

    /// - Parameter size: Bytes of the message.
    /// - Returns: Whether the reader keeps up. If not, no more messages may be given.
    func give(_ event: WebSocketEvent, size: Int) -> Bool {
        switch continuation.yield(event) {
        case .enqueued(let places):
            let buffered = limits.unreadMessages + 1 - places
            unread.add(size + 64, buffered: buffered)  // an element takes room of its own
            return buffered < limits.unreadMessages && unread.bytes <= limits.unread
        case .dropped: return false
        case .terminated: return true  // nobody reads: the connection is being ended already
        @unknown default: return false
        }
    }

    /// Only the first time counts.
    func finish(_ close: WebSocketClose) {
        guard !isFinished else { return }
        isFinished = true
        continuation.yield(.closed(close))
        continuation.finish()
    }
}
