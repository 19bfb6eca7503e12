import Backend
import Models
import SupabaseWire
import Testing

@testable import SupabaseBackend

@Suite struct RealtimeFeedTests {
    private let inbox = CoreDriver.inbox

    @Test func theInboxIsJoinedFirstWithItsBindingsAndTheToken() {
        let driver = CoreDriver(held: [CoreDriver.room])
        #expect(driver.sent.map(\.topic) == [inbox, CoreDriver.roomTopic])
        let join = driver.joins(inbox)[0]
        #expect(join.ref == join.joinRef)
        #expect(join.payload["access_token"] == "t1")
        let tables = join.payload["config"]?["postgres_changes"]?.array?.map { $0["table"]?.string ?? "" }
        #expect(tables == ["messages", "reactions", "conversation_members", "conversations"])
    }

    @Test func t10AJoinReplyAloneIsNotLive() {
        var driver = CoreDriver()
        driver.acceptJoin()
        #expect(driver.emitted.isEmpty)
        driver.pass(.seconds(3))
        driver.attachFeed()
        #expect(driver.emitted == [.live])
    }

    @Test func afterFifteenSecondsWithoutTheWordItGoesOnAndSaysLiveAgainWhenItComes() {
        var driver = CoreDriver()
        driver.acceptJoin()
        driver.pass(.seconds(14.9))
        #expect(driver.lives == 0)
        driver.pass(.seconds(0.2))
        #expect(driver.lives == 1)
        driver.pass(.seconds(60))
        #expect(driver.lives == 1)
        driver.attachFeed()
        #expect(driver.lives == 2)
    }

    @Test func theWordBeforeTheReplyCountsToo() {
        var driver = CoreDriver()
        driver.attachFeed()
        driver.acceptJoin()
        driver.pass(.seconds(20))
        #expect(driver.lives == 1)
    }

    @Test func everyLaterSubscriptionIsLiveAgain() {
        var driver = CoreDriver()
        driver.becomeLive()
        driver.attachFeed()
        #expect(driver.emitted == [.live, .live])
    }

    @Test func aFeedThatCannotAttachIsLostAndJoinedAgain() {
        var driver = CoreDriver()
        driver.becomeLive()
        driver.attachFeed(status: "error")
        #expect(driver.emitted == [.live, .feedLost])
        driver.pass(.seconds(9.9))
        #expect(driver.last("phx_leave", inbox) == nil)
        driver.pass(.seconds(0.2))
        let leave = driver.last("phx_leave", inbox)
        #expect(leave?.joinRef == driver.joins(inbox)[0].ref)
        driver.receive(inbox, "phx_reply", ref: leave?.ref, driver.ok)
        #expect(driver.joins(inbox).count == 2)
        driver.becomeLive()
        #expect(driver.lives == 2)
    }

    @Test func aFeedThatComesBackByItselfIsNotLeft() {
        var driver = CoreDriver()
        driver.becomeLive()
        driver.attachFeed(status: "error")
        driver.pass(.seconds(6))
        driver.attachFeed()
        driver.pass(.seconds(60))
        #expect(driver.joins(inbox).count == 1)
        #expect(driver.emitted == [.live, .feedLost, .live])
    }

    @Test func aBrokenFeedIsNotTakenForLiveAfterFifteenSeconds() {
        var driver = CoreDriver()
        driver.acceptJoin()
        driver.attachFeed(status: "error")
        driver.pass(.seconds(16))
        #expect(driver.lives == 0)
    }

    @Test func aClosedSocketEndsTheLinkOnce() {
        var driver = CoreDriver()
        driver.becomeLive()
        driver.handle(.closed)
        #expect(driver.end == .lost)
        #expect(driver.core.deadline == nil)
        let sent = driver.sent.count
        driver.handle(.held([CoreDriver.room]))
        driver.handle(.tick)
        #expect(driver.sent.count == sent)
    }

    @Test func aChangeThatCannotBeReadIsCaughtUp() {
        var driver = CoreDriver()
        driver.becomeLive()
        driver.handle(.unreadableChange(topic: inbox))
        #expect(driver.lives == 2)
        driver.handle(.unreadableChange(topic: "realtime:other"))
        #expect(driver.lives == 2)
    }
}
