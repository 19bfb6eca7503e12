import Backend
import FoundationEssentials
import Models
import Store
import Sync
import TestSupport
import Testing

@Suite struct SyncCoreTests {
    private let room = UUID.example(100)
    private let start = Duration.seconds(1_000)

    // MARK: The link

    @Test func theFirstRetryComesAtOnceAndLaterOnesSlower() {
        var core = SyncCore(generator: SeededRandom(seed: 7))
        var waits: [Duration] = []
        _ = core.handle(.started, now: start)
        for _ in 0..<9 {
            for case .reconnect(let wait) in core.handle(.linkFailed(.offline(.unreachable)), now: start) {
                waits.append(wait)
            }
            _ = core.handle(.retryDue, now: start)
        }
        #expect(waits.count == 9)
        #expect(waits.first == .zero)
        for (wait, full) in zip(waits.dropFirst(), [1, 2, 4, 8, 16, 30, 30, 30]) {
            #expect(wait >= .seconds(full) / 2 && wait <= .seconds(full))
        }
    }

    @Test func onlyThirtySecondsOfHealthForgetTheFailures() {
        var core = SyncCore.live(at: start)
        _ = core.handle(.linkEnded(.lost), now: start + .seconds(29))
        _ = core.handle(.retryDue, now: start + .seconds(29))
        let early = core.handle(.linkFailed(.timedOut), now: start + .seconds(29))
        #expect(early.contains(.markDisconnected(.lost, attempt: 2)))

        _ = core.handle(.reconnect, now: start + .seconds(30))
        _ = core.handle(.linkOpened, now: start + .seconds(30))
        _ = core.handle(.live, now: start + .seconds(30))
        let late = core.handle(.linkEnded(.lost), now: start + .seconds(60))
        #expect(late.contains(.markDisconnected(.lost, attempt: 1)))
    }

    @Test func theServersWishIsTheLeastThatIsWaited() {
        var core = SyncCore(generator: SeededRandom(seed: 1))
        _ = core.handle(.started, now: start)
        let effects = core.handle(.linkFailed(.busy(retryAfter: .seconds(90))), now: start)
        #expect(effects.contains(.reconnect(after: .seconds(90))))
        #expect(effects.contains(.markDisconnected(.serverUnavailable, attempt: 1)))
    }

    @Test(arguments: [LinkProblem.signedOut, .refused]) func aPermanentReasonStopsRetrying(
        _ problem: LinkProblem
    ) {
        var core = SyncCore.live(at: start)
        let effects = core.handle(.linkEnded(problem), now: start)
        #expect(effects.contains(.markDisconnected(problem, attempt: 0)))
        #expect(!effects.contains { if case .reconnect = $0 { true } else { false } })
        #expect(core.handle(.retryDue, now: start).isEmpty)
        #expect(core.handle(.reconnect, now: start) == [.markConnecting, .connect])
    }

    /// Somebody has to mend the certificate first; the user may still try at once.
    @Test func aWrongCertificateIsTriedSlowly() {
        let problem = LinkProblem.certificate(UserCopy("It expired.", next: "Tell who runs the server."))
        var core = SyncCore(generator: SeededRandom(seed: 1))
        _ = core.handle(.started, now: start)
        for attempt in 1...3 {
            let effects = core.handle(.linkFailed(.offline(problem)), now: start)
            #expect(effects.contains(.markDisconnected(problem, attempt: attempt)))
            #expect(effects.contains(.reconnect(after: .seconds(60))))
            #expect(core.handle(.reconnect, now: start) == [.markConnecting, .connect])
        }
    }

    @Test func theUserNeedNotWaitForTheCountdown() {
        var core = SyncCore.live(at: start)
        _ = core.handle(.linkEnded(.lost), now: start)
        #expect(core.handle(.reconnect, now: start) == [.markConnecting, .connect])
        #expect(core.handle(.retryDue, now: start).isEmpty)
    }

    @Test func connectedIsSaidOnlyOnceTheFeedIsAttached() {
        var core = SyncCore(generator: SeededRandom(seed: 1))
        #expect(core.handle(.started, now: start) == [.markConnecting, .connect])
        #expect(core.handle(.linkOpened, now: start).isEmpty)
        #expect(core.handle(.live, now: start).first == .markConnected)
        #expect(core.handle(.feedLost, now: start).first == .markConnecting)
    }

    @Test func aLinkWhoseFeedNeverComesIsGivenUp() throws {
        var core = SyncCore(generator: SeededRandom(seed: 1))
        _ = core.handle(.started, now: start)
        _ = core.handle(.linkOpened, now: start)
        let due = try #require(core.nextDeadline)
        #expect(due == start + .seconds(30))
        let effects = core.handle(.tick, now: due)
        #expect(effects.first == .closeLink)
        #expect(effects.contains(.reconnect(after: .zero)))
    }

    // MARK: Delivery, typing, channels

    @Test func aDeliveryThatWaitsIsTriedAgainLater() throws {
        var core = SyncCore.live(at: start)
        _ = core.handle(.heads([], cursors: [:]), now: start)
        #expect(core.handle(.enqueued(room), now: start) == [.deliver(room)])
        let end = Delivery.wait(after: .seconds(7), because: .askedToWait)
        _ = core.handle(.delivered(room, end), now: start)
        #expect(core.handle(.enqueued(room), now: start).isEmpty)
        #expect(core.nextDeadline == start + .seconds(7))
        #expect(core.handle(.tick, now: start + .seconds(7)) == [.deliver(room)])
    }

