import FoundationEssentials
import Models
import Sync
import TestSupport
import Testing

@testable import ViewModels

/// A service that asks to be left alone, and accounts that keep nothing.
@MainActor @Suite(.timeLimit(.minutes(1))) struct PatienceTests {
    private let fixture = Fixture()
    private var thread: ThreadViewModel? { fixture.model.thread }
    private var count: Int { thread?.state.window.messages.count ?? 0 }

    private func scrollToTop() {
        guard let first = thread?.state.window.messages.first?.id else { return }
        thread?.scroll(to: .at(first, rowsBelow: 0))
    }

    @Test func t21ScrollingPausesWithWordsAndGoesOnByItself() async {
        await fixture.begin()
        fixture.service.error = .service(
            ServiceFailure(userCopy: UserCopy("", next: ""), isTransient: true, retryAfter: .seconds(2)))
        await fixture.open(Fixture.crew, stored: 260)
        scrollToTop()
        await until { [thread] in thread?.state.isOlderPaused == true }
        let (before, asked) = (count, fixture.service.olderLoads)

        fixture.service.error = nil
        for _ in 0..<20 { scrollToTop() }
        await settle()
        #expect(fixture.service.olderLoads == asked)
        #expect(count == before)

        fixture.clock.advance(by: 2)
        await until { [thread] in thread?.state.isOlderPaused == false && thread?.state.didOlderFail == false
        }
        #expect(count > before)
        let stored = fixture.service.stored[Fixture.crew.id]?.map(\.id) ?? []
        #expect(Array(stored.suffix(count)) == thread?.state.window.messages.map(\.id))
    }

    @Test func t60WritingWithoutALinkInAnAccountThatKeepsNothingSaysSo() async {
        let model = fixture.model
        fixture.service.profiles.send(.ana)
        fixture.service.conversationRelay.send([Fixture.crew])
        model.add(Account(service: fixture.service, label: "team", isKept: false))
        await until { model.list.state.isLoaded }
        await fixture.open(Fixture.crew)
        fixture.type("hello")
        model.perform(.send)
        #expect(model.state.notice?.what == "Kept in memory only, until it is sent.")
    }

    @Test func t62TwoAccountsOfOneServerAreToldApart() async {
        let model = fixture.model
        await fixture.begin()
        let other = FakeChatService(account: .init(rawValue: .example(77)))
        other.profiles.send(.ben)
        other.conversationRelay.send([Fixture.cleo])
        model.add(Account(service: other, label: "team"))
        await until { model.state.accountNames == ["ana@team", "ben@team"] }
        let labels = Set(model.list.state.rows.compactMap(\.accountLabel))
        #expect(labels == ["ben@team"])
        model.remove(other.account)
        #expect(model.state.accountNames == ["ana@team"])
    }
}
