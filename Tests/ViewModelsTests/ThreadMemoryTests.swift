import FoundationEssentials
import Models
import TestSupport
import Testing

@testable import ViewModels

@MainActor @Suite(.timeLimit(.minutes(1))) struct ThreadMemoryTests {
    private let fixture = Fixture()
    private var model: AppModel { fixture.model }
    private var bodies: [String] { model.thread?.state.window.messages.map(\.body) ?? [] }

    /// Cleo's thread is open and crew's was left; the next page of any thread waits at the gate.
    private func leaveCrew(stored count: Int = 3, newest: Message? = nil) async -> Gate {
        var crew = Fixture.crew
        crew.lastMessage = newest ?? Fixture.messages(count, in: crew.id).last
        await fixture.begin([crew, Fixture.cleo])
        await fixture.open(crew, stored: count)
        await fixture.open(Fixture.cleo)
        let gate = Gate()
        fixture.service.gate = gate
        return gate
    }

    @Test func goingBackShowsTheThreadAtOnce() async {
        let gate = await leaveCrew()
        model.open(fixture.ref(Fixture.crew))
        #expect(bodies == ["message 0", "message 1", "message 2"])
        #expect(model.thread?.isOpening == false)
        gate.open()
    }

    @Test func aThreadNeverSeenWaitsForItsPage() async {
        await fixture.begin()
        let gate = Gate()
        fixture.service.gate = gate
        fixture.service.stored[Fixture.crew.id] = Fixture.messages(3, in: Fixture.crew.id)
        var pages = 0
        model.onThreadPage = { pages += 1 }
        model.open(fixture.ref(Fixture.crew))
        #expect(model.thread?.isOpening == true)
        gate.open()
        await until { [model] in model.thread?.isOpening == false }
        #expect(bodies.count == 3)
        #expect(pages == 1)
    }

    @Test func whatTheListKnowsToBeNewerIsWaitedFor() async {
        let gate = await leaveCrew(newest: .example("newer", minutes: 1))
        model.open(fixture.ref(Fixture.crew))
        #expect(bodies.isEmpty)
        #expect(model.thread?.isOpening == true)
        gate.open()
    }

    @Test func whatWentAndWhatChangedMeanwhileIsRightOnceThePageIsThere() async {
        let gate = await leaveCrew()
        fixture.service.stored[Fixture.crew.id]?.remove(at: 1)
        fixture.service.stored[Fixture.crew.id]?[0].body = "edited"
        model.open(fixture.ref(Fixture.crew))
        gate.open()
        await until { [model] in model.thread?.state.window.messages.count == 2 }
        #expect(bodies == ["edited", "message 2"])
    }

    @Test func olderMessagesAreLoadedAgainAfterGoingBack() async {
        let gate = await leaveCrew(stored: 260)
        model.open(fixture.ref(Fixture.crew))
        gate.open()
        #expect(model.thread?.state.window.hasOlder == true)
        for _ in 0..<8 {
            guard let first = model.thread?.state.window.messages.first else { return }
            model.thread?.scroll(to: .at(first.id, rowsBelow: 0))
            await settle()
        }
        #expect(bodies == (0..<260).map { "message \($0)" })
    }

    @Test func onlySoManyThreadsAreRemembered() {
        var memory = ThreadMemory()
        var state = ThreadState(conversation: Fixture.crew)
        _ = state.window.merge(.example("x", minutes: 1))
        var conversation = Fixture.crew
        conversation.lastMessage = state.window.newest
        let refs = (0...ThreadMemory.limit).map {
            ConversationRef(account: .example, id: .example(UInt32(500 + $0)))
        }
        for ref in refs { memory.keep(state, as: ref) }
        #expect(memory.thread(refs[0], of: conversation) == nil)
        #expect(refs.dropFirst().allSatisfy { memory.thread($0, of: conversation) != nil })
    }

    @Test func anAccountThatGoesIsForgotten() async {
        let gate = await leaveCrew()
        gate.open()
        model.remove(fixture.service.account)
        await fixture.begin([Fixture.crew, Fixture.cleo])
        fixture.service.gate = Gate()
        model.open(fixture.ref(Fixture.crew))
        #expect(bodies.isEmpty)
        fixture.service.gate?.open()
    }
}
