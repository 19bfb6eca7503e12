import Dispatch

/// One WebSocket connection, at either end.
///
/// It reads and writes on its own queue; pings are answered there. Whatever ends it, `.closed` is the last
/// event and the stream of bytes is closed. Cancelling the task that reads `events` closes the connection,
/// and releasing it cuts it, so nothing is left behind by who goes away.
package actor WebSocketConnection {
    private enum Phase {
        case open
        /// A closing frame is on its way.
        case closing
        /// Over for everybody here; the socket stays until the peer has had the chance to read our last
        /// frame.
        case lingering
        case ended
    }

    /// Everything the peer sends, then `.closed`. For one reader.
    package nonisolated let events: AsyncStream<WebSocketEvent>

    private nonisolated let executor: QueueExecutor
    private nonisolated let outbox = WebSocketOutbox()
    private let limits: WebSocketLimits
    private let sink: WebSocketSink
    private var engine: WebSocketEngine?
    private var watch: SocketWatch?
    private var phase = Phase.open
    private var waiters: [CheckedContinuation<Bool, Never>] = []

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The server's end, on a socket whose upgrade has been answered.
    /// - Parameters:
    ///   - acceptedSocket: A connected stream socket; made non-blocking here, and not closed.
    ///   - initialBytes: What was read from it behind the request.
    ///   - executor: Where it runs. A server gives one executor to all, which spares it a thread for each.
    ///   - onClosed: Called once, on any thread, when the socket is not used any more: closes it.
    package init(
        acceptedSocket: Int32, initialBytes: [UInt8] = [], limits: WebSocketLimits = WebSocketLimits(),
        executor: QueueExecutor = QueueExecutor("websocket"),
        onClosed: @escaping @Sendable () -> Void
    ) {
        let stream = SocketStream(acceptedSocket, onClosed: onClosed)
        self.init(.server, stream, early: initialBytes, limits: limits, executor: executor)
    }

    init(
        _ role: WebSocketEngine.Role, _ stream: sending any ByteStream, early: [UInt8],
        limits: WebSocketLimits,
        executor: QueueExecutor
    ) {
        let (events, continuation) = WebSocketSink.makeStream(limits)
        let sink = WebSocketSink(continuation, limits)
        self.events = events
        self.executor = executor
        self.limits = limits
        self.sink = sink
        engine = WebSocketEngine(role, stream, early: early, limits: limits, sink: sink)
        continuation.onTermination = { [weak self] termination in
            if case .cancelled = termination { self?.enqueueClose(code: 1001) }
        }
        executor.queue.async { @Sendable in self.assumeIsolated { $0.start() } }
    }

    // MARK: - Sending

    /// Queues a message behind those queued before, and waits while more than `limits.sendWait` bytes are
    /// queued.
    ///
    /// Returning does not mean that the peer has it. A cancelled task goes on waiting: its message is queued.
    /// - Throws: `.closed`.
    package func send(text: String) async throws(NetworkError) {
        try await send(.text(text))
    }

    /// As `send(text:)`.
    package func send(binary bytes: [UInt8]) async throws(NetworkError) {
        try await send(.binary(bytes))
    }

    /// Queues a message without waiting, whatever the peer takes; who sends to many decides by the answer
    /// whom to `cut`.
    /// - Returns: The bytes now queued; `nil` when the connection is closed and the message dropped.
    @discardableResult
    package nonisolated func enqueue(text: String) -> Int? {
        enqueue(.text(text))
    }

    /// As `enqueue(text:)`.
    @discardableResult
    package nonisolated func enqueue(binary bytes: [UInt8]) -> Int? {
        enqueue(.binary(bytes))
    }

    /// The bytes queued and not yet taken by the socket.
    package nonisolated var queuedBytes: Int { outbox.queued }

    // MARK: - Closing

    /// Sends what is queued and a closing frame. `.closed` follows when the peer has answered, or after
    /// `limits.closeTimeout`.
    /// - Parameters:
    ///   - code: 1000...1003, 1007...1014 or 3000...4999.
    ///   - reason: Cut at 122 bytes.
    package func close(code: UInt16 = 1000, reason: String = "") {
        enqueueClose(code: code, reason: reason)
    }

    /// `close` without entering the actor.
    package nonisolated func enqueueClose(code: UInt16 = 1000, reason: String = "") {
        enqueue(.close(code: code, reason: reason))
    }

    /// Ends the connection at once, without a closing frame and without what is queued.
    package nonisolated func cut() {
        enqueue(.cut)
    }
}

