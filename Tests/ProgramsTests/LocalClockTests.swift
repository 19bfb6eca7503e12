import Glibc
import Testing

@testable import Programs

/// One after the other: the zone belongs to the process.
@Suite(.serialized)
struct LocalClockTests {
    private func inZone<Value>(_ zone: String, _ body: () throws -> Value) rethrows -> Value {
        let before = getenv("TZ").map { String(cString: $0) }
        setenv("TZ", zone, 1)
        LocalClock.system.reload()
        defer {
            if let before { setenv("TZ", before, 1) } else { unsetenv("TZ") }
            LocalClock.system.reload()
        }
        return try body()
    }

    // 2026-03-29 01:00 UTC, when central Europe goes to summer time.
    private let change: Int64 = 1_774_746_000_000_000

    @Test func summerTimeChangesTheOffset() {
        inZone("CET-1CEST,M3.5.0,M10.5.0/3") {
            #expect(LocalClock.system.offset(at: change - 1) == 3_600)
            #expect(LocalClock.system.offset(at: change) == 7_200)
            #expect(LocalClock.system.text(change - 1, "%H:%M:%S") == "01:59:59")
            #expect(LocalClock.system.text(change, "%H:%M:%S") == "03:00:00")
        }
    }

    @Test func whatWasFoundInOneZoneIsNotToldInAnother() {
        #expect(inZone("CET-1") { LocalClock.system.offset(at: change) } == 3_600)
        #expect(inZone("EST5") { LocalClock.system.offset(at: change) } == -18_000)
    }

    @Test func anOffsetIsFoundOnceInAQuarterOfAnHour() {
        var found = FoundOffsets()
        var questions: [Int64] = []
        func offset(_ seconds: Int64) -> Int {
            found.offset(at: seconds) {
                questions.append(seconds)
                return Int(seconds / 900 % 1_000)
            }
        }
        let start: Int64 = 1_774_746_000
        for seconds in [start, start + 1, start + 899, start + 900, start + 64 * 900, start] {
            #expect(offset(seconds) == Int(seconds / 900 % 1_000))
        }
        #expect(questions == [start, start + 900, start + 64 * 900, start])
    }

    @Test func beforeTheQuartersOfAnHourEveryInstantIsLookedUp() {
        var found = FoundOffsets()
        for seconds in [Int64(-1), 0, 1] {
            #expect(found.offset(at: seconds) { Int(seconds) } == Int(seconds))
        }
    }

    /// Midnight to midnight on the days in which the clocks of Berlin change, half an hour at a time.
    @Test(arguments: ["CET-1CEST,M3.5.0,M10.5.0/3", "Europe/Berlin"])
    func t04TheDayOfTheChangeHasAsManyHoursAsItHas(_ zone: String) {
        inZone(zone) {
            guard zone.hasPrefix("CET") || access("/usr/share/zoneinfo/\(zone)", R_OK) == 0 else { return }
            // From 2031-10-25 and 2031-03-29, 20:00 UTC, for thirty hours.
            for (start, day, hours) in [(1_950_724_800, 26, 25), (1_932_580_800, 30, 23)] {
                let times = stride(from: start, to: start + 30 * 3_600, by: 1_800).compactMap {
                    LocalClock.system.civil(Int64($0) * 1_000_000)
                }
                #expect(times.count == 60)
                #expect(times.count { $0.day == day } == hours * 2)
                let firstOfDay = times.first { $0.day == day }
                #expect(firstOfDay?.hour == 0 && firstOfDay?.minute == 0)
                #expect(times.count { $0.day == day && $0.hour == 2 } == (hours == 25 ? 4 : 0))
            }
        }
    }

    @Test func anInstantHasItsPlaceOnTheCalendar() {
        inZone("<+0545>-5:45") {
            let time = LocalClock.system.civil(change)
            #expect(
                time
                    == LocalTime(
                        year: 2026, month: 3, day: 29, hour: 6, minute: 45, weekday: 0, offset: 20_700))
        }
    }

    @Test func timesBefore1970AreRoundedDownwards() {
        inZone("UTC0") {
            #expect(LocalClock.system.text(-1, "%Y-%m-%d %H:%M:%S") == "1969-12-31 23:59:59")
        }
    }

    @Test func farAwayInstantsHaveACalendarOrNone() {
        inZone("UTC0") {
            #expect(LocalClock.system.civil(.max)?.year == 294_247)
            #expect(LocalClock.system.text(0, "") == "")
            #expect(LocalClock.system.text(0, String(repeating: "%Y", count: 80)) == "")
        }
    }
}
