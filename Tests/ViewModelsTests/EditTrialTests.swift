import FoundationEssentials
import Models
import Sync
import TestSupport
import Testing

@testable import ViewModels

/// Texts that stayed on the screen after they were taken back, as it was reported of other messengers.
@MainActor @Suite(.timeLimit(.minutes(1))) struct EditTrialTests {
    private let fixture = Fixture()
    private var thread: ThreadViewModel? { fixture.model.thread }

    /// Opens a thread whose newest message quotes one that is far above the window.
    private func openWithQuote() async {
        await fixture.begin()
        await fixture.open(Fixture.crew, stored: 300)
        fixture.service.send(.example("yes", minutes: 1, replyTo: .example(20_003)))
        await until { [model = fixture.model] in
            model.thread?.state.quotedMessage(.example(20_003))?.body == "message 3"
        }
    }

    private func change(_ number: Int, version: Int64, _ change: (inout Message) -> Void) {
        var message = Fixture.messages(300, in: Fixture.crew.id)[number]
        message.version = version
        change(&message)
        fixture.service.send(message)
    }

    @Test func t32AQuoteOutsideTheWindowFollowsEditsAndTheDelete() async {
        await openWithQuote()
        #expect(thread?.state.window.contains(.example(20_003)) == false)
        change(3, version: 2) { $0.body = "edited" }
        await until { [model = fixture.model] in
            model.thread?.state.quotedMessage(.example(20_003))?.body == "edited"
        }
        change(3, version: 3) { message in
            message.body = ""
            message.deletedAt = .exampleMorning
        }
        await until { [model = fixture.model] in
            model.thread?.state.quotedMessage(.example(20_003))?.isDeleted == true
        }
        #expect(thread?.state.quotedMessage(.example(20_003))?.body == "")
    }

    @Test func t32AQuoteOfWhatIsGoneForGoodIsNotKept() async {
        await openWithQuote()
        fixture.service.remove(.example(20_003), in: Fixture.crew.id)
        await until { [model = fixture.model] in
            model.thread?.state.quotedMessage(.example(20_003)) == nil
        }
    }

    @Test func t32AQuoteInsideTheWindowFollows() async {
        await openWithQuote()
        fixture.service.send(.example("and this", minutes: 2, replyTo: .example(20_299)))
        change(299, version: 2) { message in
            message.body = ""
            message.deletedAt = .exampleMorning
        }
        await until { [model = fixture.model] in
            model.thread?.state.quotedMessage(.example(20_299))?.isDeleted == true
        }
    }
}