// MARK: - On the queue

extension WebSocketConnection {
    private func start() {
        guard let engine else { return }
        watch = SocketWatch(
            engine.stream.descriptor, on: executor.queue, holding: engine,
            onReadable: { [weak self] in self?.assumeIsolated { $0.read() } },
            onWritable: { [weak self] in self?.assumeIsolated { $0.advance() } })
        read()  // bytes behind the handshake will not be announced
    }

    private func read() {
        guard let engine else { return }
        if phase == .lingering { return linger(engine) }
        engine.receive()
        advance()
    }

    /// Moves queued frames on, and on to the next phase.
    private func advance() {
        guard let engine, phase == .open || phase == .closing else { return }
        for frame in outbox.takeAll() { engine.queue(frame) }
        engine.flush()
        let unsent = engine.unsent
        outbox.setHandedOver(unsent)
        if unsent > limits.unsent { engine.cut(.cut) }
        if unsent <= limits.sendWait / 2 { resumeWaiters(true) }
        if let ending = engine.ending { return finish(ending, engine) }
        if engine.isClosing, phase == .open { beginClosing() }
        watch?.watchForRoom(engine.wantsToWrite)
        if engine.hasMoreToRead { onQueue { $0.read() } }
    }

    private func beginClosing() {
        phase = .closing
        armEnd()
    }

    /// Holds the connection until its end, which it also is.
    private func armEnd() {
        executor.queue.asyncAfter(deadline: .now() + limits.closeTimeout.dispatchInterval) { @Sendable in
            self.assumeIsolated { $0.endHard() }
        }
    }

    private func endHard() {
        guard let engine else { return }
        if phase == .closing {
            engine.cut(.cut)
            advance()
        }
        release()
    }

    private func finish(_ ending: WebSocketClose, _ engine: WebSocketEngine) {
        outbox.close()
        sink.finish(ending)
        resumeWaiters(false)
        guard engine.mayLinger else { return release() }
        if phase == .open { armEnd() }
        phase = .lingering
        watch?.watchForRoom(false)
        engine.stream.finishWriting()
        linger(engine)
    }

    private func linger(_ engine: WebSocketEngine) {
        if !engine.discard() { release() }
    }

    private func release() {
        phase = .ended
        watch = nil
        engine = nil
    }
}

// MARK: - Sending

extension WebSocketConnection {
    private func send(_ frame: WebSocketFrame) async throws(NetworkError) {
        guard let queued = outbox.push(frame).queued else { throw .closed }
        advance()
        guard queued > limits.sendWait, outbox.queued > limits.sendWait else { return }
        let hasRoom = await withCheckedContinuation { waiters.append($0) }
        if !hasRoom { throw .closed }
    }

    @discardableResult
    private nonisolated func enqueue(_ frame: WebSocketFrame) -> Int? {
        let receipt = outbox.push(frame)
        if receipt.needsDrain { onQueue { $0.advance() } }
        return receipt.queued
    }

    private func resumeWaiters(_ hasRoom: Bool) {
        let resumed = waiters
        waiters = []
        for waiter in resumed { waiter.resume(returning: hasRoom) }
    }

    private nonisolated func onQueue(_ work: @escaping @Sendable (isolated WebSocketConnection) -> Void) {
        executor.queue.async { @Sendable [weak self] in self?.assumeIsolated { work($0) } }
    }
}

extension Duration {
    fileprivate var dispatchInterval: DispatchTimeInterval { .milliseconds(wholeMilliseconds) }
}
