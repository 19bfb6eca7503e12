import FoundationEssentials
import Models
import Sync
import TestSupport
import Testing

@testable import ViewModels

/// Stretches of a thread that are missing, and messages that are not at hand.
@MainActor @Suite(.timeLimit(.minutes(1))) struct HoleTests {
    private let fixture = Fixture()
    private var thread: ThreadViewModel? { fixture.model.thread }
    private var ids: [UUID] { thread?.state.window.messages.map(\.id) ?? [] }

    private func begin(stored count: Int) async -> [Message] {
        await fixture.begin()
        await fixture.open(Fixture.crew, stored: count)
        return fixture.service.stored[Fixture.crew.id] ?? []
    }

    @Test func aHoleInSightIsFilledByScrollingToIt() async {
        await fixture.begin()
        let all = Fixture.messages(40, in: Fixture.crew.id)
        let known = Array(all.prefix(10) + all.suffix(10))
        fixture.service.stored[Fixture.crew.id] = known
        fixture.model.open(fixture.ref(Fixture.crew))
        await until { [fixture] in fixture.model.thread?.state.window.messages.count == 20 }
        fixture.service.newsRelay.send(.gap(before: all[30].position))
        await until { [fixture] in fixture.model.thread?.state.gapBefore != nil }
        fixture.service.stored[Fixture.crew.id] = all

        thread?.scroll(to: .at(all[31].id, rowsBelow: 0))
        await until { [fixture] in fixture.model.thread?.state.window.messages.count == 40 }

        #expect(ids == all.map(\.id))
        fixture.service.newsRelay.send(.gap(before: nil))
        await until { [fixture] in fixture.model.thread?.state.gapBefore == nil }
        let loads = fixture.service.olderLoads
        thread?.scroll(to: .at(all[32].id, rowsBelow: 0))
        await settle()
        // The window's own top is asked for once more; the hole is not.
        #expect(fixture.service.olderLoads <= loads + 1)
    }

    @Test func aHoleThatCannotBeFilledIsAskedForAgainByTheNextStep() async {
        await fixture.begin()
        let all = Fixture.messages(40, in: Fixture.crew.id)
        fixture.service.stored[Fixture.crew.id] = Array(all.prefix(10) + all.suffix(10))
        fixture.model.open(fixture.ref(Fixture.crew))
        await until { [fixture] in fixture.model.thread?.state.window.messages.count == 20 }
        fixture.service.error = .service(ServiceFailure(userCopy: UserCopy("", next: ""), isTransient: true))
        fixture.service.newsRelay.send(.gap(before: all[30].position))
        await until { [fixture] in fixture.model.thread?.state.gapBefore != nil }
        thread?.scroll(to: .at(all[31].id, rowsBelow: 0))
        await until { [fixture] in fixture.model.thread?.state.didOlderFail == true }
        #expect(ids.count == 20)
        fixture.service.error = nil
        fixture.service.stored[Fixture.crew.id] = all
        thread?.scroll(to: .at(all[32].id, rowsBelow: 0))
        await until { [fixture] in fixture.model.thread?.state.window.messages.count == 40 }
    }

    @Test func aJumpToAMessageThatIsGoneSaysSo() async {
        _ = await begin(stored: 5)
        thread?.jump(to: .example(1))
        await until { [fixture] in fixture.model.state.notice != nil }
        #expect(fixture.model.state.notice?.what == "That message cannot be shown.")
        #expect(ids.count == 5)
    }

    @Test func aJumpWithoutALinkSaysSoToo() async {
        _ = await begin(stored: 5)
        let copy = LinkProblem.unreachable.userCopy
        fixture.service.error = .service(ServiceFailure(userCopy: copy, isTransient: true))
        thread?.jump(to: .example(1))
        await until { [fixture] in fixture.model.state.notice != nil }
        #expect(fixture.model.state.notice?.what == copy.what)
    }

    @Test func aQuotedMessageThatNobodyHasIsLookedForOnce() async {
        let stored = await begin(stored: 5)
        for number in 0..<5 {
            let reply = Message.example(
                "reply \(number)", minutes: 60 + number, in: Fixture.crew.id, replyTo: .example(1))
            fixture.service.send(reply)
            await until { [fixture] in fixture.model.thread?.state.window.newest?.id == reply.id }
            await settle()
        }
        #expect(fixture.service.messageLooks == 1)
        // One that is far back is found.
        let old = Message.example("far back", minutes: -9_000, in: Fixture.crew.id)
        fixture.service.stored[Fixture.crew.id] = [old] + stored
        fixture.service.send(.example("again", minutes: 70, in: Fixture.crew.id, replyTo: old.id))
        await until { [fixture] in fixture.model.thread?.state.quoted[old.id] == old }
    }
}
