import FoundationEssentials
import Timestamps

/// Local time as text. It knows the time zone only by its offsets, so any zone with any rules will do.
package struct ClockFormat: Sendable {
    /// Seconds east of UTC at a moment.
    private let offset: @Sendable (Date) -> Int

    package init(offset: @escaping @Sendable (Date) -> Int) { self.offset = offset }

    package static let utc = ClockFormat { _ in 0 }

    private func localSeconds(_ date: Date) -> Int {
        // Far outside of what a calendar can say, any day is as good as another.
        let seconds = min(max(date.timeIntervalSince1970, -62_000_000_000), 250_000_000_000)
        return Int(seconds.rounded(.down)) + offset(date)
    }

    /// The local day a moment belongs to, counted from 1970-01-01.
    package func day(of date: Date) -> Int { Self.quotient(localSeconds(date), 86_400) }

    /// `09:41`
    package func text(_ date: Date) -> String {
        let seconds = localSeconds(date)
        let minutes = (seconds - Self.quotient(seconds, 86_400) * 86_400) / 60
        return Self.twoDigits(minutes / 60) + ":" + Self.twoDigits(minutes % 60)
    }

    /// `12 October 2026, 09:41`
    package func fullText(_ date: Date) -> String {
        let (year, month, day) = CivilDate.date(days: self.day(of: date))
        return "\(day) \(Self.months[month - 1]) \(year), \(text(date))"
    }

    /// The next moment at which another local day begins; when `Today` becomes `Yesterday`.
    package func nextDay(after date: Date) -> Date {
        let midnight = (day(of: date) + 1) * 86_400
        // The offset at midnight may not be the one now; the second look is right unless it changes just then.
        let guess = Date(timeIntervalSince1970: Double(midnight - offset(date)))
        let better = Date(timeIntervalSince1970: Double(midnight - offset(guess)))
        return better > date ? better : guess
    }

    /// What stands over a day's messages: `Today`, `Yesterday`, `Monday`, `Mon 12 October`, `12 October 2025`.
    package func dayTitle(_ day: Int, now: Date) -> String {
        let today = self.day(of: now)
        switch today - day {
        case 0: return "Today"
        case 1: return "Yesterday"
        case 2...6: return Self.weekday(day)
        default: break
        }
        let (year, month, dayOfMonth) = CivilDate.date(days: day)
        let date = "\(dayOfMonth) \(Self.months[month - 1])"
        guard year == CivilDate.date(days: today).year else { return "\(date) \(year)" }
        return "\(Self.weekday(day).prefix(3)) \(date)"
    }

    /// The shortest that tells when, for a list: `09:41`, `Mon`, `12 Oct`, `2025`; at most 6 columns.
    package func shortText(_ date: Date, now: Date) -> String {
        let (day, today) = (self.day(of: date), self.day(of: now))
        switch today - day {
        case ...0: return text(date)
        case 1...6: return String(Self.weekday(day).prefix(3))
        default: break
        }
        let (year, month, dayOfMonth) = CivilDate.date(days: day)
        guard today - day > 300, year != CivilDate.date(days: today).year else {
            return "\(dayOfMonth) \(Self.months[month - 1].prefix(3))"
        }
        return "\(year)"
    }

    // MARK: The calendar

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
        "November", "December",
    ]
    private static let weekdays = [
        "Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday",
    ]

    /// 1970-01-01 was a Thursday.
    private static func weekday(_ day: Int) -> String { weekdays[((day % 7) + 7) % 7] }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func quotient(_ number: Int, _ divisor: Int) -> Int {
        (number - ((number % divisor) + divisor) % divisor) / divisor
    }
}
