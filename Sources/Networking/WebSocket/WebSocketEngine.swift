import CWslay

/// wslay's state for one connection: the context of all its callbacks, and the only holder of the stream of
/// bytes.
///
/// It belongs to the connection's queue. Released last by the cancel handlers of the dispatch sources, it
/// closes the stream when nothing watches it any more.
final class WebSocketEngine {
    enum Role {
        case client, server
    }

    /// Bytes read in one turn before others on the queue get theirs.
    private static let turn = 1 << 20
    /// Pings answered while the peer takes nothing.
    private static let pingLimit = 1_024

    let stream: any ByteStream
    /// The last turn ended for fairness: there may be more that no descriptor will announce.
    private(set) var hasMoreToRead = false

    private let sink: WebSocketSink
    private var context: OpaquePointer?
    private var early: ArraySlice<UInt8>
    private var output = OutputBuffer()
    private var budget = 0
    private var hasStreamEnded = false
    private var isBroken = false  // nothing can be sent any more
    private var localCause: WebSocketClose.Cause?
    private var peerReason = ""
    private var pingsUnanswered = 0

    init(_ role: Role, _ stream: any ByteStream, early: [UInt8], limits: WebSocketLimits, sink: WebSocketSink)
    {
        self.stream = stream
        self.sink = sink
        self.early = early[...]
        var callbacks = WslayCallbacks.all
        let user = Unmanaged.passUnretained(self).toOpaque()
        let code =
            switch role {
            case .client: wslay_event_context_client_init(&context, &callbacks, user)
            case .server: wslay_event_context_server_init(&context, &callbacks, user)
            }
        guard code == 0, let context else {
            isBroken = true
            return
        }
        wslay_event_config_set_max_recv_msg_length(context, UInt64(limits.message))
    }

    deinit {
        if let context { wslay_event_context_free(context) }
    }

    /// Reads and delivers what has arrived, up to one turn's worth.
    func receive() {
        guard let context, !isBroken else { return }
        hasMoreToRead = false
        // What comes after the peer's last word has to be read all the same, or the socket would announce it
        // for ever.
        guard wslay_event_want_read(context) == 1 else {
            if !discard() { isBroken = true }
            return
        }
        budget = Self.turn
        guard wslay_event_recv(context) != 0 else { return }
        // wslay says the same when the stream broke and when the peer broke a rule; in the second case it has
        // queued a closing frame, which is still to be sent.
        if hasStreamEnded { isBroken = true } else { wslay_event_shutdown_read(context) }
    }

    /// Writes what the socket takes.
    func flush() {
        guard let context, !isBroken else { return }
        while true {
            switch output.drain(into: stream) {
            case .moved: break
            case .wouldBlock: return
            case .ended, .failed:
                isBroken = true
                return
            }
            guard wslay_event_want_write(context) == 1 else {
                pingsUnanswered = 0
                return
            }
            if wslay_event_send(context) != 0 {
                isBroken = true
                return
            }
            if output.count == 0 { return }
        }
    }

    func queue(_ frame: WebSocketFrame) {
        switch frame {
        case .text(var text): text.withUTF8 { queue(WSLAY_TEXT_FRAME, UnsafeRawBufferPointer($0)) }
        case .binary(let bytes): bytes.withUnsafeBytes { queue(WSLAY_BINARY_FRAME, $0) }
        case .close(let code, let reason): close(.local, code: code, reason: reason)
        case .cut: cut(.cut)
        }
    }

    /// Ends without any farewell.
    func cut(_ cause: WebSocketClose.Cause) {
        localCause = localCause ?? cause
        isBroken = true
    }

    /// Reads on after the end only to throw away, so that closing does not reset the connection under our
    /// last frame.
    /// - Returns: Whether there may be more; `false` when the peer has closed as well.
    func discard() -> Bool {
        var read = 0
        return withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 16) { room in
            while read < Self.turn {
                switch stream.read(into: room) {
                case .moved(let count): read += count
                case .wouldBlock: return true
                case .ended, .failed: return false
                }
            }
            return false
        }
    }
}

// MARK: - State

extension WebSocketEngine {
    var wantsToWrite: Bool {
        guard let context, !isBroken else { return false }
        return output.count > 0 || wslay_event_want_write(context) == 1
    }

    /// Bytes that wait for room in the socket.
    var unsent: Int {
        guard let context else { return 0 }
        return output.count + wslay_event_get_queued_msg_length(context)
    }

