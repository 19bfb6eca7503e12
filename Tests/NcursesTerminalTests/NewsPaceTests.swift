import Testing

@testable import NcursesTerminal

@Suite struct NewsPaceTests {
    private let second: UInt64 = 1_000_000_000

    @Test func aChangeAndWhatFollowsFromItAreDrawnAtOnce() {
        var pace = NewsPace()
        var now = 10 * second
        for _ in 0..<NewsPace.burst {
            #expect(pace.due(at: now) == now)
            pace.drew(at: now)
            now += 1_000_000
        }
        #expect(pace.due(at: now) > now + NewsPace.interval / 2)
    }

    @Test func aFloodIsDrawnThirtyTimesASecond() {
        var pace = NewsPace()
        let start = 10 * second
        var now = start
        var frames: UInt64 = 0
        while now < start + second {
            now = pace.due(at: now)
            pace.drew(at: now)
            frames += 1
        }
        #expect((30...34).contains(frames))
    }

    @Test func typingDoesNotMakeNewsWait() {
        var pace = NewsPace()
        var now = 10 * second
        for _ in 0..<100 {
            now += 1_000_000
            pace.drew(at: now)
        }
        #expect(pace.due(at: now) <= now + NewsPace.interval)
    }

    @Test func rightAfterTheMachineStartedTooTimeDoesNotRunBackwards() {
        var pace = NewsPace()
        pace.drew(at: 5)
        #expect(pace.due(at: 6) >= 6)
    }
}