    @Test func nothingIsDeliveredWhileTheLinkIsDown() {
        var core = SyncCore(generator: SeededRandom(seed: 1))
        _ = core.handle(.started, now: start)
        #expect(core.handle(.enqueued(room), now: start).isEmpty)
        _ = core.handle(.linkOpened, now: start)
        #expect(core.handle(.live, now: start).contains(.findWaiting))
        #expect(core.handle(.waiting([room]), now: start) == [.deliver(room)])
    }

    @Test func typingIsToldEveryThreeSecondsAndShownForSix() {
        var core = SyncCore.live(at: start)
        _ = core.handle(.heads([], cursors: [:]), now: start)
        #expect(core.handle(.typed(room, isTyping: true), now: start) == [.sendTyping(room, isTyping: true)])
        #expect(core.handle(.typed(room, isTyping: true), now: start + .seconds(2)).isEmpty)
        let again = core.handle(.typed(room, isTyping: true), now: start + .seconds(3))
        #expect(again == [.sendTyping(room, isTyping: true)])
        let sign = SyncEvent.typing(room, userID: .ben, isTyping: true)
        #expect(core.handle(sign, now: start) == [.showTyping(room, [.ben])])
        #expect(core.nextDeadline == start + .seconds(6))
        #expect(core.handle(.tick, now: start + .seconds(6)) == [.showTyping(room, [])])
    }

    @Test func theEndOfTypingIsToldAloneOnlyWhenNoMessageSaysIt() {
        var core = SyncCore.live(at: start)
        _ = core.handle(.heads([], cursors: [:]), now: start)
        _ = core.handle(.typed(room, isTyping: true), now: start)
        #expect(core.handle(.typed(room, isTyping: false), now: start).isEmpty)
        #expect(core.handle(.wrote(room), now: start).isEmpty)
        #expect(core.nextDeadline ?? .seconds(9_999) > start + .seconds(1))

        #expect(core.handle(.typed(room, isTyping: true), now: start) == [.sendTyping(room, isTyping: true)])
        #expect(core.handle(.typed(room, isTyping: false), now: start).isEmpty)
        #expect(core.nextDeadline == start + .milliseconds(500))
        let end = core.handle(.tick, now: start + .milliseconds(500))
        #expect(end == [.sendTyping(room, isTyping: false)])
        #expect(core.handle(.typed(room, isTyping: false), now: start + .seconds(1)).isEmpty)
    }

    @Test func whoTypesOnHasNotStopped() {
        var core = SyncCore.live(at: start)
        _ = core.handle(.heads([], cursors: [:]), now: start)
        _ = core.handle(.typed(room, isTyping: true), now: start)
        _ = core.handle(.typed(room, isTyping: false), now: start)
        #expect(core.handle(.typed(room, isTyping: true), now: start + .milliseconds(200)).isEmpty)
        #expect(core.handle(.tick, now: start + .milliseconds(500)).isEmpty)
    }

    @Test func aMessageEndsItsWritersTyping() {
        var core = SyncCore.live(at: start)
        _ = core.handle(.typing(room, userID: .ben, isTyping: true), now: start)
        let effects = core.handle(.heard([room: [.ben]]), now: start)
        #expect(effects == [.showTyping(room, [])])
    }

    @Test func channelsAreHeldForOpenThreadsAndTheTwentyMostRecent() {
        var core = SyncCore.live(at: start)
        let ids = (1...25).map { UUID.example($0) }
        #expect(core.handle(.list(ids), now: start) == [.hold(Set(ids.prefix(20)))])
        #expect(core.handle(.opened(ids[24]), now: start).contains(.hold(Set(ids.prefix(20) + [ids[24]]))))
        #expect(core.handle(.opened(ids[24]), now: start) == [.fetchMembers(ids[24])])
        #expect(core.handle(.closed(ids[24]), now: start).isEmpty)
        #expect(core.handle(.closed(ids[24]), now: start) == [.hold(Set(ids.prefix(20)))])
    }

    @Test func backOnlineIsToldOnceEverythingIsIn() {
        var core = SyncCore.live(at: start)
        _ = core.handle(.linkEnded(.lost), now: start)
        _ = core.handle(.retryDue, now: start)
        _ = core.handle(.linkOpened, now: start)
        _ = core.handle(.live, now: start)
        _ = core.handle(.waiting([room]), now: start)
        #expect(core.handle(.heads([], cursors: [:]), now: start).isEmpty)
        #expect(core.handle(.delivered(room, .empty), now: start) == [.tellBackOnline])
        #expect(core.handle(.delivered(room, .empty), now: start).isEmpty)
    }
}

extension SyncCore {
    /// A core whose link is open and whose feed is attached; its list is not read yet.
    static func live(at start: Duration) -> SyncCore {
        var core = SyncCore(generator: SeededRandom(seed: 1))
        _ = core.handle(.started, now: start)
        _ = core.handle(.linkOpened, now: start)
        _ = core.handle(.live, now: start)
        return core
    }
}
