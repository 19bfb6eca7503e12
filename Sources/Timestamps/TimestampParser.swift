/// Reads dates tolerantly, over bytes: no allocation and no regular expression.
enum TimestampParser {
    /// Seconds since 1970 of the years 0001...9999 in UTC.
    private static let printable: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    static func microseconds(in text: String) -> Int64? {
        var text = text
        return text.withUTF8 { bytes in
            var reader = DigitReader(bytes: bytes)
            guard let days = reader.date(), let time = reader.timeOfDay(), let offset = reader.offset(),
                reader.isAtEnd
            else { return nil }
            let seconds = Int64(days) * 86_400 + time.seconds - offset
            // At the ends an offset leads into a year that has no text of its own.
            guard printable.contains(seconds) else { return nil }
            return seconds * 1_000_000 + time.microseconds
        }
    }
}

private struct DigitReader {
    let bytes: UnsafeBufferPointer<UInt8>
    var index = 0

    init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { index == bytes.count }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func take(_ choices: StaticString) -> UInt8? {
        guard let byte = next else { return nil }
        let matches = choices.withUTF8Buffer { $0.contains(byte) }
        guard matches else { return nil }
        index += 1
        return byte
    }

    /// Exactly `count` digits.
    private mutating func number(_ count: Int) -> Int? {
        guard index + count <= bytes.count else { return nil }
        var value = 0
        for byte in bytes[index..<index + count] {
            guard byte >= 0x30, byte <= 0x39 else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        index += count
        return value
    }

    /// `YYYY-MM-DD`, as days since 1970.
    mutating func date() -> Int? {
        guard let year = number(4), year >= 1, take("-") != nil,
            let month = number(2), (1...12).contains(month), take("-") != nil,
            let day = number(2), day >= 1, day <= CivilDate.daysInMonth(month, year: year)
        else { return nil }
        return CivilDate.days(year: year, month: month, day: day)
    }

    /// `THH:MM:SS` and any fraction.
    mutating func timeOfDay() -> (seconds: Int64, microseconds: Int64)? {
        guard take("Tt ") != nil, let hour = number(2), hour <= 23, take(":") != nil,
            let minute = number(2), minute <= 59, take(":") != nil, let second = number(2), second <= 60
        else { return nil }
        guard let fraction = fraction() else { return nil }
        return (Int64(hour * 3_600 + minute * 60 + second), fraction)
    }

    /// Microseconds; 0 without a fraction; `nil` when a point has no digit behind it.
    private mutating func fraction() -> Int64? {
        guard take(".,") != nil else { return 0 }
        var value: Int64 = 0
        var digits = 0
        while let digit = number(1) {
            if digits < 6 { value = value * 10 + Int64(digit) }
            digits += 1
        }
        guard digits > 0 else { return nil }
        for _ in min(digits, 6)..<6 { value *= 10 }
        return value
    }

    /// Seconds east of UTC.
    mutating func offset() -> Int64? {
        if isAtEnd || take("Zz") != nil { return 0 }
        guard let sign = take("+-"), let hours = number(2), hours <= 23 else { return nil }
        var minutes = 0
        if !isAtEnd {
            _ = take(":")
            guard let parsed = number(2), parsed <= 59 else { return nil }
            minutes = parsed
        }
        let seconds = Int64(hours * 3_600 + minutes * 60)
        return sign == UInt8(ascii: "-") ? -seconds : seconds
    }
}
