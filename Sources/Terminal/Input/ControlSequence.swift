/// One complete CSI sequence: `ESC [`, parameters, a final byte.
struct ControlSequence {
    /// The longest sequence, in bytes from the escape on. Behind that many it is given up, all there at once or not.
    static let limit = 64
    /// The longest answer of a terminal, in bytes behind the escape, its end mark not counted.
    static let stringLimit = 4_096

    /// Bytes it takes, from the escape on.
    let length: Int
    private let parameters: [Int]
    private let prefix: UInt8?
    private let final: UInt8
    /// The bytes after the final one that belong to it: only in the oldest mouse reports.
    private let tail: [UInt8]

    /// - Parameter bytes: From the escape on.
    /// - Returns: `nil` while the final byte has not come.
    init?(_ bytes: ArraySlice<UInt8>) {
        let body = Array(bytes.prefix(Self.limit).dropFirst(2))
        if body.first == UInt8(ascii: "[") {  // F1...F5 of the Linux console
            guard body.count > 1 else { return nil }
            (length, parameters, prefix, final, tail) = (4, [], UInt8(ascii: "["), body[1], [])
            return
        }
        let isPrivate = body.first.map { (0x3C...0x3F).contains($0) } ?? false
        var end = isPrivate ? 1 : 0
        while end < body.count, (0x30...0x3B).contains(body[end]) { end += 1 }
        let numbers = body[(isPrivate ? 1 : 0)..<end].split(
            separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        // rxvt ends Shift with a dollar; for others that is an intermediate byte.
        let endsWithDollar = !isPrivate && end > 0 && end < body.count && body[end] == UInt8(ascii: "$")
        while !endsWithDollar, end < body.count, (0x20...0x2F).contains(body[end]) { end += 1 }
        guard end < body.count else { return nil }
        parameters = numbers.map { part in
            Int(String(decoding: part.prefix { $0 != UInt8(ascii: ":") }.prefix(7), as: UTF8.self)) ?? 0
        }
        prefix = isPrivate ? body[0] : nil
        guard (0x40...0x7E).contains(body[end]) || endsWithDollar else {
            // A control inside: the sequence was broken off; the control is read next.
            (length, final, tail) = (end + 2, 0, [])
            return
        }
        final = body[end]
        let hasTail = final == UInt8(ascii: "M") && !isPrivate && end == 0
        guard !hasTail || body.count >= 4 else { return nil }
        tail = hasTail ? Array(body[1...3]) : []
        length = end + 3 + tail.count
    }

    private func parameter(_ index: Int, or standard: Int = 1) -> Int {
        guard index < parameters.count, parameters[index] > 0 else { return standard }
        return parameters[index]
    }

    var isPasteStart: Bool { final == UInt8(ascii: "~") && parameter(0) == 200 }

    /// The events it stands for; empty for what is no input (answers, keys nobody knows).
    var events: [InputEvent] {
        if prefix == UInt8(ascii: "<") { return mouse.map { [.mouse($0)] } ?? [] }
        if prefix == UInt8(ascii: "[") {
            guard (0x41...0x45).contains(final) else { return [] }
            return [.key(.function(Int(final) - 0x40))]
        }
        guard prefix == nil, tail.isEmpty else { return [] }
        switch final {
        case UInt8(ascii: "I"): return [.focus(true)]
        case UInt8(ascii: "O"): return [.focus(false)]
        case UInt8(ascii: "u"): return unicodeKey(parameter(0, or: 0), Self.modifiers(parameter(1)))
        case UInt8(ascii: "Z"): return [.key(.backtab)]
        case UInt8(ascii: "~") where parameter(0) == 27 && parameters.count > 2:
            return unicodeKey(parameter(2), Self.modifiers(parameter(1)))
        case UInt8(ascii: "~"): return numbered(Self.modifiers(parameter(1)))
        case UInt8(ascii: "$"): return numbered(.shift)
        case UInt8(ascii: "^"): return numbered(.control)
        case UInt8(ascii: "@"): return numbered([.control, .shift])
        case 0x61...0x64:  // rxvt: Shift and an arrow
            return Self.arrow(final - 0x20).map { [.key(Key($0, .shift))] } ?? []
        default:
            guard parameter(0) == 1 else { return [] }  // a report of the cursor's place ends like F3
            return Self.letterKey(final).map { [.key(Key($0, Self.modifiers(parameter(1))))] } ?? []
        }
    }

    private func numbered(_ modifiers: Key.Modifiers) -> [InputEvent] {
        let code: Key.Code
        switch parameter(0) {
        case 1, 7: code = .home
        case 2: code = .insert
        case 3: code = .delete
        case 4, 8: code = .end
        case 5: code = .pageUp
        case 6: code = .pageDown
        case let number:
            guard let function = Self.functionKeys[number] else { return [] }
            code = .function(function)
        }
        return [.key(Key(code, modifiers))]
    }

    private static let functionKeys: [Int: Int] = [
        11: 1, 12: 2, 13: 3, 14: 4, 15: 5, 17: 6, 18: 7, 19: 8, 20: 9, 21: 10, 23: 11, 24: 12,
        25: 13, 26: 14, 28: 15, 29: 16, 31: 17, 32: 18, 33: 19, 34: 20,
    ]

    private func unicodeKey(_ value: Int, _ modifiers: Key.Modifiers) -> [InputEvent] {
        switch value {
        case 9: return [.key(Key(.tab, modifiers))]
        case 13: return [.key(Key(.enter, modifiers))]
        case 27: return [.key(Key(.escape, modifiers))]
        case 8, 127: return [.key(Key(.backspace, modifiers))]
        default:
            guard value >= 0x20, let scalar = UInt32(exactly: value).flatMap(Unicode.Scalar.init) else {
                return []
            }
            return [.key(Key(.character(Character(scalar)), modifiers).canonical)]
        }
    }

    private static func letterKey(_ byte: UInt8) -> Key.Code? {
        switch byte {
        case UInt8(ascii: "E"): nil
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "P")...UInt8(ascii: "S"): .function(Int(byte) - 0x4F)
        default: arrow(byte)
        }
    }

