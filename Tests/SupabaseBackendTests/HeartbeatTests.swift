import Backend
import Models
import SupabaseWire
import Testing

@testable import SupabaseBackend

@Suite struct HeartbeatTests {
    @Test func aSilentLinkIsDeadWithinFortySeconds() {
        var driver = CoreDriver()
        driver.becomeLive()
        driver.answersBeats = false
        let start = driver.now
        while driver.end == nil { driver.pass(.seconds(1)) }
        #expect(driver.end == .lost)
        #expect(driver.now - start <= .seconds(36))
    }

    @Test func anyFrameCountsAsLife() {
        var driver = CoreDriver()
        driver.becomeLive()
        driver.answersBeats = false
        for _ in 0..<100 {
            driver.pass(.seconds(9))
            driver.handle(.noise)
        }
        #expect(driver.end == nil)
        #expect(driver.sent.contains { $0.event == "heartbeat" })
    }

    @Test func sendingAloneProvesNothing() {
        var driver = CoreDriver(held: [CoreDriver.room])
        driver.becomeLive()
        driver.acceptJoin(CoreDriver.roomTopic)
        driver.answersBeats = false
        for _ in 0..<20 where driver.end == nil {
            driver.pass(.seconds(3))
            driver.handle(.typing(true, CoreDriver.room))
        }
        #expect(driver.end == .lost)
    }

    @Test func theDeadlineRunsFromTheRealWrite() {
        var heartbeat = Heartbeat(at: .zero)
        #expect(heartbeat.step(at: .seconds(25)) == .beat)
        heartbeat.beat("1", at: .seconds(25))
        #expect(heartbeat.step(at: .seconds(36)) == .none)
        heartbeat.written("1", at: .seconds(36))
        #expect(heartbeat.deadline == .seconds(46))
        #expect(heartbeat.step(at: .seconds(46)) == .dead)
    }

    @Test func aBeatThatCannotEvenBeWrittenIsASign() {
        var heartbeat = Heartbeat(at: .zero)
        heartbeat.beat("1", at: .seconds(25))
        #expect(heartbeat.step(at: .seconds(40)) == .dead)
    }

    @Test func afterASleepItAsksAtOnceAndWaitsThreeSeconds() {
        var driver = CoreDriver()
        driver.becomeLive()
        driver.answersBeats = false
        driver.sleep(.seconds(3_600))
        #expect(driver.sent.last?.event == "heartbeat")
        #expect(driver.tokenChecks == 1)
        driver.pass(.seconds(2.9))
        #expect(driver.end == nil)
        driver.pass(.seconds(0.2))
        #expect(driver.end == .lost)
    }

    @Test func aDoubtedLinkIsAskedAtOnceAndHasThreeSeconds() {
        var driver = CoreDriver()
        driver.becomeLive()
        driver.pass(.seconds(7))
        driver.answersBeats = false
        driver.handle(.doubted)
        #expect(driver.sent.last?.event == "heartbeat")
        driver.pass(.seconds(2.9))
        #expect(driver.end == nil)
        driver.pass(.seconds(0.2))
        #expect(driver.end == .lost)
    }

    @Test func aDoubtedLinkThatAnswersStaysAndIsLeftAlone() {
        var driver = CoreDriver()
        driver.becomeLive()
        driver.handle(.doubted)
        let beats = driver.sent.count { $0.event == "heartbeat" }
        driver.pass(.seconds(20))
        #expect(driver.end == nil)
        #expect(driver.sent.count { $0.event == "heartbeat" } == beats)
    }

    @Test func aBeatUnderWayHasThreeMoreSecondsOnceTheLinkIsDoubted() {
        var driver = CoreDriver()
        driver.becomeLive()
        driver.answersBeats = false
        driver.pass(.seconds(26))
        driver.handle(.doubted)
        driver.pass(.seconds(3))
        #expect(driver.end == .lost)
    }

    @Test func aBeatThatWasPendingOverASleepIsAskedAnew() {
        var driver = CoreDriver()
        driver.becomeLive()
        driver.answersBeats = false
        driver.pass(.seconds(26))
        driver.sleep(.seconds(600))
        #expect(driver.end == nil)
        driver.handle(.noise)
        driver.pass(.seconds(5))
        #expect(driver.end == nil)
    }

    @Test func anIdleLinkWakesTwiceInTwentyFiveSecondsAtMost() {
        var driver = CoreDriver()
        driver.becomeLive()
        var wakes = 0
        let end = driver.now + .seconds(300)
        while let deadline = driver.core.deadline, deadline <= end {
            driver.now = deadline
            driver.handle(.tick)
            wakes += 1
        }
        #expect(wakes <= 13)
    }
}
