/// What a backslash in a JSON string stands for.
enum JSONEscapes {
    /// - Parameters:
    ///   - index: Where the backslash is.
    ///   - refusesHalfPairs: A pair of surrogates is then one escape of 12 bytes, and half of one is none.
    /// - Returns: How many bytes the escape has; `nil` when there is no such escape.
    static func size(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int, refusesHalfPairs: Bool) -> Int? {
        guard index + 1 < bytes.count else { return nil }
        guard bytes[index + 1] == UInt8(ascii: "u") else {
            return scalar(bytes[index + 1]) == nil ? nil : 2
        }
        guard let first = unit(bytes, at: index) else { return nil }
        guard refusesHalfPairs, UTF16.isSurrogate(first) else { return 6 }
        guard UTF16.isLeadSurrogate(first), let second = unit(bytes, at: index + 6),
            UTF16.isTrailSurrogate(second)
        else { return nil }
        return 12
    }

    /// - Parameter bytes: The inside of a string whose escapes have been checked.
    static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "\\") else {
                text.append(bytes[index])
                index += 1
                continue
            }
            let (scalar, size) = read(bytes, at: index)
            text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            index += size
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func read(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> (Unicode.Scalar, Int) {
        let replacement: Unicode.Scalar = "\u{FFFD}"
        guard let first = unit(bytes, at: index) else {
            return (index + 1 < bytes.count ? scalar(bytes[index + 1]) ?? replacement : replacement, 2)
        }
        guard UTF16.isLeadSurrogate(first) else { return (Unicode.Scalar(first) ?? replacement, 6) }
        guard let second = unit(bytes, at: index + 6), UTF16.isTrailSurrogate(second) else {
            return (replacement, 6)
        }
        let value = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
        return (Unicode.Scalar(value) ?? replacement, 12)
    }

    /// The number of `\uXXXX` at the index; `nil` when there is none.
    private static func unit(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt16? {
        guard index + 6 <= bytes.count, bytes[index] == UInt8(ascii: "\\"),
            bytes[index + 1] == UInt8(ascii: "u")
        else { return nil }
        var value: UInt16 = 0
        for byte in bytes[index + 2..<index + 6] {
            guard let digit = HexDigit.value(byte) else { return nil }
            value = value << 4 | UInt16(digit)
        }
        return value
    }

    private static func scalar(_ byte: UInt8) -> Unicode.Scalar? {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): Unicode.Scalar(byte)
        case UInt8(ascii: "b"): "\u{8}"
        case UInt8(ascii: "f"): "\u{C}"
        case UInt8(ascii: "n"): "\n"
        case UInt8(ascii: "r"): "\r"
        case UInt8(ascii: "t"): "\t"
        default: nil
        }
    }
}

enum HexDigit {
    static func value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
