import Dispatch
import Synchronization

@testable import Networking

extension FuzzTarget {
    /// Both ends of a WebSocket: the same messages however the bytes arrive, and those that RFC 6455 has in them.
    static let webSocket = FuzzTarget(
        "websocket",
        words: ["\u{81}", "\u{01}", "\u{89}\u{00}", "\u{88}\u{02}\u{03}\u{E8}", "\u{7E}\u{00}", "\u{7F}"],
        workPerByte: 20_000,
        seeds: {
            let text: [UInt8] = [0x81, 0x05] + Array("hello".utf8)
            let parts: [UInt8] =
                [0x01, 0x02] + Array("he".utf8) + [0x89, 0x00, 0x80, 0x03] + Array("llo".utf8)
            let long: [UInt8] = [0x82, 0x7E, 0x00, 0x80] + [UInt8](repeating: 7, count: 128)
            let hello: [UInt8] = zip("hello".utf8, [1, 2, 3, 4, 1]).map { $0 ^ $1 }
            let masked: [UInt8] = [0x81, 0x85, 1, 2, 3, 4] + hello
            let bad: [UInt8] = [0x81, 0x02, 0xC3, 0x28]
            return [
                text, parts, long, masked, bad, [0x88, 0x02, 0x03, 0xE8], text + [0x8A, 0x01, 0x40] + text,
            ]
        },
        check: { input in
            let isServer = input.variant & 1 == 1
            let bytes =
                input.variant & 2 == 0 ? input.body : FrameMaker.frames(input.body, isMasked: isServer)
            let once = WebSocketRun([bytes[...]], isServer: isServer)
            let pieces = WebSocketRun(input.pieces(of: bytes[...]), isServer: isServer)
            let reference = ReferenceFrames.messages(
                in: bytes, isMasked: isServer, limit: WebSocketRun.limits.message)
            for run in [once, pieces] {
                if let finding = run.problem(reference) { return finding }
            }
            // Too many pings in one turn cut the connection; how many come in one depends on the pieces.
            guard once.close?.cause != .cut, pieces.close?.cause != .cut else { return nil }
            // Which rule a frame broke, or whether it was cut off before, may depend on them, too.
            guard once.close?.cause != .protocolViolation, pieces.close?.cause != .protocolViolation else {
                return once.events.count == pieces.events.count ? nil : "other messages in pieces"
            }
            return once.events == pieces.events
                ? nil : "\(once.events.suffix(2)) at once, \(pieces.events.suffix(2)) in pieces"
        })
}

/// Makes frames of what chooses them: the lengths mostly fit, and so does the mask.
private enum FrameMaker {
    static func frames(_ choices: [UInt8], isMasked: Bool) -> [UInt8] {
        var rest = choices[...]
        var bytes: [UInt8] = []
        while let head = rest.popFirst(), let shape = rest.popFirst() {
            let size = shape & 0x40 == 0 ? Int(shape & 0x3F) : Int(shape & 0x3F) * 8
            let payload = Array(rest.prefix(size))
            rest = rest.dropFirst(size)
            let lie = shape & 0x80 != 0 && rest.first == 0xFF
            bytes.append(head)
            bytes += length(lie ? payload.count + 1 : payload.count, isMasked: isMasked)
            guard isMasked else {
                bytes += payload
                continue
            }
            let mask: [UInt8] = [shape, head, 0x5A, 0x01]
            bytes += mask
            bytes += payload.enumerated().map { $1 ^ mask[$0 % 4] }
        }
        return bytes
    }

    private static func length(_ count: Int, isMasked: Bool) -> [UInt8] {
        let bit: UInt8 = isMasked ? 0x80 : 0
        return count < 126
            ? [bit | UInt8(count)]
            : [bit | 126, UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
    }
}

/// One connection that reads scripted bytes until they end.
private struct WebSocketRun {
    static let limits = WebSocketLimits(message: 2_048)
    private(set) var events: [WebSocketEvent] = []

    var close: WebSocketClose? {
        if case .closed(let close) = events.last { close } else { nil }
    }

    init(_ pieces: [ArraySlice<UInt8>], isServer: Bool) {
        let (stream, continuation) = WebSocketSink.makeStream(Self.limits)
        let bytes = ScriptedStream(pieces)
        do {
            let sink = WebSocketSink(continuation, Self.limits)
            let engine = WebSocketEngine(
                isServer ? .server : .client, bytes, early: bytes.takeFirst(), limits: Self.limits, sink: sink
            )
            while engine.ending == nil {
                engine.receive()
                engine.flush()
            }
            if let ending = engine.ending { sink.finish(ending) }
        }
        events = Self.all(of: stream)
    }

    private static func all(of stream: AsyncStream<WebSocketEvent>) -> [WebSocketEvent] {
        let box = EventBox()
        let isDone = DispatchSemaphore(value: 0)
        Task.detached {
            for await event in stream { box.events.withLock { $0.append(event) } }
            isDone.signal()
        }
        isDone.wait()
        return box.events.withLock { $0 }
    }

    func problem(_ reference: [WebSocketEvent]) -> String? {
        guard let close else { return "the last event is no end" }
        let messages = Array(events.dropLast())
        for message in messages {
            if case .closed = message { return "it ends twice" }
        }
        let isCut = close.cause == .cut
        guard isCut ? reference.starts(with: messages) : reference == messages else {
            return "\(messages.count) messages for \(reference.count), \(close)"
        }
        return close.reason.utf8.count > 3 * 123 ? "the reason is too long" : nil
    }
}

private final class EventBox: Sendable {
    let events = Mutex<[WebSocketEvent]>([])
}

/// A peer whose bytes come in given pieces, and which takes everything.
private final class ScriptedStream: ByteStream {
    let descriptor: Int32 = -1
    private var pieces: ArraySlice<ArraySlice<UInt8>>
    private var isBetween = false

    init(_ pieces: [ArraySlice<UInt8>]) { self.pieces = pieces[...] }

    /// What came behind the handshake.
    func takeFirst() -> [UInt8] { pieces.count > 1 ? Array(pieces.removeFirst()) : [] }

    func read(into room: UnsafeMutableRawBufferPointer) -> StreamStep {
        guard let piece = pieces.first else { return .ended }
        if isBetween || piece.isEmpty {
            isBetween = false
            if piece.isEmpty { pieces.removeFirst() }
            return .wouldBlock
        }
        let count = min(room.count, piece.count)
        room.copyBytes(from: piece.prefix(count))
        pieces[pieces.startIndex] = piece.dropFirst(count)
        return .moved(count)
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> StreamStep { .moved(bytes.count) }
    func finishWriting() {}
}
