import FoundationEssentials
import Screens
import TestSupport
import Testing
import ViewModels

@testable import App

@MainActor @Suite(.timeLimit(.minutes(1))) struct DayTrialTests {
    /// Berlin on the night in which summer time ends: from 2031-10-26 01:00 UTC on an hour less.
    private let berlin = ClockFormat { $0.timeIntervalSince1970 < 1_950_742_800 ? 7_200 : 3_600 }

    @MainActor
    private final class Turns {
        var dates: [Date] = []
    }

    @Test func t04TheScreenIsDrawnAnewAtEachLocalMidnightAndNotBefore() async {
        // 2031-10-25 23:59:30 in Berlin.
        let clock = ManualClock(Date(timeIntervalSince1970: 1_950_731_970))
        let turns = Turns()
        let following = Task { [berlin] in
            await berlin.followDays(Timekeeper(now: { clock.now }, sleep: { try await clock.sleep($0) })) {
                turns.dates.append(clock.now)
            }
        }
        await until { clock.sleeperCount == 1 }
        clock.advance(by: 29)
        await settle()
        #expect(turns.dates.isEmpty)
        clock.advance(by: 1)
        await until { turns.dates.count == 1 && clock.sleeperCount == 1 }
        // The day that begins now has twenty-five hours.
        clock.advance(by: 24 * 3_600)
        await settle()
        #expect(turns.dates.count == 1)
        clock.advance(by: 3_600)
        await until { turns.dates.count == 2 }
        #expect(turns.dates.map { $0.timeIntervalSince1970 } == [1_950_732_000, 1_950_822_000])
        following.cancel()
        await following.value
    }
}
