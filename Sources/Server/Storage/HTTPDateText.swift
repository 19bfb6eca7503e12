import Timestamps

/// Dates of HTTP headers: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 section 5.6.7).
enum HTTPDateText {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// - Parameter microseconds: Since 1970; what is before counts as its first second.
    static func text(_ microseconds: Int64) -> String {
        let seconds = max(0, microseconds / 1_000_000)
        let day = Int(seconds / 86_400)
        let date = CivilDate.date(days: day)
        let clock = [seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60].map { two(Int($0)) }
        return "\(days[day % 7]), \(two(date.day)) \(months[date.month - 1]) \(date.year) "
            + clock.joined(separator: ":") + " GMT"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
