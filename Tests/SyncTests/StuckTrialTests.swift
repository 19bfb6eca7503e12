import Backend
import FoundationEssentials
import Models
import Store
import Sync
import TestSupport
import Testing

/// Links that stay down, and servers that ask for patience, as they were reported of other messengers.
@Suite struct StuckTrialTests {
    private let start = Duration.seconds(1_000)

    private func connects(_ effects: [SyncEffect]) -> Int { effects.count { $0 == .connect } }

    private func wait(in effects: [SyncEffect]) -> Duration? {
        for case .reconnect(let wait) in effects { return wait }
        return nil
    }

    /// Ends the link as it is, at one of three moments: before the socket stands, before the join is answered, live.
    private func cut(_ core: inout SyncCore, at moment: Int, _ now: Duration) -> [SyncEffect] {
        guard moment > 0 else { return core.handle(.linkFailed(.offline(.unreachable)), now: now) }
        _ = core.handle(.linkOpened, now: now)
        if moment > 1 { _ = core.handle(.live, now: now) }
        return core.handle(.linkEnded(.lost), now: now)
    }

    // MARK: Connecting for ever

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func t16LinksCutAtAnyMomentLeaveOneTryAtATime(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var core = SyncCore(generator: SeededRandom(seed: seed))
        var now = start
        #expect(connects(core.handle(.started, now: now)) == 1)
        for _ in 0..<10 {
            let effects = cut(&core, at: Int.random(in: 0...2, using: &random), now)
            #expect(connects(effects) == 0)
            // What the old link says late changes nothing.
            #expect(wait(in: core.handle(.linkEnded(.lost), now: now)) == nil)
            now += try #require(wait(in: effects))
            #expect(connects(core.handle(.retryDue, now: now)) == 1)
            #expect(connects(core.handle(.retryDue, now: now)) == 0)
        }
        _ = core.handle(.linkOpened, now: now)
        _ = core.handle(.live, now: now)
        _ = core.handle(.heads([], cursors: [:]), now: now)
        let quiet = core.handle(.tick, now: now + .seconds(60))
        #expect(connects(quiet) == 0 && !quiet.contains(.closeLink))
        #expect(core.isConnected)
    }

    @Test func t17ALinkThatDiedInASleepIsBegunAnewAtTheWake() throws {
        var core = SyncCore(generator: SeededRandom(seed: 5))
        _ = core.handle(.started, now: start)
        for _ in 0..<7 {
            _ = core.handle(.linkFailed(.offline(.lost)), now: start)
            _ = core.handle(.retryDue, now: start)
        }
        _ = core.handle(.linkOpened, now: start)
        _ = core.handle(.live, now: start)
        let woken = start + .seconds(20)  // not long enough to be called healthy
        _ = core.handle(.reconnect, now: woken)
        #expect(wait(in: core.handle(.linkEnded(.lost), now: woken + .seconds(1))) == .zero)
        _ = core.handle(.retryDue, now: woken + .seconds(1))
        let later = try #require(wait(in: core.handle(.linkFailed(.timedOut), now: woken + .seconds(2))))
        #expect(later >= .seconds(15))  // one wish is one try
    }

    // MARK: DNS

    /// Half an hour without a name.
    private func unresolvable() throws -> (core: SyncCore, now: Duration, wait: Duration) {
        var core = SyncCore(generator: SeededRandom(seed: 3))
        _ = core.handle(.started, now: start)
        var now = start
        var last = Duration.zero
        while now < start + .seconds(1_800) {
            last = try #require(wait(in: core.handle(.linkFailed(.offline(.unreachable)), now: now)))
            #expect(last <= .seconds(30))
            guard now + last < start + .seconds(1_800) else { break }
            now += last
            #expect(connects(core.handle(.retryDue, now: now)) == 1)
        }
        return (core, now, last)
    }

