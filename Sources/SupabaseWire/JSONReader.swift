import FoundationEssentials

extension WireCoding {
    /// JSON of any shape, read in one pass. The decoder's way would try each kind in turn and throw for each
    /// that it is not, which takes tens of times as long.
    /// - Throws: `.notJSON`.
    package static func decode(_ type: JSONValue.Type = JSONValue.self, from data: Data) throws(WireError)
        -> JSONValue
    {
        try JSONReader.read(Array(data))
    }

    /// As `decode(_:from:)` of data.
    package static func decode(_ type: JSONValue.Type = JSONValue.self, from text: String) throws(WireError)
        -> JSONValue
    {
        try JSONReader.read(Array(text.utf8))
    }

    /// As `decode(_:from:)` of data.
    package static func decode(_ type: JSONValue.Type = JSONValue.self, from bytes: [UInt8]) throws(WireError)
        -> JSONValue
    {
        try JSONReader.read(bytes)
    }
}

/// Reads one JSON text (RFC 8259), strictly: nothing behind it, no comments, valid UTF-8 only.
///
/// Of a key that comes twice the first value counts. Numbers without a fraction that fit are integers.
struct JSONReader {
    /// Objects and lists inside each other; deeper ones would cost stack.
    private static let deepest = 512
    private let bytes: [UInt8]
    private var index = 0
    private var depth = 0

    static func read(_ bytes: [UInt8]) throws(WireError) -> JSONValue {
        var reader = JSONReader(bytes: bytes)
        let value = try reader.value()
        reader.skipSpace()
        guard reader.index == bytes.count else { throw .notJSON }
        return value
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func value() throws(WireError) -> JSONValue {
        skipSpace()
        switch peek {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try list()
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func object() throws(WireError) -> JSONValue {
        try descend()
        var members: [String: JSONValue] = [:]
        if take(UInt8(ascii: "}")) { return .object(members) }
        repeat {
            skipSpace()
            let key = try string()
            guard take(UInt8(ascii: ":")) else { throw .notJSON }
            let value = try value()
            if members[key] == nil { members[key] = value }
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw .notJSON }
        depth -= 1
        return .object(members)
    }

    private mutating func list() throws(WireError) -> JSONValue {
        try descend()
        var values: [JSONValue] = []
        if take(UInt8(ascii: "]")) { return .array(values) }
        repeat { values.append(try value()) } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw .notJSON }
        depth -= 1
        return .array(values)
    }

    private mutating func descend() throws(WireError) {
        index += 1
        depth += 1
        guard depth <= Self.deepest else { throw .notJSON }
    }

    private mutating func word(_ text: StaticString, _ value: JSONValue) throws(WireError) -> JSONValue {
        let length = text.utf8CodeUnitCount
        let isThere = text.withUTF8Buffer { bytes[index...].prefix(length).elementsEqual($0) }
        guard isThere else { throw .notJSON }
        index += length
        return value
    }

    // MARK: - Strings

    private mutating func string() throws(WireError) -> String {
        guard peek == UInt8(ascii: "\"") else { throw .notJSON }
        index += 1
        let start = index
        while let byte = peek, byte >= 0x20, byte != UInt8(ascii: "\\") {
            index += 1
            if byte == UInt8(ascii: "\"") { return try text(bytes[start..<index - 1]) }
        }
        return try escapedString(from: start)
    }

    /// The rest of a string with escapes in it; what is before `index` has none.
    private mutating func escapedString(from start: Int) throws(WireError) -> String {
        var unescaped = Array(bytes[start..<index])
        while let byte = peek, byte >= 0x20 {
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return try text(unescaped[...])
            case UInt8(ascii: "\\"): try escape(into: &unescaped)
            default: unescaped.append(byte)
            }
        }
        throw .notJSON
    }

    private mutating func escape(into unescaped: inout [UInt8]) throws(WireError) {
        guard let byte = peek else { throw .notJSON }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): unescaped.append(byte)
        case UInt8(ascii: "b"): unescaped.append(0x08)
        case UInt8(ascii: "f"): unescaped.append(0x0C)
        case UInt8(ascii: "n"): unescaped.append(0x0A)
        case UInt8(ascii: "r"): unescaped.append(0x0D)
        case UInt8(ascii: "t"): unescaped.append(0x09)
        case UInt8(ascii: "u"): unescaped.append(contentsOf: String(Character(try scalar())).utf8)
        default: throw .notJSON
        }
    }

    /// The scalar behind `\u`; one above the first plane is a pair of surrogates.
    private mutating func scalar() throws(WireError) -> Unicode.Scalar {
        let first = try fourDigits()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard (0xD800..<0xDC00).contains(first), peek == UInt8(ascii: "\\"), index + 1 < bytes.count,
            bytes[index + 1] == UInt8(ascii: "u")
        else { throw .notJSON }
        index += 2
        let second = try fourDigits()
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x1_0000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw .notJSON }
        return scalar
    }

    private mutating func fourDigits() throws(WireError) -> UInt32 {
        guard index + 4 <= bytes.count else { throw .notJSON }
        var value: UInt32 = 0
        for byte in bytes[index..<index + 4] {
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x41...0x46: digit = byte - 0x41 + 10
            case 0x61...0x66: digit = byte - 0x61 + 10
            default: throw .notJSON
            }
            value = value << 4 | UInt32(digit)
        }
        index += 4
        return value
    }

    private func text(_ bytes: ArraySlice<UInt8>) throws(WireError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notJSON }
        return text
    }

    // MARK: - Numbers

    private mutating func number() throws(WireError) -> JSONValue {
        let start = index
        if peek == UInt8(ascii: "-") { index += 1 }
        if peek == UInt8(ascii: "0") { index += 1 } else { try digits() }
        var isWhole = true
        if peek == UInt8(ascii: ".") {
            index += 1
            isWhole = false
            try digits()
        }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            index += 1
            isWhole = false
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { index += 1 }
            try digits()
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        if isWhole, let integer = Int64(text) { return .integer(integer) }
        guard let number = Double(text), number.isFinite else { throw .notJSON }
        if let integer = Int64(exactly: number) { return .integer(integer) }
        return .number(number)
    }

    private mutating func digits() throws(WireError) {
        let start = index
        while let byte = peek, (0x30...0x39).contains(byte) { index += 1 }
        guard index > start else { throw .notJSON }
    }

    // MARK: - Bytes

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    /// Passes over space, and over `byte` if it comes next.
    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard peek == byte else { return false }
        index += 1
        return true
    }
}