    private static func arrow(_ byte: UInt8) -> Key.Code? {
        switch byte {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        default: nil
        }
    }

    /// What follows `ESC O`: the keys of application mode and the keypad.
    static func singleShiftKey(_ byte: UInt8) -> Key.Code? {
        switch byte {
        case UInt8(ascii: "M"): .enter
        case UInt8(ascii: "I"): .tab
        case UInt8(ascii: "X"): .character("=")
        case UInt8(ascii: "j")...UInt8(ascii: "y"): .character(Character(Unicode.Scalar(byte - 0x40)))
        default: letterKey(byte)
        }
    }

    /// xterm's encoding: one more than the sum of Shift 1, Alt 2, Control 4, Meta 8.
    static func modifiers(_ parameter: Int) -> Key.Modifiers {
        let bits = max(parameter, 1) - 1
        var modifiers: Key.Modifiers = []
        if bits & 1 != 0 { modifiers.insert(.shift) }
        if bits & 0b1010 != 0 { modifiers.insert(.alt) }
        if bits & 4 != 0 { modifiers.insert(.control) }
        return modifiers
    }

    /// SGR mouse report: button, column, row from 1; `m` is a release.
    private var mouse: MouseEvent? {
        guard parameters.count == 3, final == UInt8(ascii: "M") || final == UInt8(ascii: "m") else {
            return nil
        }
        let button = parameters[0]
        let point = Point(column: Columns(max(parameters[1] - 1, 0)), row: max(parameters[2] - 1, 0))
        var modifiers: Key.Modifiers = []
        if button & 4 != 0 { modifiers.insert(.shift) }
        if button & 8 != 0 { modifiers.insert(.alt) }
        if button & 16 != 0 { modifiers.insert(.control) }
        let number = button & 3 + 1
        if button & 64 != 0 {
            guard number <= 2 else { return nil }  // sideways
            return MouseEvent(number == 1 ? .scrollUp : .scrollDown, at: point, modifiers: modifiers)
        }
        guard button & 3 != 3 else { return nil }
        if final == UInt8(ascii: "m") { return MouseEvent(.release(number), at: point, modifiers: modifiers) }
        let isDrag = button & 32 != 0
        return MouseEvent(isDrag ? .drag(number) : .press(number), at: point, modifiers: modifiers)
    }
}
