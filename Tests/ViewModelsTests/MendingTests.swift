import Models
import Sync
import TestSupport
import Testing

@testable import ViewModels

/// A store that turns out to be damaged while the screen is open: the account is opened anew behind it.
@MainActor
@Suite(.timeLimit(.minutes(1))) struct MendingTests {
    private let fixture = Fixture()
    private var model: AppModel { fixture.model }

    @Test func damageAsksForMendingAndThenIsTold() async {
        await fixture.begin()
        var intents = model.intents.makeAsyncIterator()
        for _ in 0..<AppModel.mendingLimit {
            fixture.service.noticeRelay.send(.storeTrouble(.damaged))
            #expect(await intents.next() == .mend(fixture.service.account))
        }
        #expect(model.state.notice == nil)
        fixture.service.noticeRelay.send(.storeTrouble(.damaged))
        await until { [model] in model.state.notice?.what.contains("damaged") == true }
    }

    @Test func whatKeepsNothingIsNotMended() async {
        fixture.model.add(Account(service: fixture.service, label: "demo", isKept: false))
        await until { [fixture] in fixture.service.noticeRelay.readerCount == 1 }
        fixture.service.noticeRelay.send(.storeTrouble(.damaged))
        await until { [model] in model.state.notice?.what.contains("damaged") == true }
    }

    @Test func whatIsOpenAndTypedStays() async {
        await fixture.begin()
        await fixture.open(Fixture.cleo)
        fixture.type("half a ")
        let anew = FakeChatService()
        model.replace(Account(service: anew, label: "team"))
        await until { [anew] in anew.listeners(of: Fixture.cleo.id) == 1 }
        anew.conversationRelay.send([])
        await until { [model] in model.list.state.rows.isEmpty }

        #expect(model.state.open == fixture.ref(Fixture.cleo))
        #expect(model.state.focus == .composer)
        #expect(fixture.service.listeners(of: Fixture.cleo.id) == 0)
        fixture.type("sentence")
        model.composer?.send()
        await until { [anew] in anew.sent.map(\.body) == ["half a sentence"] }
        #expect(fixture.service.sent.isEmpty)

        anew.conversationRelay.send([Fixture.cleo])
        await until { [model] in model.list.state.rows.count == 1 }
        anew.conversationRelay.send([])
        await until { [model] in model.state.open == nil }
    }

    @Test func aDraftIsSavedWhereTheAccountIsNow() async {
        await fixture.begin()
        await fixture.open(Fixture.cleo)
        fixture.type("kept")
        await model.composer?.flush()
        let anew = FakeChatService()
        model.replace(Account(service: anew, label: "team"))
        await model.composer?.flush()
        #expect(anew.storedDrafts[Fixture.cleo.id] == "kept")
    }

    @Test func theOutboxPageShowsTheNewStore() async {
        await fixture.begin()
        model.openOutbox()
        await until { [fixture] in fixture.service.outboxRelay.readerCount == 1 }
        let anew = FakeChatService()
        model.replace(Account(service: anew, label: "team"))
        await until { [anew] in anew.outboxRelay.readerCount == 1 }
        await until { [fixture] in fixture.service.outboxRelay.readerCount == 0 }
    }
}
