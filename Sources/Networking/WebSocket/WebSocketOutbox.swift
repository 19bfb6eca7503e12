import Synchronization

/// One thing to send.
enum WebSocketFrame: Sendable {
    case text(String)
    case binary([UInt8])
    case close(code: UInt16, reason: String)
    case cut

    /// What it costs to hold, in bytes.
    var cost: Int {
        switch self {
        case .text(let text): text.utf8.count + 16
        case .binary(let bytes): bytes.count + 16
        case .close, .cut: 16
        }
    }
}

/// Where anyone may leave frames for a connection without waiting for it. Their order is kept.
final class WebSocketOutbox: Sendable {
    struct Receipt {
        /// Everything that waits to be sent, in bytes; `nil` when nothing can be sent any more.
        var queued: Int?
        /// Whether the connection has to be told; else it has been, and has not come yet.
        var needsDrain: Bool
    }

    private struct State {
        var frames: [WebSocketFrame] = []
        var waiting = 0  // bytes in `frames`
        var handedOver = 0  // bytes taken and not yet in the socket
        var isDrainDue = false
        var isClosed = false
    }

    private let state = Mutex(State())

    func push(_ frame: WebSocketFrame) -> Receipt {
        state.withLock { state in
            guard !state.isClosed else { return Receipt(queued: nil, needsDrain: false) }
            state.frames.append(frame)
            state.waiting += frame.cost
            let needsDrain = !state.isDrainDue
            state.isDrainDue = true
            return Receipt(queued: state.waiting + state.handedOver, needsDrain: needsDrain)
        }
    }

    /// Takes all frames, oldest first.
    func takeAll() -> [WebSocketFrame] {
        state.withLock { state in
            let frames = state.frames
            state.frames = []
            state.handedOver += state.waiting
            state.waiting = 0
            state.isDrainDue = false
            return frames
        }
    }

    /// Tells what is left of the frames taken, in bytes.
    func setHandedOver(_ bytes: Int) {
        state.withLock { $0.handedOver = bytes }
    }

    var queued: Int {
        state.withLock { $0.waiting + $0.handedOver }
    }

    func close() {
        state.withLock { state in
            state.isClosed = true
            state.frames = []
            state.waiting = 0
            state.handedOver = 0
        }
    }
}
