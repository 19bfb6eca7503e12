import Backend
import FoundationEssentials
import Models
import Store
import Sync
import TestSupport
import Testing

@Suite struct CatchUpCoreTests {
    private let room = UUID.example(100)
    private let start = Duration.seconds(1_000)

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

    @Test func theListIsPagedToItsEmptyPage() {
        var core = SyncCore.live(at: start)
        let first = head(.example(1), changed: 10)
        let effects = core.handle(.heads([first], cursors: [.example(1): first.changed]), now: start)
        #expect(effects == [.fetchHeads(before: first)])
        #expect(core.handle(.heads([], cursors: [:]), now: start).isEmpty)
    }

    @Test func changesAreKeptTogetherWithTheCursorReadBefore() {
        var core = SyncCore.live(at: start)
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
        var core = SyncCore.live(at: start)
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
        var core = SyncCore.live(at: start)
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
        var core = SyncCore.live(at: start)
        _ = core.handle(.heads([], cursors: [:]), now: start)
        #expect(core.nextDeadline == start + .seconds(300))
        #expect(core.handle(.tick, now: start + .seconds(300)) == [.fetchHeads(before: nil)])
    }

    @Test func aNoticeWhoseChangeDoesNotComeMeansCatchingUp() {
        var core = SyncCore.live(at: start)
        _ = core.handle(
            .heads([head(room, changed: 10)], cursors: [room: .init(order: 10, token: "")]), now: start)
        _ = core.handle(.heads([], cursors: [:]), now: start)
        let notice = SyncEvent.conversationNotice(room, SyncCursor(order: 11, token: "t11"))
        #expect(core.handle(notice, now: start).isEmpty)
        #expect(core.nextDeadline == start + .seconds(2))
        #expect(core.handle(.tick, now: start + .seconds(2)) == [.fetchHeads(before: nil)])
    }

    @Test func aNoticeWhoseChangeComesIsForgotten() {
        var core = SyncCore.live(at: start)
        _ = core.handle(
            .heads([head(room, changed: 10)], cursors: [room: .init(order: 10, token: "")]), now: start)
        _ = core.handle(.heads([], cursors: [:]), now: start)
        _ = core.handle(.conversationNotice(room, SyncCursor(order: 11, token: "t11")), now: start)
        _ = core.handle(.liveRows(versions: [room: 11]), now: start)
        #expect(core.nextDeadline == start + .seconds(300))
    }

    @Test func anUnknownConversationIsLookedUpAtOnce() {
        var core = SyncCore.live(at: start)
        _ = core.handle(.heads([], cursors: [:]), now: start)
        #expect(core.handle(.conversationNotice(room, nil), now: start) == [.fetchHeads(before: nil)])
    }
}
