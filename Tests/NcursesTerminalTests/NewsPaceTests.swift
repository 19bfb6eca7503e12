import Testing

@testable import NcursesTerminal

@Suite struct NewsPaceTests {
    private let second: UInt64 = 1_000_000_000
    private let millisecond: UInt64 = 1_000_000

    @Test func aChangeAndTheOneThatFollowsFromItAreDrawnAtOnce() {
        var pace = NewsPace()
        let now = 10 * second
        #expect(pace.due(at: now) == now)
        pace.drew(bytes: 200, at: now)
        #expect(pace.due(at: now + millisecond) == now + millisecond)
        pace.drew(bytes: 40, at: now + millisecond)
        #expect(pace.due(at: now + 2 * millisecond) == now + millisecond + NewsPace.shortest)
    }

    @Test(arguments: [500, 1_500, 2_500]) func aFloodIsDrawnAsFastAsASlowLineCarriesIt(bytes: Int) {
        var pace = NewsPace()
        let began = 10 * second
        var now = began
        for _ in 0..<100 {
            now = pace.due(at: now)
            pace.drew(bytes: bytes, at: now)
        }
        let perFrame = (now - began) / 100
        let carried = UInt64(bytes) * NewsPace.nanosecondsPerByte
        #expect(perFrame <= max(carried, NewsPace.shortest))
        #expect(perFrame * 100 >= max(carried, NewsPace.shortest) * 97)
    }

    @Test func aFrameOfAnySizeHoldsTheNextBackNoLongerThanTheLongestPause() {
        var pace = NewsPace()
        let now = 10 * second
        pace.drew(bytes: 1_000_000, at: now)
        #expect(pace.due(at: now) == now + NewsPace.longest)
    }

    @Test func afterARestThePaceIsTheFirstOneAgain() {
        var pace = NewsPace()
        var now = 10 * second
        for _ in 0..<10 {
            now = pace.due(at: now)
            pace.drew(bytes: 1_500, at: now)
        }
        now += NewsPace.rest
        #expect(pace.due(at: now) == now)
        pace.drew(bytes: 100, at: now)
        #expect(pace.due(at: now + 1) == now + 1)
    }

    @Test func typingMakesNewsWaitNoLongerThanOneInterval() {
        var pace = NewsPace()
        var now = 10 * second
        for _ in 0..<100 {
            now += millisecond
            pace.drew(bytes: 2, at: now)
        }
        #expect(pace.due(at: now) <= now + NewsPace.shortest)
    }
}
