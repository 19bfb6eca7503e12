import Backend
import Models
import SupabaseWire
import Testing

@testable import SupabaseBackend

@Suite struct RealtimeRejoinTests {
    private let inbox = CoreDriver.inbox

    @Test func aCrashedChannelIsJoinedAgainWithAGrowingWait() {
        var driver = CoreDriver()
        driver.becomeLive()
        var waits: [Duration] = []
        for _ in 0..<8 {
            let before = driver.joins(inbox).count
            driver.receive(inbox, "phx_error", ref: driver.core.channels[inbox]?.joinRef)
            let failedAt = driver.now
            while driver.joins(inbox).count == before { driver.pass(.milliseconds(500)) }
            waits.append(driver.now - failedAt)
            driver.acceptJoin()
        }
        let seconds = waits.map { Int($0 / .seconds(1)) }
        #expect(seconds == [0, 1, 2, 4, 8, 16, 30, 30])
    }

    @Test func theFirstRetryIsAtOnce() {
        var driver = CoreDriver()
        driver.becomeLive()
        driver.close(inbox)
        #expect(driver.joins(inbox).count == 2)
        #expect(driver.emitted == [.live, .feedLost])
    }

    @Test func jitterHalvesTheWaitAtMost() {
        var backoff = Backoff()
        #expect(backoff.next(jitter: 0.5) == .zero)
        #expect(backoff.next(jitter: 0.5) == .seconds(0.5))
        #expect(backoff.next(jitter: 0.5, atLeast: .seconds(30)) == .seconds(30))
    }

    @Test func onlyThirtyHealthySecondsStartTheWaitsAnew() {
        var driver = CoreDriver()
        driver.becomeLive()
        driver.close(inbox)
        driver.becomeLive()
        driver.pass(.seconds(29))
        driver.close(inbox)
        #expect(driver.joins(inbox).count == 2)
        driver.pass(.seconds(1))
        #expect(driver.joins(inbox).count == 3)
        driver.becomeLive()
        driver.pass(.seconds(30))
        driver.close(inbox)
        #expect(driver.joins(inbox).count == 4)
    }

    @Test func aRateLimitWaitsThirtySecondsAtLeast() {
        var driver = CoreDriver()
        let reply = driver.refused("ClientJoinRateLimitReached: Too many joins per second")
        driver.receive(inbox, "phx_reply", ref: driver.joins(inbox)[0].ref, reply)
        driver.pass(.seconds(29.5))
        #expect(driver.joins(inbox).count == 1)
        driver.pass(.seconds(1))
        #expect(driver.joins(inbox).count == 2)
    }

    @Test func theWordsOfARateLimitBeforeACloseCountToo() {
        var driver = CoreDriver()
        driver.becomeLive()
        driver.systemError(inbox, "Too many messages per second")
        driver.close(inbox)
        driver.pass(.seconds(29.5))
        #expect(driver.joins(inbox).count == 1)
    }

    @Test func aJoinWithoutAnswerIsLeftBeforeTheNext() {
        var driver = CoreDriver()
        driver.pass(.seconds(10))
        let leave = driver.last("phx_leave", inbox)
        #expect(leave?.joinRef == driver.joins(inbox)[0].ref)
        #expect(driver.joins(inbox).count == 1)
        let late = driver.joins(inbox)[0].ref  // not ours any more
        driver.receive(inbox, "phx_reply", ref: late, driver.ok)
        #expect(driver.joins(inbox).count == 1)
        driver.receive(inbox, "phx_reply", ref: leave?.ref, driver.ok)
        #expect(driver.joins(inbox).count == 2)
        #expect(driver.joins(inbox)[1].ref != driver.joins(inbox)[0].ref)
    }

    @Test func aLeaveWithoutAnswerIsGivenUpAfterTenSeconds() {
        var driver = CoreDriver()
        driver.pass(.seconds(10))
        driver.pass(.seconds(10))
        #expect(driver.joins(inbox).count == 2)
    }

    @Test func whatIsOfAnEarlierJoinIsIgnored() {
        var driver = CoreDriver()
        driver.becomeLive()
        let old = driver.joins(inbox)[0].ref
        driver.close(inbox)
        driver.becomeLive()
        for event in ["phx_close", "phx_error", "phx_reply"] {
            driver.receive(inbox, event, ref: old, driver.refused("unmatched topic"))
        }
        driver.pass(.seconds(60))
        #expect(driver.joins(inbox).count == 2)
    }

