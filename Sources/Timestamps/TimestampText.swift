/// Prints instants the way the services do; the wire contract fixes the digits of each form.
package enum TimestampText {
    /// REST and change feed rows: up to six fraction digits, trailing zeros dropped, always `+00:00`.
    package static func rest(_ microseconds: Int64) -> String {
        let (seconds, remainder) = split(microseconds)
        var fraction = remainder
        var text = dateAndTime(seconds)
        if fraction != 0 {
            var digits = 6
            while fraction % 10 == 0 {
                fraction /= 10
                digits -= 1
            }
            text += "." + padded(fraction, to: digits)
        }
        return text + "+00:00"
    }

    /// Auth: six fraction digits and `Z`.
    package static func auth(_ microseconds: Int64) -> String {
        let (seconds, fraction) = split(microseconds)
        return dateAndTime(seconds) + "." + padded(fraction, to: 6) + "Z"
    }

    /// Storage and `commit_timestamp`: three fraction digits and `Z`.
    package static func milliseconds(_ microseconds: Int64) -> String {
        let (seconds, fraction) = split(microseconds)
        return dateAndTime(seconds) + "." + padded(fraction / 1_000, to: 3) + "Z"
    }

    private static func split(_ microseconds: Int64) -> (seconds: Int64, fraction: Int64) {
        let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return remainder < 0 ? (quotient - 1, remainder + 1_000_000) : (quotient, remainder)
    }

    private static func dateAndTime(_ seconds: Int64) -> String {
        var days = seconds / 86_400
        var rest = seconds % 86_400
        if rest < 0 {
            days -= 1
            rest += 86_400
        }
        let (year, month, day) = CivilDate.date(days: Int(days))
        return padded(Int64(year), to: 4) + "-" + padded(Int64(month), to: 2) + "-"
            + padded(Int64(day), to: 2)
            + "T" + padded(rest / 3_600, to: 2) + ":" + padded(rest / 60 % 60, to: 2) + ":"
            + padded(rest % 60, to: 2)
    }

    private static func padded(_ value: Int64, to digits: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}
