@testable import Networking

/// The messages in a stream of frames, read as RFC 6455 section 5 is written, with everything at hand.
enum ReferenceFrames {
    private struct Frame {
        let isFinal: Bool
        let opcode: UInt8
        let payload: [UInt8]
    }

    /// Those that are complete before the first frame that is against the rules, too large or a farewell.
    static func messages(in bytes: [UInt8], isMasked: Bool, limit: Int) -> [WebSocketEvent] {
        var rest = bytes[...]
        var messages: [WebSocketEvent] = []
        var open: (opcode: UInt8, bytes: [UInt8])?
        while let frame = next(&rest, isMasked: isMasked) {
            switch frame.opcode {
            case 0, 1, 2:
                guard (frame.opcode == 0) == (open != nil) else { return messages }
                var message = open ?? (frame.opcode, [])
                message.bytes += frame.payload
                guard message.bytes.count <= limit else { return messages }
                open = frame.isFinal ? nil : message
                guard frame.isFinal else { continue }
                guard message.opcode == 1 else {
                    messages.append(.binary(message.bytes))
                    continue
                }
                guard let text = String(validating: message.bytes, as: UTF8.self) else { return messages }
                messages.append(.text(text))
            case 9, 10: continue
            default: return messages
            }
        }
        return messages
    }

    /// `nil` at the end, and for what is against the rules.
    private static func next(_ rest: inout ArraySlice<UInt8>, isMasked: Bool) -> Frame? {
        var bytes = rest
        guard let head = bytes.popFirst(), let size = bytes.popFirst() else { return nil }
        let opcode = head & 0x0F
        guard head & 0x70 == 0, [0, 1, 2, 8, 9, 10].contains(opcode), (size & 0x80 != 0) == isMasked else {
            return nil
        }
        let isFinal = head & 0x80 != 0
        guard opcode < 8 || isFinal && size & 0x7F <= 125 else { return nil }
        guard let count = length(size & 0x7F, &bytes) else { return nil }
        let mask = Array(bytes.prefix(isMasked ? 4 : 0))
        bytes = bytes.dropFirst(isMasked ? 4 : 0)
        guard mask.count == (isMasked ? 4 : 0), bytes.count >= count else { return nil }
        let payload = bytes.prefix(count)
        rest = bytes.dropFirst(count)
        return Frame(
            isFinal: isFinal, opcode: opcode,
            payload: isMasked ? payload.enumerated().map { $1 ^ mask[$0 % 4] } : Array(payload))
    }

    /// The shortest form is the only one.
    private static func length(_ short: UInt8, _ bytes: inout ArraySlice<UInt8>) -> Int? {
        guard short >= 126 else { return Int(short) }
        let count = short == 126 ? 2 : 8
        guard bytes.count >= count else { return nil }
        let value = bytes.prefix(count).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        bytes = bytes.dropFirst(count)
        let least: UInt64 = short == 126 ? 126 : 65_536
        guard value >= least, let length = Int(exactly: value) else { return nil }
        return length
    }
}
