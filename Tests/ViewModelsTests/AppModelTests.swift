import FoundationEssentials
import Models
import Sync
import TestSupport
import Testing

@testable import ViewModels

@MainActor @Suite(.timeLimit(.minutes(1))) struct AppModelTests {
    private let fixture = Fixture()
    private var model: AppModel { fixture.model }

    @Test func twoAccountsAreOneListWithNames() async {
        await fixture.begin()
        let telegram = FakeChatService(account: AccountID(rawValue: .example(901)))
        telegram.conversationRelay.send([.example("Dana", 100, unread: 2, minutes: 60)])
        model.add(Account(service: telegram, label: "Telegram"))
        await until { [model] in model.list.state.rows.count == 3 }
        #expect(model.list.state.rows.map(\.name) == ["Telegram/Dana", "Release crew", "Cleo"])
        #expect(model.list.state.unreadTotal == 2)
        model.open(model.list.state.rows[0].id)
        #expect(model.thread?.state.conversation.title == "Dana")
        model.remove(telegram.account)
        #expect(model.list.state.rows.map(\.name) == ["Release crew", "Cleo"])
        #expect(model.thread == nil && model.state.focus == .list)
    }

    @Test func theSelectionStaysWhileRowsMove() async {
        await fixture.begin()
        model.list.moveSelection(by: 1)
        #expect(model.list.state.selectedRow?.name == "Cleo")
        var cleo = Fixture.cleo
        cleo.activityAt = Date.example(minutes: 90).microseconds
        fixture.service.conversationRelay.send([cleo, Fixture.crew])
        await until { [model] in model.list.state.rows.first?.name == "Cleo" }
        #expect(model.list.state.selectedRow?.name == "Cleo")
        fixture.service.conversationRelay.send([Fixture.crew])
        await until { [model] in model.list.state.rows.count == 1 }
        #expect(model.list.state.selectedRow?.name == "Release crew")
    }

    @Test func theFilterNarrowsAndEnds() async {
        await fixture.begin()
        model.perform(.filter)
        model.list.editFilter { $0.insert("cle") }
        #expect(model.list.state.rows.map(\.name) == ["Cleo"])
        model.list.endFilter(keeping: true)
        #expect(model.list.state.rows.count == 1)
        model.list.endFilter(keeping: false)
        #expect(model.list.state.rows.count == 2)
    }

    @Test func tabGoesRoundTheThreeStops() async {
        await fixture.begin()
        model.perform(.nextPane)
        #expect(model.state.focus == .list)
        await fixture.open(Fixture.crew)
        #expect(model.state.focus == .composer)
        model.perform(.nextPane)
        #expect(model.state.focus == .list)
        model.perform(.nextPane)
        #expect(model.state.focus == .thread)
        #expect(model.thread?.state.selection != nil)
        model.perform(.previousPane)
        #expect(model.state.focus == .list)
        #expect(model.thread?.state.selection == nil)
    }

    @Test func ctrlCClearsFirstAndThenAsks() async {
        await fixture.begin()
        await fixture.open(Fixture.crew)
        fixture.type("text")
        model.perform(.interrupt)
        #expect(model.composer?.state.text.isEmpty == true)
        #expect(model.places.isEmpty)
        model.composer?.perform(.undo)
        #expect(model.composer?.state.text.text == "text")
        model.perform(.interrupt)
        model.perform(.interrupt)
        #expect(model.places.count == 1)
    }

    @Test func quittingAsksOnlyWhenSomethingWaits() async {
        await fixture.begin()
        var intents = model.intents.makeAsyncIterator()
        model.perform(.quit)
        #expect(await intents.next() == .quit)
        fixture.service.details.send(LinkDetail(waitingCount: 1))
        await until { [model] in model.waitingCount == 1 }
        model.perform(.quit)
        guard case .confirm(let question) = model.places.last else {
            Issue.record("no question")
            return
        }
        question.move(by: 1)
        question.answer()
        #expect(await intents.next() == .quit)
    }

    @Test func theNextUnreadConversationIsFoundGoingRound() async {
        var cleo = Fixture.cleo
        cleo.unreadCount = 3
        await fixture.begin([Fixture.crew, cleo])
        model.perform(.nextUnread)
        #expect(model.thread?.state.conversation.title == "Cleo")
        model.perform(.nextUnread)
        #expect(model.state.notice != nil)
    }

    @Test func aMessageNobodyLooksAtIsAnAlert() async {
        await fixture.begin()
        await fixture.open(Fixture.crew)
        var intents = model.intents.makeAsyncIterator()
        fixture.service.noticeRelay.send(.incoming(.example("seen")))
        let other = Message.example("hey", in: Fixture.cleo.id)
        fixture.service.noticeRelay.send(.incoming(other))
        #expect(await intents.next() == .alert(fixture.ref(Fixture.cleo), other))
    }

    @Test func commandsReachTheSameActions() async {
        await fixture.begin()
        for (line, command) in [
            ("q", Command.action(.quit)), ("go cleo", .go("cleo")), ("new ben", .new("ben")),
            ("open 3", .action(.openPosition(3))), ("say /usr is full", .say("/usr is full")),
            ("RETRY", .action(.retryConnection)),
        ] { #expect(Command(line) == command) }
        for line in ["", "nonsense", "open 0", "quit now"] { #expect(Command(line) == nil) }
        model.perform(.go("cle"))
        #expect(model.thread?.state.conversation.title == "Cleo")
    }

    @Test func aSmileyIsNoCommand() async {
        await fixture.begin()
        await fixture.open(Fixture.crew)
        model.openCommandLine(":")
        #expect(model.typeInsteadOfCommand(":", then: ")"))
        #expect(model.composer?.state.text.text == ":)")
        model.composer?.setText("")
        model.openCommandLine("/")
        #expect(model.typeInsteadOfCommand("/", then: "/"))
        #expect(model.composer?.state.text.text == "/")
        #expect(model.places.isEmpty)
    }

    @Test func aNewConversationOpensWhenTheListHasIt() async {
        await fixture.begin()
        fixture.service.everybody = [.ben, .dana]
        model.perform(.newConversation)
        guard case .people(let form) = model.places.last else {
            Issue.record("no form")
            return
        }
        for name in ["ben", "dana"] {
            form.edit { $0.insert(name) }
            await settle()
            fixture.clock.advance(by: 1)
            await until { form.state.wasSearched }
            form.accept()
        }
        form.movePart(by: 1)
        form.edit { $0.insert("Lunch") }
        form.accept()
        await until { [model] in model.places.isEmpty }
        let started = fixture.service.started.first
        #expect(started?.people == [Person.ben.id, Person.dana.id])
        #expect(started?.title == "Lunch" && started?.isGroup == true)
        fixture.service.conversationRelay.send([.example("Lunch", 777, isGroup: true)])
        await until { [model] in model.thread?.state.conversation.title == "Lunch" }
    }

    @Test func signingUpFillsEveryFieldAndForgetsThePassword() async {
        let door = fixture.door
        door.error = nil
        door.account = Account(service: fixture.service, label: "team")
        door.keyAnswer = true
        model.showFirstRun()
        model.openSignIn(address: "team.example")
        guard case .signIn(let form) = model.places.last else { return }
        await until { form.state.needsKey }
        form.toggleKind()
        form.accept()
        #expect(form.state.isNew)
        for (field, text) in [
            (SignInField.key, "anon"), (.email, "ana@team.example"), (.username, "ana"),
            (.password, "secret"),
        ] {
            while form.state.field != field {
                form.moveField(
                    by: form.state.fields.firstIndex(of: field).map { place in
                        place > form.state.fields.firstIndex(of: form.state.field) ?? 0 ? 1 : -1
                    } ?? 1)
            }
            form.edit { $0.insert(text) }
        }
        form.accept()
        await until { [model] in model.places.isEmpty && !model.accounts.isEmpty }
        let request = door.requests.first
        #expect(request?.displayName == "ana" && request?.key == "anon" && request?.isNew == true)
        #expect(form.state.text(.password) == "")
    }

    @Test func aServerNearbyIsSuggested() async {
        fixture.door.nearby = "http://127.0.0.1:4747"
        model.openSignIn()
        guard case .signIn(let form) = model.places.last else { return }
        await until { form.state.text(.address) == "http://127.0.0.1:4747" }
        #expect(form.state.field == .address)
    }

    @Test func whoHasBegunToTypeAnAddressKeepsIt() async {
        fixture.door.nearby = "http://127.0.0.1:4747"
        model.openSignIn()
        guard case .signIn(let form) = model.places.last else { return }
        form.edit { $0.insert("te") }
        for _ in 0..<20 { await Task.yield() }
        #expect(form.state.text(.address) == "te")
    }

    @Test func tryingItOutLeadsToSomebodyToTalkTo() async {
        fixture.door.account = Account(service: fixture.service, label: "demo")
        model.showFirstRun()
        guard case .firstRun(let page) = model.places.last else { return }
        page.choose()
        await until { [model] in !model.accounts.isEmpty }
        #expect(model.thread == nil)
        fixture.service.conversationRelay.send([Fixture.crew, Fixture.cleo])
        await until { [model] in model.thread?.state.conversation.title == "Release crew" }
        #expect(model.state.focus == .composer)
    }

    @Test func theFirstPageSaysWhyTheAccountIsNotOpen() {
        model.showFirstRun(because: UserCopy("It is open elsewhere.", next: "Close it there."))
        guard case .firstRun(let page) = model.places.last else { return }
        #expect(page.state.trouble?.what == "It is open elsewhere.")
        page.move(by: 1)
        #expect(page.state.trouble == nil)
    }

    @Test func anUnavailableWayToBeginSaysWhy() {
        let page = FirstRunViewModel(door: fixture.door, onSignIn: {}, onDone: { _ in })
        page.move(by: 2)
        page.choose()
        #expect(page.state.trouble?.what == "TDLib is not installed.")
    }
}