    @Test(arguments: ["PrivateOnly: x", "unmatched topic", "TopicNameRequired: x", "Unauthorized: x"])
    func aRefusalOfTheInboxForGoodEndsTheLink(_ reason: String) {
        var driver = CoreDriver()
        driver.receive(inbox, "phx_reply", ref: driver.joins(inbox)[0].ref, driver.refused(reason))
        #expect(driver.end == .refused)
    }
}

@Suite struct RealtimeTokenTests {
    private let inbox = CoreDriver.inbox

    @Test func anExpiredTokenIsRenewedAndTheChannelJoinedWithTheNewOne() {
        var driver = CoreDriver()
        driver.becomeLive()
        driver.pass(.seconds(100))
        driver.systemError(inbox, "Token has expired 0 seconds ago")
        driver.close(inbox)
        #expect(driver.renewals == ["t1"])
        #expect(driver.joins(inbox).count == 1)
        driver.handle(.token("t2", checkAt: driver.now + .seconds(3_000)))
        #expect(driver.joins(inbox).last?.payload["access_token"] == "t2")
        driver.becomeLive()
        #expect(driver.emitted == [.live, .feedLost, .live])
    }

    @Test func aRefusedJoinRenewsTheTokenAndDoesNotLoop() {
        var driver = CoreDriver()
        for number in 1...3 {
            driver.receive(
                inbox, "phx_reply", ref: driver.joins(inbox).last?.ref,
                driver.refused("InvalidJWTToken: Token has expired 73 seconds ago"))
            while driver.renewals.count < number { driver.pass(.milliseconds(100)) }
            driver.handle(.token("t\(number + 1)", checkAt: driver.now + .seconds(3_000)))
        }
        #expect(driver.renewals == ["t1", "t2", "t3"])
        #expect(driver.now >= .seconds(1_003))  // at once, after 1 s, after 2 s
        #expect(driver.joins(inbox).count == 4)
    }

    @Test func aTokenThatIsNotTakenTwiceIsForTheUser() {
        var driver = CoreDriver()
        let reply = driver.refused("JwtSignatureError: Failed to validate JWT signature")
        driver.receive(inbox, "phx_reply", ref: driver.joins(inbox)[0].ref, reply)
        driver.handle(.token("t2", checkAt: driver.now + .seconds(3_000)))
        driver.receive(inbox, "phx_reply", ref: driver.joins(inbox)[1].ref, reply)
        #expect(driver.end == .signedOut)
    }

    @Test func aRenewalWithoutANetworkIsTriedAgainAndOneRefusedForGoodEndsTheLink() {
        var driver = CoreDriver()
        driver.becomeLive()
        driver.systemError(inbox, "Token has expired 1 seconds ago")
        driver.close(inbox)
        driver.handle(.tokenFailed(isFinal: false))
        #expect(driver.end == nil)
        driver.pass(.seconds(2))
        #expect(driver.renewals == ["t1", "t1"])
        driver.handle(.tokenFailed(isFinal: true))
        #expect(driver.end == .signedOut)
    }

    @Test func aNewTokenIsPushedToEveryJoinedChannel() {
        var driver = CoreDriver(held: [CoreDriver.room])
        driver.becomeLive()
        driver.acceptJoin(CoreDriver.roomTopic)
        driver.handle(.token("t2", checkAt: driver.now + .seconds(3_000)))
        for topic in [inbox, CoreDriver.roomTopic] {
            let push = driver.last("access_token", topic)
            #expect(push?.payload == ["access_token": "t2"])
            #expect(push?.joinRef == driver.joins(topic)[0].ref)
        }
        let pushes = driver.sent.count
        driver.handle(.token("t2", checkAt: driver.now + .seconds(3_000)))
        #expect(driver.sent.count == pushes)
    }

    @Test func aTokenThatComesDuringAJoinIsPushedAfterTheReply() {
        var driver = CoreDriver()
        driver.handle(.token("t2", checkAt: driver.now + .seconds(3_000)))
        #expect(driver.last("access_token", inbox) == nil)
        driver.acceptJoin()
        #expect(driver.last("access_token", inbox)?.payload == ["access_token": "t2"])
    }

    @Test func theTokenIsLookedAtWhenItIsDueAndWithEachBeat() {
        var driver = CoreDriver(tokenCheckIn: .seconds(12))
        driver.becomeLive()
        driver.pass(.seconds(12))
        #expect(driver.tokenChecks == 1)
        driver.handle(.token("t2", checkAt: driver.now + .seconds(15)))
        driver.pass(.seconds(15))
        #expect(driver.tokenChecks >= 2)
    }
}
