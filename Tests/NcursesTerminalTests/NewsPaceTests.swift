import Testing

@testable import NcursesTerminal

@Suite struct NewsPaceTests {
    private let second: UInt64 = 1_000_000_000
    private let millisecond: UInt64 = 1_000_000

    @Test func aChangeAndTheOneThatFollowsFromItAreDrawnAtOnce() {
        var pace = NewsPace()
        let now = 10 * second
        #expect(pace.due(at: now) == now)
        pace.drewNews(at: now)
        #expect(pace.due(at: now + millisecond) == now + millisecond)
        pace.drewNews(at: now + millisecond)
        #expect(pace.due(at: now + 2 * millisecond) == now + millisecond + NewsPace.shortest)
    }

    @Test func aFloodIsDrawnMoreAndMoreRarely() {
        var pace = NewsPace()
        var now = 10 * second
        var gaps: [UInt64] = []
        for _ in 0..<10 {
            let due = pace.due(at: now)
            gaps.append(due - now)
            now = due
            pace.drewNews(at: now)
        }
        #expect(gaps.dropFirst(2) == gaps.dropFirst(2).sorted()[...])
        #expect(gaps.last == NewsPace.longest)
    }

    @Test func afterARestThePaceIsTheFirstOneAgain() {
        var pace = NewsPace()
        var now = 10 * second
        for _ in 0..<10 {
            now = pace.due(at: now)
            pace.drewNews(at: now)
        }
        now += NewsPace.rest
        #expect(pace.due(at: now) == now)
        pace.drewNews(at: now)
        pace.drewNews(at: now + 1)
        #expect(pace.due(at: now + 2) == now + 1 + NewsPace.shortest)
    }

    @Test func typingMakesNewsWaitNoLongerThanOneInterval() {
        var pace = NewsPace()
        var now = 10 * second
        for _ in 0..<100 {
            now += millisecond
            pace.drew(at: now)
        }
        #expect(pace.due(at: now) <= now + NewsPace.shortest)
    }
}
