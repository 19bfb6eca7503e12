import Timestamps

extension FuzzTarget {
    /// Dates as servers write them: read, printed and read again they are the same instant.
    static let dates = FuzzTarget(
        "dates", words: ["T", "Z", "+00:00", "-23:59", "0001-01-01", "9999-12-31", "23:59:60", ".000000"],
        seeds: {
            [
                "2026-02-28T23:59:59.123456+00:00", "2024-02-29 00:00:00Z",
                "0001-01-01T00:00:00.000001-23:59",
                "9999-12-31t23:59:60.999999999,z", "1900-02-29T12:00:00+0530", "2000-02-29T12:00:00.5+14",
            ].map { Array($0.utf8) }
        },
        check: { input in
            input.variant == 1 ? printed(input.body) : read(input.text)
        })

    private static let first: Int64 = -62_135_596_800_000_000  // 0001-01-01T00:00:00Z
    private static let last: Int64 = 253_402_300_799_999_999  // 9999-12-31T23:59:59.999999Z

    private static func read(_ text: String) -> String? {
        guard let stamp = Timestamp(text) else { return nil }
        guard stamp.text == text else { return "the text is not kept" }
        guard (first...last).contains(stamp.microseconds) else {
            return "\(stamp.microseconds) is of no year"
        }
        let expected = ReferenceDate.microseconds(Array(text.utf8))
        guard stamp.microseconds == expected else { return "\(stamp.microseconds), not \(expected)" }
        return sameAgain(stamp.microseconds)
    }

    private static func printed(_ bytes: [UInt8]) -> String? {
        let number = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return sameAgain(first + Int64(number % UInt64(last - first + 1)))
    }

    private static func sameAgain(_ microseconds: Int64) -> String? {
        let own = Timestamp(microseconds: microseconds)
        guard Timestamp(own.text)?.microseconds == microseconds else {
            return "\(own.text) is not read again"
        }
        let auth = TimestampText.auth(microseconds)
        guard Timestamp(auth)?.microseconds == microseconds else { return "\(auth) is not read again" }
        let coarse = TimestampText.milliseconds(microseconds)
        guard let stamp = Timestamp(coarse), (0..<1_000).contains(microseconds - stamp.microseconds) else {
            return "\(coarse) is not read again"
        }
        return nil
    }
}

/// Dates the slow way: year by year, month by month. Takes only texts that are dates.
private enum ReferenceDate {
    static func microseconds(_ text: [UInt8]) -> Int64 {
        let year = number(text[0..<4])
        var days = daysBefore(year: year) - daysBefore(year: 1970) + number(text[8..<10]) - 1
        for month in 1..<number(text[5..<7]) { days += length(of: month, year) }
        let time = number(text[11..<13]) * 3_600 + number(text[14..<16]) * 60 + number(text[17..<19])
        let rest = text[19...]
        let hasFraction = rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ",")
        let digits = hasFraction ? rest.dropFirst().prefix { (0x30...0x39).contains($0) } : []
        let fraction = number((Array(digits.prefix(6)) + [UInt8](repeating: 0x30, count: 6))[..<6])
        let zone = rest.dropFirst(hasFraction ? digits.count + 1 : 0)
        return Int64(days * 86_400 + time - offset(zone)) * 1_000_000 + Int64(fraction)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int {
        digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }

    private static func offset(_ zone: ArraySlice<UInt8>) -> Int {
        let digits = zone.filter { (0x30...0x39).contains($0) }[...]
        let seconds = number(digits.prefix(2)) * 3_600 + number(digits.dropFirst(2)) * 60
        return zone.first == UInt8(ascii: "-") ? -seconds : seconds
    }

    private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private static func daysBefore(year: Int) -> Int {
        var days = 0
        for one in 1..<max(year, 1) { days += isLeap(one) ? 366 : 365 }
        return days
    }

    private static func length(of month: Int, _ year: Int) -> Int {
        [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }
}