    @Test func t19AfterHalfAnHourWithoutANameItComesBackByItself() throws {
        var (core, now, wait) = try unresolvable()
        now += wait
        #expect(connects(core.handle(.retryDue, now: now)) == 1)
        _ = core.handle(.linkOpened, now: now)
        #expect(core.handle(.live, now: now).contains(.markConnected))
    }

    @Test func t19AfterHalfAnHourWithoutANameTheUserNeedNotWait() throws {
        var (core, now, _) = try unresolvable()
        #expect(core.handle(.reconnect, now: now) == [.markConnecting, .connect])
        _ = core.handle(.linkOpened, now: now)
        #expect(core.handle(.live, now: now).contains(.markConnected))
    }

    @Test func t19ATryThatHangsIsBegunAnewAtTheUsersWish() {
        var core = SyncCore(generator: SeededRandom(seed: 3))
        _ = core.handle(.started, now: start)
        #expect(core.handle(.reconnect, now: start + .seconds(1)).isEmpty)  // it has just begun
        #expect(core.handle(.reconnect, now: start + .seconds(5)) == [.connect])
        #expect(core.handle(.reconnect, now: start + .seconds(6)).isEmpty)
        _ = core.handle(.linkOpened, now: start + .seconds(6))
        #expect(core.handle(.reconnect, now: start + .seconds(9)) == [.connect])
        _ = core.handle(.linkOpened, now: start + .seconds(9))
        #expect(core.handle(.live, now: start + .seconds(9)).contains(.markConnected))
    }

    // MARK: Server limits

    @Test func t22AServerThatIsNotAvailableIsTriedForEver() throws {
        var core = SyncCore.live(at: start)
        var now = start
        var effects = core.handle(.linkEnded(.lost), now: now)
        for attempt in 2...200 {
            now += try #require(wait(in: effects))
            #expect(connects(core.handle(.retryDue, now: now)) == 1)
            effects = core.handle(.linkFailed(.offline(.serverUnavailable)), now: now)
            #expect(effects.contains(.markDisconnected(.serverUnavailable, attempt: attempt)))
        }
        #expect(now - start > .seconds(198 * 7))  // and never in a hurry
    }

    @Test func t22WhatTheServerAsksForIsWaitedAndNotMoreThanAnHour() throws {
        var core = SyncCore(generator: SeededRandom(seed: 1))
        _ = core.handle(.started, now: start)
        let modest = core.handle(.linkFailed(.busy(retryAfter: .seconds(120))), now: start)
        #expect(wait(in: modest) == .seconds(120))
        _ = core.handle(.retryDue, now: start)
        let absurd = core.handle(.linkFailed(.busy(retryAfter: .seconds(1_000_000))), now: start)
        #expect(wait(in: absurd) == .seconds(3_600))
    }

    @Test func t21AServerThatAsksForPatienceIsAskedForNoOtherConversation() {
        var core = SyncCore.live(at: start)
        let heads = (1...30).map { number in
            ConversationHead(
                conversation: Conversation(id: .example(number), title: "", isGroup: false, activityAt: 10),
                changed: SyncCursor(order: 10, token: "t10"), pageToken: "")
        }
        let held = Dictionary(
            uniqueKeysWithValues: heads.map { ($0.conversation.id, SyncCursor(order: 3, token: "t3")) })
        let asked = core.handle(.heads(heads, cursors: held), now: start).compactMap { effect -> UUID? in
            if case .fetchChanges(let id, _, _) = effect { id } else { nil }
        }
        #expect(asked.count == 4)
        _ = core.handle(.heads([], cursors: [:]), now: start)
        for id in asked {
            let error = BackendError.busy(retryAfter: .seconds(300))
            #expect(core.handle(.jobFailed(id, error), now: start).isEmpty)
        }
        #expect(core.nextDeadline == start + .seconds(300))
        #expect(core.handle(.tick, now: start + .seconds(300)) == [.fetchHeads(before: nil)])
        let again = core.handle(.heads(heads, cursors: held), now: start + .seconds(300))
        #expect(again.contains(.fetchChanges(asked[0], after: SyncCursor(order: 3, token: "t3"), page: nil)))
    }
}