    /// Whether a closing frame is on its way, in either direction.
    var isClosing: Bool {
        guard let context else { return true }
        return localCause != nil || wslay_event_want_read(context) == 0
    }

    /// Whether the peer may still have to read our closing frame.
    var mayLinger: Bool { !isBroken }

    /// How it ended, once it has.
    var ending: WebSocketClose? {
        guard let context else { return WebSocketClose(.lost) }
        guard isBroken || !wantsToWrite && wslay_event_want_read(context) == 0 else { return nil }
        let received = wslay_event_get_close_received(context) == 1
        if received {
            let code = wslay_event_get_status_code_received(context)
            return WebSocketClose(localCause ?? .peer, code: code, reason: peerReason)
        }
        let sent = wslay_event_get_status_code_sent(context)
        if let localCause { return WebSocketClose(localCause, code: sent) }
        switch sent {
        case UInt16(WSLAY_CODE_ABNORMAL_CLOSURE.rawValue): return WebSocketClose(.lost, code: sent)
        // For frames it cannot read wslay closes without giving a code.
        case UInt16(WSLAY_CODE_NO_STATUS_RCVD.rawValue):
            return WebSocketClose(.protocolViolation, code: 1_002)
        case UInt16(WSLAY_CODE_MESSAGE_TOO_BIG.rawValue): return WebSocketClose(.messageTooLarge, code: sent)
        default: return WebSocketClose(.protocolViolation, code: sent)
        }
    }
}

// MARK: - Queueing

extension WebSocketEngine {
    private func queue(_ opcode: wslay_opcode, _ bytes: UnsafeRawBufferPointer) {
        guard let context, localCause == nil else { return }
        var message = wslay_event_msg(
            opcode: UInt8(opcode.rawValue), msg: bytes.bindMemory(to: UInt8.self).baseAddress,
            msg_length: bytes.count)
        switch wslay_event_queue_msg(context, &message) {
        case 0, WSLAY_ERR_NO_MORE_MSG.rawValue: break  // the latter: the peer is closing
        default: isBroken = true
        }
    }

    private func close(_ cause: WebSocketClose.Cause, code: UInt16, reason: String) {
        guard let context, !isClosing else { return }
        localCause = cause
        let words = ClosingFrame.words(reason)
        let queued = words.withUnsafeBufferPointer {
            wslay_event_queue_close(context, ClosingFrame.allowed(code), $0.baseAddress, $0.count)
        }
        if queued != 0 { isBroken = true }
    }
}

// MARK: - What wslay asks

extension WebSocketEngine {
    func read(into room: UnsafeMutableRawBufferPointer) -> StreamStep {
        if !early.isEmpty {
            let count = min(room.count, early.count)
            room.copyBytes(from: early.prefix(count))
            early = early.dropFirst(count)
            return .moved(count)
        }
        guard budget > 0 else {
            hasMoreToRead = true
            return .wouldBlock
        }
        let step = stream.read(into: room)
        switch step {
        case .moved(let count): budget -= count
        case .wouldBlock: break
        case .ended, .failed: hasStreamEnded = true
        }
        return step
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> StreamStep {
        let count = output.append(bytes)
        return count > 0 ? .moved(count) : .wouldBlock
    }

    func take(_ message: wslay_event_on_msg_recv_arg) {
        let bytes = UnsafeBufferPointer(start: message.msg, count: message.msg_length)
        switch UInt32(message.opcode) {
        case WSLAY_TEXT_FRAME.rawValue: deliver(.text(String(decoding: bytes, as: UTF8.self)), bytes.count)
        case WSLAY_BINARY_FRAME.rawValue: deliver(.binary(Array(bytes)), bytes.count)
        case WSLAY_CONNECTION_CLOSE.rawValue: peerReason = String(decoding: bytes.dropFirst(2), as: UTF8.self)
        case WSLAY_PING.rawValue: countPing()
        default: break  // a pong nobody waits for
        }
    }

    private func deliver(_ event: WebSocketEvent, _ size: Int) {
        guard let context, localCause != .readerTooSlow, !sink.give(event, size: size) else { return }
        close(.readerTooSlow, code: 1008, reason: "")
        localCause = .readerTooSlow
        wslay_event_shutdown_read(context)
    }

    private func countPing() {
        pingsUnanswered += 1
        if pingsUnanswered > Self.pingLimit { cut(.cut) }
    }
}
