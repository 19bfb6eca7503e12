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

    private func liveCore() -> SyncCore {
        var core = SyncCore(generator: SeededRandom(seed: 1))
        _ = core.handle(.started, now: start)
        _ = core.handle(.linkOpened, now: start)
        _ = core.handle(.live, now: start)
        return core
    }

    private func head(_ id: UUID, changed: Int64) -> ConversationHead {
        ConversationHead(
            conversation: Conversation(id: id, title: "", isGroup: false, activityAt: changed),
            changed: SyncCursor(order: changed, token: "t\(changed)"), pageToken: "")
    }

    private func page(_ bodies: [String], next: String? = nil) -> ChangePage {
        ChangePage(
            messages: bodies.enumerated().map { number, body in
                MessageChange(message: .stored(body, in: room, at: Int64(number + 1)))
            }, reactions: [], next: next.map { ChangePageToken(rawValue: $0) })
    }

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
        var core = liveCore()
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
        var core = liveCore()
        let effects = core.handle(.linkEnded(problem), now: start)
        #expect(effects.contains(.markDisconnected(problem, attempt: 0)))
        #expect(!effects.contains { if case .reconnect = $0 { true } else { false } })
        #expect(core.handle(.retryDue, now: start).isEmpty)
        #expect(core.handle(.reconnect, now: start) == [.markConnecting, .connect])
    }

    @Test func theUserNeedNotWaitForTheCountdown() {
        var core = liveCore()
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

    // MARK: Catching up

    @Test func theListIsPagedToItsEmptyPage() {
        var core = liveCore()
        let first = head(.example(1), changed: 10)
        let effects = core.handle(.heads([first], cursors: [.example(1): first.changed]), now: start)
        #expect(effects == [.fetchHeads(before: first)])
        #expect(core.handle(.heads([], cursors: [:]), now: start).isEmpty)
    }

    @Test func changesAreKeptTogetherWithTheCursorReadBefore() {
        var core = liveCore()
        let held = SyncCursor(order: 3, token: "t3")
        let target = head(room, changed: 10)
        let asked = core.handle(.heads([target], cursors: [room: held]), now: start)
        #expect(asked.contains(.fetchChanges(room, after: held, page: nil)))
        let (one, two) = (page(["a"], next: "2"), page(["b"]))
        #expect(
            core.handle(.changes(room, one), now: start)
                == [.fetchChanges(room, after: held, page: ChangePageToken(rawValue: "2"))])
        #expect(
            core.handle(.changes(room, two), now: start) == [
                .completeCatchUp(room, [one, two], target.changed)
            ])
        #expect(core.unsure(among: [room]) == [room])
        _ = core.handle(.kept(room), now: start)
        #expect(core.unsure(among: [room]).isEmpty)
    }

    @Test func farBehindTheNewestPageIsShownFirst() {
        var core = liveCore()
        let target = head(room, changed: 10)
        _ = core.handle(.heads([target], cursors: [room: SyncCursor(order: 3, token: "t3")]), now: start)
        let pages = (1...4).map { page(["p\($0)"], next: "\($0)") }
        for one in pages.dropLast() { _ = core.handle(.changes(room, one), now: start) }
        #expect(core.handle(.changes(room, pages[3]), now: start) == [.fetchNewest(room)])
        let newest = [MessageChange(message: .stored("newest", in: room, at: 99))]
        #expect(core.handle(.newest(room, newest), now: start) == [.keepNewestPage(room, newest)])
        #expect(core.handle(.kept(room), now: start) == [.keepChanges(room, pages)])
        let asked = core.handle(.kept(room), now: start)
        #expect(
            asked == [
                .fetchChanges(
                    room, after: SyncCursor(order: 3, token: "t3"), page: ChangePageToken(rawValue: "4"))
            ])
        let last = page(["last"])
        #expect(
            core.handle(.changes(room, last), now: start) == [.completeCatchUp(room, [last], target.changed)])
    }

    @Test func aBrokenOffCatchUpBeginsAgainFromTheSameCursor() {
        var core = liveCore()
        let held = SyncCursor(order: 3, token: "t3")
        _ = core.handle(.heads([head(room, changed: 10)], cursors: [room: held]), now: start)
        _ = core.handle(.changes(room, page(["a"], next: "2")), now: start)
        let ended = core.handle(.linkEnded(.lost), now: start)
        #expect(ended.contains(.forgetFetches))
        _ = core.handle(.retryDue, now: start)
        _ = core.handle(.linkOpened, now: start)
        _ = core.handle(.live, now: start)
        let asked = core.handle(.heads([head(room, changed: 12)], cursors: [room: held]), now: start)
        #expect(asked.contains(.fetchChanges(room, after: held, page: nil)))
    }

    @Test func everyFiveMinutesTheListIsReadAgain() {
        var core = liveCore()
        _ = core.handle(.heads([], cursors: [:]), now: start)
        #expect(core.nextDeadline == start + .seconds(300))
        #expect(core.handle(.tick, now: start + .seconds(300)) == [.fetchHeads(before: nil)])
    }

    @Test func aNoticeWhoseChangeDoesNotComeMeansCatchingUp() {
        var core = liveCore()
        _ = core.handle(
            .heads([head(room, changed: 10)], cursors: [room: .init(order: 10, token: "")]), now: start)
        _ = core.handle(.heads([], cursors: [:]), now: start)
        let notice = SyncEvent.conversationNotice(room, SyncCursor(order: 11, token: "t11"))
        #expect(core.handle(notice, now: start).isEmpty)
        #expect(core.nextDeadline == start + .seconds(2))
        #expect(core.handle(.tick, now: start + .seconds(2)) == [.fetchHeads(before: nil)])
    }

    @Test func aNoticeWhoseChangeComesIsForgotten() {
        var core = liveCore()
        _ = core.handle(
            .heads([head(room, changed: 10)], cursors: [room: .init(order: 10, token: "")]), now: start)
        _ = core.handle(.heads([], cursors: [:]), now: start)
        _ = core.handle(.conversationNotice(room, SyncCursor(order: 11, token: "t11")), now: start)
        _ = core.handle(.liveRows(versions: [room: 11], senders: [:]), now: start)
        #expect(core.nextDeadline == start + .seconds(300))
    }

    @Test func anUnknownConversationIsLookedUpAtOnce() {
        var core = liveCore()
        _ = core.handle(.heads([], cursors: [:]), now: start)
        #expect(core.handle(.conversationNotice(room, nil), now: start) == [.fetchHeads(before: nil)])
    }

    // MARK: Delivery, typing, channels

    @Test func aDeliveryThatWaitsIsTriedAgainLater() throws {
        var core = liveCore()
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
        var core = liveCore()
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

    @Test func aMessageEndsItsWritersTyping() {
        var core = liveCore()
        _ = core.handle(.typing(room, userID: .ben, isTyping: true), now: start)
        let effects = core.handle(.liveRows(versions: [:], senders: [room: [.ben]]), now: start)
        #expect(effects == [.showTyping(room, [])])
    }

    @Test func channelsAreHeldForOpenThreadsAndTheTwentyMostRecent() {
        var core = liveCore()
        let ids = (1...25).map { UUID.example($0) }
        #expect(core.handle(.list(ids), now: start) == [.hold(Set(ids.prefix(20)))])
        #expect(core.handle(.opened(ids[24]), now: start).contains(.hold(Set(ids.prefix(20) + [ids[24]]))))
        #expect(core.handle(.opened(ids[24]), now: start) == [.fetchMembers(ids[24])])
        #expect(core.handle(.closed(ids[24]), now: start).isEmpty)
        #expect(core.handle(.closed(ids[24]), now: start) == [.hold(Set(ids.prefix(20)))])
    }

    @Test func backOnlineIsToldOnceEverythingIsIn() {
        var core = liveCore()
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
