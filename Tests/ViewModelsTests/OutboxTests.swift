import FoundationEssentials
import Models
import Sync
import TestSupport
import Testing

@testable import ViewModels

@MainActor @Suite(.timeLimit(.minutes(1))) struct OutboxTests {
    private let fixture = Fixture()
    private var model: AppModel { fixture.model }
    private var service: FakeChatService { fixture.service }

    private func entry(
        _ id: Int64, _ kind: OutboxEntry.Kind = .send, text: String = "", failure: SendError? = nil,
        nextTryAt: Date? = nil
    ) -> OutboxEntry {
        OutboxEntry(
            id: id, kind: kind, conversationID: Fixture.crew.id, messageID: .example(UInt32(7_000 + id)),
            text: text, since: .exampleMorning, failure: failure, nextTryAt: nextTryAt)
    }

    /// Opens the page over these entries.
    private func open(_ entries: OutboxEntry..., over conversation: Conversation = Fixture.crew)
        async throws -> OutboxViewModel
    {
        await fixture.begin()
        await fixture.open(conversation)
        service.outboxRelay.send(entries)
        model.perform(.outbox)
        guard case .outbox(let page) = model.places.last else { throw Missing() }
        await until { page.state.isLoaded }
        return page
    }

    private struct Missing: Error {}

    private func answer(_ place: Int) {
        guard case .confirm(let question) = model.places.last else { return }
        question.move(by: place - question.state.selected)
        question.answer()
    }

    @Test func theSelectionStaysWithItsOperationAndMovesOnWhenItIsDone() async throws {
        let page = try await open(entry(1), entry(2), entry(3))
        #expect(page.state.selectedRow?.entry.id == 1)
        model.perform(.down, in: page)
        service.outboxRelay.send([entry(2), entry(3)])
        await until { page.state.rows.count == 2 }
        #expect(page.state.selectedRow?.entry.id == 2)
        service.outboxRelay.send([entry(3)])
        await until { page.state.rows.count == 1 }
        #expect(page.state.selectedRow?.entry.id == 3)
        service.outboxRelay.send([])
        await until { page.state.rows.isEmpty }
        #expect(page.state.selection == nil)
    }

    @Test func theCountdownTicksOnlyWhileThereIsOne() async throws {
        let page = try await open(entry(1, nextTryAt: fixture.clock.now.addingTimeInterval(2)))
        let row = try #require(page.state.selectedRow)
        #expect(page.state.secondsLeft(row) == 2)
        await settle()
        fixture.clock.advance(by: 1)
        await until { page.state.secondsLeft(row) == 1 }
        await settle()
        fixture.clock.advance(by: 1)
        await until { page.state.secondsLeft(row) == 0 }
        model.perform(.cancel, in: page)
        #expect(model.places.isEmpty)
        await until { service.outboxRelay.readerCount == 0 }
    }

    @Test func whatFailedIsRetriedAndWhatWaitsIsTriedAtOnce() async throws {
        let page = try await open(entry(1, failure: .notAMember), entry(2))
        model.perform(.resend, in: page)
        await until { !service.retried.isEmpty }
        #expect(service.retried == [.example(7_001)])
        #expect(service.reconnects == 0)
        model.perform(.down, in: page)
        model.perform(.resend, in: page)
        await until { service.reconnects == 1 }
        #expect(service.retried.count == 1)
    }

    @Test func whatIsTaggedIsTriedAndDroppedTogether() async throws {
        let page = try await open(
            entry(1, text: "one", failure: .notAMember), entry(2, .react(symbol: "❤", isOn: true)),
            entry(3, .markRead), entry(4, text: "four"))
        model.perform(.toggle, in: page)
        model.perform(.toggle, in: page)
        #expect(page.state.taggedRows.map(\.entry.id) == [1, 2])
        #expect(page.state.selectedRow?.entry.id == 3)
        model.perform(.resend, in: page)
        await until { service.reconnects == 1 && service.retried == [.example(7_001)] }
        #expect(page.state.tagged.isEmpty)

        model.perform(.first, in: page)
        for _ in 1...3 { model.perform(.toggle, in: page) }
        model.perform(.drop, in: page)
        answer(0)
        #expect(page.state.tagged.count == 3)
        model.perform(.drop, in: page)
        answer(1)
        await until { service.deleted == [.example(7_001)] && service.cancelled == [2] }
        #expect(page.state.tagged.isEmpty)
    }

    @Test func aTagGoesWithItsOperationAndEscTakesTagsOffBeforeItCloses() async throws {
        let page = try await open(entry(1), entry(2))
        model.perform(.toggle, in: page)
        model.perform(.toggle, in: page)
        model.perform(.toggle, in: page)
        #expect(page.state.taggedRows.map(\.entry.id) == [1])
        model.perform(.first, in: page)
        model.perform(.last, in: page)
        model.perform(.toggle, in: page)
        service.outboxRelay.send([entry(2)])
        await until { page.state.rows.count == 1 }
        #expect(page.state.taggedRows.map(\.entry.id) == [2])
        model.perform(.cancel, in: page)
        #expect(page.state.tagged.isEmpty && !model.places.isEmpty)
        model.perform(.cancel, in: page)
        #expect(model.places.isEmpty)
    }

    @Test func enterGoesToTheMessage() async throws {
        let page = try await open(entry(1), entry(2, .delete))
        fixture.model.open(fixture.ref(Fixture.cleo))
        model.perform(.open, in: page)
        #expect(model.places.isEmpty)
        #expect(model.state.open == fixture.ref(Fixture.crew))
        #expect(model.state.focus == .thread)
        await settle()
        #expect(model.state.notice == nil)
    }

    @Test func aMessageIsDroppedAfterAQuestionAndItsTextCanBeRecalled() async throws {
        let page = try await open(entry(1, text: "never mind", failure: .notAMember))
        model.perform(.drop, in: page)
        answer(0)
        #expect(service.deleted.isEmpty)
        model.perform(.drop, in: page)
        answer(1)
        await until { service.deleted == [.example(7_001)] }
        model.perform(.cancel, in: page)
        model.perform(.recallOlder)
        #expect(model.composer?.state.text.text == "never mind")
    }

    @Test func aChangeThatWaitsIsDroppedByItsPlaceAndTheMessageStays() async throws {
        let page = try await open(entry(4, .react(symbol: "❤", isOn: true)), entry(5, .markRead))
        model.perform(.drop, in: page)
        answer(1)
        await until { service.cancelled == [4] }
        #expect(service.deleted.isEmpty)
        // What follows by itself is nobody's to drop.
        model.perform(.down, in: page)
        model.perform(.drop, in: page)
        guard case .outbox = model.places.last else { throw Missing() }
        #expect(model.state.notice?.what == "This follows by itself.")
    }

    @Test func aMessageIsTakenBackBeforeWhatStandsInTheComposer() async throws {
        let page = try await open(entry(1, text: "hello", failure: .notAMember))
        fixture.type("and more")
        service.takeable[.example(7_001)] = TakenBack(text: "hello", replyTo: .example(20_001))
        model.perform(.takeBack, in: page)
        await until { model.composer?.state.text.text == "hello\nand more" }
        #expect(model.places.isEmpty)
        #expect(model.state.focus == .composer)
        #expect(model.composer?.state.mode == .reply(to: Fixture.messages(3, in: Fixture.crew.id)[1]))
    }

    @Test func theDraftOfAConversationThatWasNotOpenComesInOnce() async throws {
        service.storedDrafts[Fixture.crew.id] = "half a thought"
        let page = try await open(entry(1, text: "hello", failure: .notAMember), over: Fixture.cleo)
        service.takeable[.example(7_001)] = TakenBack(text: "hello")
        model.perform(.takeBack, in: page)
        await until { model.composer?.state.text.text == "hello\nhalf a thought" }
        await settle()
        #expect(model.composer?.state.text.text == "hello\nhalf a thought")
    }

    @Test func whileAnEditIsWrittenWhatIsTakenBackWaitsBehindIt() async throws {
        let page = try await open(entry(1, text: "hello", failure: .notAMember))
        fixture.type("mine")
        model.composer?.edit(.example("old", from: .ana))
        service.takeable[.example(7_001)] = TakenBack(text: "hello")
        model.perform(.takeBack, in: page)
        await until { service.takeable.isEmpty }
        await settle()
        #expect(model.composer?.state.text.text == "old")
        model.composer?.dropMode()
        #expect(model.composer?.state.text.text == "hello\nmine")
    }

    @Test func everythingThatFailedIsRetriedOrDroppedAtOnce() async throws {
        _ = try await open(entry(1, text: "one", failure: .notAMember))
        service.refusedTexts = ["one", "two"]
        model.perform(.resendAll)
        await until { model.state.notice?.what == "2 are sent again." }
        model.perform(.resendAll)
        await until { model.state.notice?.what == "Nothing is there to be sent again." }
        service.refusedTexts = ["one", "two"]
        model.perform(.dropAll)
        answer(1)
        await until { service.refusedTexts.isEmpty && model.history.texts == ["one", "two"] }
    }

    @Test func aWaitingMessageOfTheThreadIsTakenBackFromTheQuestion() async {
        await fixture.begin()
        await fixture.open(Fixture.crew)
        let waiting = Message.waiting("oops", order: 1, in: Fixture.crew.id)
        service.send(waiting)
        await until { model.thread?.state.window.contains(waiting.id) == true }
        service.takeable[waiting.id] = TakenBack(text: "oops")
        model.thread?.select(waiting.id)
        model.perform(.delete)
        answer(2)
        await until { model.composer?.state.text.text == "oops" }
        #expect(service.deleted.isEmpty)
    }

    @Test func whatIsReadBecomesUnreadAndBackAgain() async {
        await fixture.begin()
        await fixture.open(Fixture.crew)
        var crew = Fixture.crew
        crew.lastMessage = .example("last")
        service.conversationRelay.send([crew])
        await until { model.list.state.rows.first?.conversation.lastMessage != nil }
        let marks = service.marks.count
        model.perform(.toggleRead)
        // Who looks at a thread reads it.
        #expect(model.state.focus == .list)
        await until { service.markedUnread == [crew.id] }
        crew.isMarkedUnread = true
        service.conversationRelay.send([crew])
        await until { model.list.state.rows.first?.conversation.isUnread == true }
        await settle()
        #expect(service.marks.count == marks)
        #expect(model.list.nextUnread(after: nil)?.id == fixture.ref(crew))
        // Looking at it again is reading it.
        model.setFocus(.thread)
        await until { service.marks.count == marks + 1 }
    }
}

@MainActor @Suite(.timeLimit(.minutes(1))) struct SignInAgainTests {
    @Test func anAccountThatLostItsSessionIsTheOneTheFormBeginsWith() async {
        let fixture = Fixture()
        fixture.service.profiles.send(.ana)
        fixture.service.conversationRelay.send([Fixture.crew])
        let facts = AccountFacts(server: "https://chat.example", email: "ana@example.test")
        fixture.model.add(Account(service: fixture.service, label: "team", facts: facts))
        fixture.service.details.send(LinkDetail(reason: .signedOut, waitingCount: 2))
        await until { [model = fixture.model] in model.accounts.first?.banner.problem == .signedOut }
        fixture.model.perform(.addAccount)
        guard case .signIn(let form) = fixture.model.places.last else {
            Issue.record("no form")
            return
        }
        #expect(form.state.text(.address) == "https://chat.example")
        #expect(form.state.text(.email) == "ana@example.test")
        #expect(form.state.field == .password)
    }
}
