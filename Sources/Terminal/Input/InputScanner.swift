/// Walks over the bytes of a read, one key or sequence at a time.
struct InputScanner {
    enum Step {
        case events([InputEvent])
        case pasteBegins
        /// The rest needs more bytes.
        case unfinished
    }

    private var bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// What was not used.
    var rest: [UInt8] { Array(bytes[index...]) }

    mutating func takeRest() -> [UInt8] {
        defer { index = bytes.count }
        return rest
    }

    mutating func putBack(_ rest: [UInt8]) {
        bytes = rest
        index = 0
    }

    /// - Returns: `nil` at the end, also when what is left is unfinished.
    mutating func next() -> Step? {
        guard index < bytes.count else { return nil }
        let byte = bytes[index]
        if byte == Control.escape { return escape() }
        if byte < 0x20 || byte == 0x7F {
            index += 1
            return .events([.key(Self.controlKey(byte))])
        }
        let run = bytes[index...].prefix { $0 >= 0x20 && $0 != 0x7F }
        // Behind a scalar that a control has cut short, nothing is to be waited for.
        let whole = run.dropLast(run.endIndex == bytes.endIndex ? Self.unfinishedTail(run) : 0)
        guard !whole.isEmpty else { return nil }
        index += whole.count
        return .events(Self.characters(whole).map { .key(.character($0)) })
    }

    private static func characters(_ bytes: ArraySlice<UInt8>) -> [Character] {
        let text = String(decoding: bytes, as: UTF8.self)
        // C1 controls are no keys; a terminal that sends them is in an 8-bit mode nobody uses with UTF-8.
        return text.filter { $0.unicodeScalars.first.map { !(0x80...0x9F).contains($0.value) } ?? false }
    }

    /// Bytes at the end that begin a scalar which is not all there.
    private static func unfinishedTail(_ run: ArraySlice<UInt8>) -> Int {
        for (back, byte) in run.reversed().prefix(3).enumerated() {
            switch byte {
            case 0x80...0xBF: continue
            case 0xC2...0xDF: return back < 1 ? back + 1 : 0
            case 0xE0...0xEF: return back < 2 ? back + 1 : 0
            case 0xF0...0xF4: return back < 3 ? back + 1 : 0
            default: return 0
            }
        }
        return 0
    }

    static func controlKey(_ byte: UInt8) -> Key {
        switch byte {
        case 0x00: Key(.character(" "), .control)
        case 0x08, 0x7F: .backspace
        case 0x09: .tab
        case 0x0D: .enter
        case 0x1B: .escape
        case 0x1C...0x1F: .control(Character(Unicode.Scalar(byte + 0x40)))
        default: .control(Character(Unicode.Scalar(byte + 0x60)))
        }
    }

    private mutating func escape() -> Step? {
        let after = index + 1
        guard after < bytes.count else { return nil }
        switch bytes[after] {
        case UInt8(ascii: "["): return controlSequence()
        case UInt8(ascii: "O"): return singleShift()
        case Control.escape: return escapedEscape()
        // What follows tells an answer from Alt and a letter, and may come with the next read.
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"):
            guard after + 1 < bytes.count else { return nil }
            return startsString(bytes[after], at: after) ? string(from: after) : altKey(at: after)
        default: return altKey(at: after)
        }
    }

    private mutating func altKey(at after: Int) -> Step? {
        let byte = bytes[after]
        if byte < 0x20 || byte == 0x7F {
            index = after + 1
            return .events([.key(Self.controlKey(byte).withAlt)])
        }
        let length = Self.scalarLength(byte)
        guard after + length <= bytes.count else { return nil }
        let text = Self.characters(bytes[after..<after + length])
        index = after + length
        return .events(text.map { .key(.alt($0)) })
    }

    private static func scalarLength(_ byte: UInt8) -> Int {
        switch byte {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
    }

    /// Two escapes: Alt with a key that is a sequence itself, or the Escape key and something after it.
    private mutating func escapedEscape() -> Step? {
        let second = index + 1
        guard second + 1 < bytes.count else { return nil }
        guard bytes[second + 1] == UInt8(ascii: "[") || bytes[second + 1] == UInt8(ascii: "O") else {
            index = second
            return .events([.key(.escape)])
        }
        var inner = self
        inner.index = second
        guard let step = inner.next() else { return nil }
        self = inner
        guard case .events(let events) = step else {
            return step
        }
        return .events(
            events.map { if case .key(let key) = $0 { .key(key.withAlt) } else { $0 } })
    }

    private mutating func controlSequence() -> Step? {
        guard let sequence = ControlSequence(bytes[index...]) else {
            // Longer than any key: it is given up, and what it held with it.
            guard bytes.count - index > ControlSequence.limit else { return nil }
            index += ControlSequence.limit
            return .events([])
        }
        index += sequence.length
        if sequence.isPasteStart { return .pasteBegins }
        return .events(sequence.events)
    }

    private mutating func singleShift() -> Step? {
        var end = index + 2
        while end < bytes.count, end - index < ControlSequence.limit, (0x30...0x39).contains(bytes[end]) {
            end += 1
        }
        guard end < bytes.count else { return nil }
        let modifier = Int(String(decoding: bytes[(index + 2)..<end], as: UTF8.self)) ?? 1
        guard let key = ControlSequence.singleShiftKey(bytes[end]) else {
            // Alt-O and a key behind it.
            index += 2
            return .events([.key(.alt("O"))])
        }
        index = end + 1
        return .events([.key(Key(key, ControlSequence.modifiers(modifier)))])
    }

    /// Answers of a terminal (OSC, DCS, APC) look like Alt and a letter, but for what follows.
    private func startsString(_ byte: UInt8, at place: Int) -> Bool {
        let next = bytes[place + 1]
        return switch byte {
        case UInt8(ascii: "]"): (0x30...0x39).contains(next)
        case UInt8(ascii: "P"): (0x30...0x3F).contains(next) || next == UInt8(ascii: "!")
        case UInt8(ascii: "_"): next == UInt8(ascii: "G")
        default: false
        }
    }

    private mutating func string(from start: Int) -> Step? {
        let limit = start + ControlSequence.stringLimit
        for end in start..<min(bytes.count, limit) {
            if bytes[end] == Control.bell {
                index = end + 1
                return .events([])
            }
            if bytes[end] == Control.escape, end + 1 < bytes.count, bytes[end + 1] == UInt8(ascii: "\\") {
                index = end + 2
                return .events([])
            }
        }
        // What is behind the limit may not be here yet, so nothing of it is given up.
        guard bytes.count > limit else { return nil }
        index = limit
        return .events([])
    }

    /// What an unfinished sequence was after all when nothing followed.
    static func keys(of pending: [UInt8]) -> [InputEvent] {
        switch pending.count {
        case 1: return [.key(.escape)]
        case 2:
            if pending[1] == Control.escape { return [.key(.escape), .key(.escape)] }
            return Self.characters(pending[1...]).map { .key(.alt($0)) }
        default:
            if pending[1] == Control.escape {
                return [.key(.escape)] + keys(of: Array(pending.dropFirst()))
            }
            return []
        }
    }
}
