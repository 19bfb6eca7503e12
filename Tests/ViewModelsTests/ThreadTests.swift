import FoundationEssentials
import Models
import Sync
import TestSupport
import Testing

@testable import ViewModels

// Seconds; but many times as long under a sanitizer, and in turns with every other test of the main actor.
@MainActor @Suite(.timeLimit(.minutes(10))) struct ThreadTests {
    private let fixture = Fixture()
    private var thread: ThreadViewModel? { fixture.model.thread }
    private var ids: [UUID] { thread?.state.window.messages.map(\.id) ?? [] }

    private func live(_ minutes: Int, from sender: Person = .ben) async {
        let message = Message.example("live \(minutes)", from: sender, minutes: minutes)
        fixture.service.send(message)
        await until { [model = fixture.model] in model.thread?.state.window.newest?.id == message.id }
    }

    @Test func scrollingUpLoadsOlderPagesToTheBeginning() async {
        await fixture.begin()
        await fixture.open(Fixture.crew, stored: 260)
        for _ in 0..<6 {
            guard let first = ids.first else { return }
            thread?.scroll(to: .at(first, rowsBelow: 0))
            await settle()
        }
        #expect(ids == fixture.service.stored[Fixture.crew.id]?.map(\.id))
        #expect(thread?.state.window.hasOlder == false)
    }

    @Test func aPageThatDidNotComeIsAskedForAgainAtTheTop() async {
        await fixture.begin()
        fixture.service.error = .service(ServiceFailure(userCopy: UserCopy("", next: ""), isTransient: true))
        await fixture.open(Fixture.crew, stored: 260)
        guard let first = ids.first else { return }
        thread?.scroll(to: .at(first, rowsBelow: 0))
        await until { [thread] in thread?.state.didOlderFail == true }
        let count = ids.count

        fixture.service.error = nil
        thread?.scroll(to: .at(first, rowsBelow: 0))  // the same place once more
        await until { [thread] in (thread?.state.window.messages.count ?? 0) > count }
        #expect(ids.count > count)
    }

    @Test func aPlaceInTheThreadStaysWhileMessagesComeAndPagesLoad() async {
        await fixture.begin()
        await fixture.open(Fixture.crew, stored: 200)
        guard let anchor = ids.first else { return }
        thread?.scroll(to: .at(anchor, rowsBelow: 2))
        await live(1)
        await settle()
        #expect(thread?.state.scroll == .at(anchor, rowsBelow: 2))
        #expect(thread?.state.newBelow == 1)
    }

    @Test func aLongThreadStaysBoundedAndIsWholeOnTheWayUpAndDown() async {
        await fixture.begin()
        await fixture.open(Fixture.crew, stored: 5_000)
        for _ in 0..<400 where thread?.state.window.hasOlder == true {
            guard let first = ids.first else { return }
            thread?.scroll(to: .at(first, rowsBelow: 0))
            await settle()
            #expect(ids.count <= MessageWindow.limit + MessageWindow.slack)
        }
        #expect(ids.first == .example(20_000))
        var seen = Set(ids)
        for _ in 0..<400 where thread?.state.window.hasNewer == true {
            guard let last = ids.last else { return }
            thread?.scroll(to: .at(last, rowsBelow: 0), pinned: true)
            await settle()
            seen.formUnion(ids)
            let numbers = thread?.state.window.messages.compactMap { Int($0.body.dropFirst(8)) } ?? []
            #expect(numbers == Array((numbers.first ?? 0)...(numbers.last ?? 0)))
        }
        #expect(seen.count == 5_000)
    }

    @Test func tenThousandLiveMessagesStayBounded() async {
        await fixture.begin()
        await fixture.open(Fixture.crew, stored: 10)
        for minute in 1...3_000 { fixture.service.send(.example("x", minutes: minute)) }
        await until { [model = fixture.model] in model.thread?.state.window.newest?.id == .example(13_000) }
        #expect(ids.count <= MessageWindow.limit + MessageWindow.slack)
        #expect(ids.last == .example(13_000))
    }

    @Test func goingBackToTheNewestNeedsNoLoading() async {
        await fixture.begin()
        await fixture.open(Fixture.crew, stored: 2_000)
        for _ in 0..<12 {
            guard let first = ids.first else { return }
            thread?.scroll(to: .at(first, rowsBelow: 0))
            await settle()
        }
        await live(1)
        #expect(thread?.state.window.hasNewer == true)
        thread?.scrollToNewest()
        #expect(ids.last == .example(10_001))
        #expect(ids.count > 50)
        #expect(thread?.state.window.hasNewer == false)
    }

    @Test(arguments: [false, true]) func anOlderFormThatComesLateChangesNothing(_ isScrolledAway: Bool) {
        var window = MessageWindow()
        var message = Message.example("first", minutes: 1)
        _ = window.merge(message)
        if isScrolledAway { window.replace(with: [.example("long ago", minutes: 0)]) }
        (message.body, message.version) = ("edited", 7)
        _ = window.merge(message)
        var older = message
        (older.body, older.version) = ("first", 6)
        _ = window.merge(older)
        #expect(window[message.id]?.body == "edited")
    }

    @Test func aConfirmedMessageTakesItsPlaceAndAFailedOneWaits() async {
        var window = MessageWindow()
        _ = window.merge(.example("first", minutes: 1))
        var failed = Message.waiting("refused", order: 1)
        _ = window.merge(failed)
        var second = Message.waiting("second", order: 2)
        _ = window.merge(second)
        failed.deliveryState = .failed
        _ = window.merge(failed)
        second.position = Date.example(minutes: 2).microseconds
        second.deliveryState = .sent
        _ = window.merge(second)
        #expect(window.messages.map(\.body) == ["first", "second", "refused"])
    }

    @Test func aChangeOfAnOldMessageMakesNoHole() async {
        await fixture.begin()
        await fixture.open(Fixture.crew, stored: 200)
        let old = Message.example("changed", minutes: -190, id: .example(20_010))
        fixture.service.send(old)
        await settle()
        let bodies = thread?.state.window.messages.map(\.body) ?? []
        let first = bodies.first.flatMap { Int($0.dropFirst(8)) } ?? -1
        #expect(bodies.contains("message \(first + 1)"))
        #expect(!bodies.contains("changed") || first <= 10)
    }

    @Test func onlyWhatIsLookedAtIsMarkedAsRead() async {
        await fixture.begin()
        await fixture.open(Fixture.crew)
        await until { [service = fixture.service] in service.marks.last == .example(20_002) }
        fixture.model.setFocus(.list)
        await live(1)
        #expect(fixture.service.marks.last == .example(20_002))
        fixture.model.setWindowFocused(false)
        fixture.model.setFocus(.composer)
        await settle()
        #expect(fixture.service.marks.last == .example(20_002))
        fixture.model.setWindowFocused(true)
        await until { [service = fixture.service] in service.marks.last == .example(10_001) }
    }

    @Test func readingNeverMarksBackwards() async {
        await fixture.begin()
        await fixture.open(Fixture.crew)
        await live(5)
        await until { [service = fixture.service] in service.marks.last == .example(10_005) }
        for _ in 0..<10 {
            fixture.model.open(fixture.ref(Fixture.cleo))
            var crew = Fixture.crew
            crew.readPosition = Date.example(minutes: 5).microseconds
            fixture.service.conversationRelay.send([crew, Fixture.cleo])
            await settle()
            fixture.model.open(fixture.ref(crew))
            await settle()
        }
        #expect(fixture.service.marks.filter { $0 == .example(10_005) }.count == 1)
    }

    @Test func whatComesWhileNobodyLooksBeginsTheUnreadPart() async {
        await fixture.begin()
        await fixture.open(Fixture.crew)
        await settle()
        fixture.model.setFocus(.list)
        await live(1)
        #expect(thread?.firstUnread?.id == .example(10_001))
        fixture.model.setFocus(.composer)
        fixture.type("seen")
        fixture.model.perform(.send)
        #expect(thread?.state.unreadAfter == nil)
    }

    @Test func leavingAThreadEndsItsStreams() async {
        await fixture.begin()
        for _ in 0..<20 {
            await fixture.open(Fixture.crew)
            await fixture.open(Fixture.cleo)
        }
        await until { [service = fixture.service] in
            service.listeners(of: Fixture.crew.id) == 0 && service.newsRelay.readerCount == 1
                && service.memberRelay.readerCount == 1
        }
    }

    @Test func aQuotedMessageOutsideTheWindowIsFetched() async {
        await fixture.begin()
        await fixture.open(Fixture.crew, stored: 300)
        let reply = Message.example("yes", minutes: 1, replyTo: .example(20_003))
        fixture.service.send(reply)
        await until { [model = fixture.model] in
            model.thread?.state.quotedMessage(.example(20_003))?.body == "message 3"
        }
        fixture.model.thread?.jump(to: .example(20_003))
        await until { [model = fixture.model] in model.thread?.state.selection == .example(20_003) }
        #expect(thread?.state.window.hasNewer == true)
    }

    @Test func aDroppedMessageTakesNothingElseWithIt() async {
        await fixture.begin()
        await fixture.open(Fixture.crew)
        thread?.select(.example(20_001))
        thread?.scroll(to: .at(.example(20_001), rowsBelow: 0))
        fixture.service.remove(.example(20_001), in: Fixture.crew.id)
        await until { [model = fixture.model] in model.thread?.state.window.messages.count == 2 }
        #expect(thread?.state.selection == .example(20_000))
        #expect(thread?.state.scroll == .at(.example(20_000), rowsBelow: 0))
    }
}
