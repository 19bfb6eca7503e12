import FoundationEssentials
import Testing

@testable import Screens

@Suite struct ClockFormatTests {
    /// Central Europe in 2031: summer time from 30 March to 26 October, changing at 01:00 UTC.
    private let berlin = ClockFormat { date in
        let seconds = date.timeIntervalSince1970
        return seconds >= 1_932_598_800 && seconds < 1_950_742_800 ? 7_200 : 3_600
    }

    private func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

    @Test func t04TheLongDayOfAutumnIsOneDay() throws {
        let first = try date("2031-10-25T22:00:00Z")
        let last = try date("2031-10-26T22:59:59Z")
        #expect(berlin.text(first) == "00:00")
        #expect(berlin.text(last) == "23:59")
        #expect(berlin.day(of: first) == berlin.day(of: last))
        #expect(berlin.day(of: first.addingTimeInterval(-1)) == berlin.day(of: first) - 1)
        #expect(berlin.day(of: last.addingTimeInterval(1)) == berlin.day(of: last) + 1)
        #expect(berlin.text(try date("2031-10-26T00:30:00Z")) == "02:30")
        #expect(berlin.text(try date("2031-10-26T01:30:00Z")) == "02:30")
    }

    @Test func t04TheShortDayOfSpringIsOneDay() throws {
        let first = try date("2031-03-29T23:00:00Z")
        let last = try date("2031-03-30T21:59:59Z")
        #expect(berlin.text(first) == "00:00")
        #expect(berlin.day(of: first) == berlin.day(of: last))
        #expect(berlin.day(of: last.addingTimeInterval(1)) == berlin.day(of: last) + 1)
    }

    @Test func t04TheNextDayBeginsAtLocalMidnightAlsoWhenTheClockChanges() throws {
        for start in ["2031-10-25T22:30:00Z", "2031-10-26T12:00:00Z", "2031-10-26T00:30:00Z"] {
            #expect(berlin.nextDay(after: try date(start)) == (try date("2031-10-26T23:00:00Z")))
        }
        #expect(berlin.nextDay(after: try date("2031-03-30T00:30:00Z")) == (try date("2031-03-30T22:00:00Z")))
        #expect(
            ClockFormat.utc.nextDay(after: try date("2026-12-31T23:59:59Z"))
                == (try date("2027-01-01T00:00:00Z")))
    }

    @Test func t04TodayBecomesYesterdayByTimePassing() throws {
        let sent = try date("2026-10-12T23:50:00Z")
        let day = ClockFormat.utc.day(of: sent)
        #expect(ClockFormat.utc.dayTitle(day, now: sent) == "Today")
        #expect(ClockFormat.utc.dayTitle(day, now: try date("2026-10-13T00:00:00Z")) == "Yesterday")
        #expect(ClockFormat.utc.dayTitle(day, now: try date("2026-10-16T00:00:00Z")) == "Monday")
        #expect(ClockFormat.utc.dayTitle(day, now: try date("2026-10-30T00:00:00Z")) == "Mon 12 October")
        #expect(ClockFormat.utc.dayTitle(day, now: try date("2027-02-01T00:00:00Z")) == "12 October 2026")
    }

    @Test func theListTellsTheShortestThatIsClear() throws {
        let sent = try date("2026-10-12T09:41:00Z")
        #expect(ClockFormat.utc.shortText(sent, now: sent) == "09:41")
        #expect(ClockFormat.utc.shortText(sent, now: try date("2026-10-13T09:00:00Z")) == "Mon")
        #expect(ClockFormat.utc.shortText(sent, now: try date("2026-11-13T09:00:00Z")) == "12 Oct")
        #expect(ClockFormat.utc.shortText(sent, now: try date("2027-12-13T09:00:00Z")) == "2026")
    }

    @Test func datesFarAwayDoNotTrap() {
        for seconds in [-1e300, -1e12, 0, 1e12, 1e300] {
            #expect(ClockFormat.utc.text(Date(timeIntervalSince1970: seconds)).count == 5)
        }
    }
}
