/// Finds the tokens of a JSON text. What is open is kept in a list and not on the stack, so that no depth harms.
struct JSONScanner {
    /// What the text came to, so far.
    private enum Step {
        /// A value must follow.
        case value
        /// A value has ended.
        case end
        case refused
    }

    private(set) var tokens: [JSONDocument.Token] = []
    private let refusesHalfPairs: Bool
    private var position = 0
    /// The arrays and objects around the position, by their tokens.
    private var open: [Int] = []

    /// - Parameter size: Bytes of the text.
    init(_ size: Int, refusesHalfPairs: Bool) {
        self.refusesHalfPairs = refusesHalfPairs
        tokens.reserveCapacity(size / 12 + 8)
    }

    /// - Returns: Whether the bytes are one JSON value and nothing else but space.
    mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var step = Step.value
        repeat {
            skipSpace(bytes)
            step = step == .end ? afterValue(bytes) : value(bytes)
            if step == .refused { return false }
        } while step == .value || !open.isEmpty
        skipSpace(bytes)
        return position == bytes.count
    }

    private mutating func skipSpace(_ bytes: UnsafeBufferPointer<UInt8>) {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    private mutating func take(_ byte: UInt8, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func value(_ bytes: UnsafeBufferPointer<UInt8>) -> Step {
        guard position < bytes.count else { return .refused }
        switch bytes[position] {
        case UInt8(ascii: "{"): return begin(.object, bytes)
        case UInt8(ascii: "["): return begin(.array, bytes)
        case UInt8(ascii: "\""): return string(bytes) ? .end : .refused
        case UInt8(ascii: "t"): return word("true", .yes, bytes) ? .end : .refused
        case UInt8(ascii: "f"): return word("false", .no, bytes) ? .end : .refused
        case UInt8(ascii: "n"): return word("null", .null, bytes) ? .end : .refused
        default: return number(bytes) ? .end : .refused
        }
    }

    private mutating func add(_ kind: JSONDocument.Token.Kind, _ start: Int, _ end: Int) {
        tokens.append(
            JSONDocument.Token(
                kind: kind, bytes: Int32(start)..<Int32(end), next: Int32(tokens.count + 1)))
    }

    private mutating func word(
        _ word: StaticString, _ kind: JSONDocument.Token.Kind, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        let start = position
        for index in 0..<word.utf8CodeUnitCount {
            guard take(word.utf8Start[index], bytes) else { return false }
        }
        add(kind, start, position)
        return true
    }

    // MARK: Arrays and objects

    private mutating func begin(_ kind: JSONDocument.Token.Kind, _ bytes: UnsafeBufferPointer<UInt8>) -> Step
    {
        open.append(tokens.count)
        add(kind, position, position)
        position += 1
        skipSpace(bytes)
        if take(kind == .object ? UInt8(ascii: "}") : UInt8(ascii: "]"), bytes) { return close() }
        return kind == .object ? key(bytes) : .value
    }

    /// A comma and what follows it, or the end of what is open.
    private mutating func afterValue(_ bytes: UnsafeBufferPointer<UInt8>) -> Step {
        guard let index = open.last else { return .refused }
        let isObject = tokens[index].kind == .object
        if take(UInt8(ascii: ","), bytes) { return isObject ? key(bytes) : .value }
        return take(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"), bytes) ? close() : .refused
    }

    private mutating func key(_ bytes: UnsafeBufferPointer<UInt8>) -> Step {
        skipSpace(bytes)
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\""), string(bytes) else {
            return .refused
        }
        skipSpace(bytes)
        return take(UInt8(ascii: ":"), bytes) ? .value : .refused
    }

    private mutating func close() -> Step {
        tokens[open.removeLast()].next = Int32(tokens.count)
        return .end
    }

    // MARK: Strings and numbers

    private mutating func string(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let start = position + 1
        var end = start
        var kind = JSONDocument.Token.Kind.plainString
        while end < bytes.count {
            switch bytes[end] {
            case UInt8(ascii: "\""):
                add(kind, start, end)
                position = end + 1
                return true
            case UInt8(ascii: "\\"):
                kind = .escapedString
                guard let size = JSONEscapes.size(bytes, at: end, refusesHalfPairs: refusesHalfPairs) else {
                    return false
                }
                end += size
            case 0..<0x20: return false
            default: end += 1
            }
        }
        return false
    }

    private mutating func number(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let start = position
        _ = take(UInt8(ascii: "-"), bytes)
        if !take(UInt8(ascii: "0"), bytes) { guard digits(bytes) else { return false } }
        if take(UInt8(ascii: "."), bytes) { guard digits(bytes) else { return false } }
        if take(UInt8(ascii: "e"), bytes) || take(UInt8(ascii: "E"), bytes) {
            if !take(UInt8(ascii: "+"), bytes) { _ = take(UInt8(ascii: "-"), bytes) }
            guard digits(bytes) else { return false }
        }
        add(.number, start, position)
        return true
    }

    private mutating func digits(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let start = position
        while position < bytes.count, (0x30...0x39).contains(bytes[position]) { position += 1 }
        return position > start
    }
}
