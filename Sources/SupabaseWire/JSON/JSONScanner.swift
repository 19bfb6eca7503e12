/// Finds the tokens of a JSON text.
struct JSONScanner {
    private static let depthLimit = 512

    private(set) var tokens: [JSONDocument.Token] = []
    private var position = 0

    /// - Parameter size: Bytes of the text.
    init(_ size: Int) {
        tokens.reserveCapacity(size / 12 + 8)
    }

    /// - Returns: Whether the bytes are one JSON value and nothing else but space.
    mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        skipSpace(bytes)
        guard value(bytes, depth: 0) else { return false }
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

    private mutating func value(_ bytes: UnsafeBufferPointer<UInt8>, depth: Int) -> Bool {
        guard position < bytes.count, depth <= Self.depthLimit else { return false }
        switch bytes[position] {
        case UInt8(ascii: "\""): return string(bytes)
        case UInt8(ascii: "{"): return object(bytes, depth: depth)
        case UInt8(ascii: "["): return array(bytes, depth: depth)
        case UInt8(ascii: "t"): return word("true", .yes, bytes)
        case UInt8(ascii: "f"): return word("false", .no, bytes)
        case UInt8(ascii: "n"): return word("null", .null, bytes)
        default: return number(bytes)
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

    private mutating func array(_ bytes: UnsafeBufferPointer<UInt8>, depth: Int) -> Bool {
        let index = open(.array)
        skipSpace(bytes)
        if take(UInt8(ascii: "]"), bytes) { return close(index) }
        while true {
            skipSpace(bytes)
            guard value(bytes, depth: depth + 1) else { return false }
            skipSpace(bytes)
            if take(UInt8(ascii: "]"), bytes) { return close(index) }
            guard take(UInt8(ascii: ","), bytes) else { return false }
        }
    }

    private mutating func object(_ bytes: UnsafeBufferPointer<UInt8>, depth: Int) -> Bool {
        let index = open(.object)
        skipSpace(bytes)
        if take(UInt8(ascii: "}"), bytes) { return close(index) }
        while true {
            skipSpace(bytes)
            guard position < bytes.count, bytes[position] == UInt8(ascii: "\""), string(bytes) else {
                return false
            }
            skipSpace(bytes)
            guard take(UInt8(ascii: ":"), bytes) else { return false }
            skipSpace(bytes)
            guard value(bytes, depth: depth + 1) else { return false }
            skipSpace(bytes)
            if take(UInt8(ascii: "}"), bytes) { return close(index) }
            guard take(UInt8(ascii: ","), bytes) else { return false }
        }
    }

    private mutating func open(_ kind: JSONDocument.Token.Kind) -> Int {
        add(kind, position, position)
        position += 1
        return tokens.count - 1
    }

    private mutating func close(_ index: Int) -> Bool {
        tokens[index].next = Int32(tokens.count)
        return true
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
                guard let size = JSONEscapes.size(bytes, at: end) else { return false }
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
