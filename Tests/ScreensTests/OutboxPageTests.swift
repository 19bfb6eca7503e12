import FoundationEssentials
import Models
import Sync
import TestSupport
import Testing
import ViewModels

@testable import Screens

@MainActor @Suite(.timeLimit(.minutes(1))) struct OutboxPageTests {
    private let crew = MainScreenTests.crewID

    private func entry(_ id: Int64, _ kind: OutboxEntry.Kind, _ text: String = "") -> OutboxEntry {
        OutboxEntry(
            id: id, kind: kind, conversationID: crew, messageID: .example(UInt32(7_000 + id)), text: text,
            since: .example(minutes: Int(id)))
    }

    private func scene(_ entries: [OutboxEntry], status: ConnectionStatus = .connected) async -> Scene {
        let scene = Scene(columns: 80, rows: 24)
        scene.service.stored[crew] = MainScreenTests.crewMessages
        await scene.begin(MainScreenTests.conversations)
        await scene.open(MainScreenTests.conversations[0])
        scene.service.statuses.send(status)
        scene.service.outboxRelay.send(entries)
        scene.press("Alt-o")
        await until {
            guard case .outbox(let page) = scene.model.places.last else { return false }
            return page.state.isLoaded && scene.model.accounts.allSatisfy { $0.banner.status == status }
        }
        return scene
    }

    @Test func theOutboxSaysOfEachOperationHowItStands() async throws {
        var first = entry(1, .send, "Shall I \u{1B}[31mmerge it?")
        (first.tries, first.trouble) = (3, .askedToWait)
        var failed = entry(3, .edit, "a wording that is far too long for the server, and for this row too")
        failed.failure = .tooLong(limit: 8_000)
        var stray = entry(6, .send)
        stray.conversationID = .example(999)
        stray.fileName = "cat.png"
        let scene = await scene([
            first, entry(2, .send, "and tag it"), failed, entry(4, .react(symbol: "❤️", isOn: false)),
            entry(5, .delete), stray,
        ])
        first.nextTryAt = scene.clock.now.addingTimeInterval(12)
        scene.service.outboxRelay.send([
            first, entry(2, .send, "and tag it"), failed, entry(4, .react(symbol: "❤️", isOn: false)),
            entry(5, .delete), stray,
        ])
        await until { scene.picture.contains("next try in 12 s") }
        try expectGolden(scene.picture, "outbox-80x24")
    }

    @Test func whatIsTaggedBearsAMark() async {
        let scene = await scene([entry(1, .send, "one"), entry(2, .send, "two")])
        let mark = scene.screen.style.glyphs.boxOn
        #expect(!scene.picture.contains(mark))
        scene.press("Space")
        #expect(scene.picture.contains("\(mark) Release crew"))
        #expect(scene.picture.contains("1 tagged"))
        scene.press("Esc")
        #expect(!scene.picture.contains(mark))
    }

    @Test func withoutALinkItSaysWhatItWaitsFor() async {
        let scene = await scene([entry(1, .send, "hello")], status: .disconnected)
        #expect(scene.picture.contains("waits for the link"))
    }

    @Test func anEmptyOutboxSaysSoAndTheSameKeyClosesIt() async {
        let scene = await scene([])
        #expect(scene.picture.contains("Nothing waits, and nothing failed."))
        scene.press("Alt-o")
        #expect(scene.model.places.isEmpty)
    }

    @Test func aLongOutboxKeepsTheSelectedRowInSight() async {
        let scene = await scene((1...40).map { entry($0, .send, "number \($0).") })
        scene.press("G")
        #expect(scene.picture.contains("number 40."))
        #expect(!scene.picture.contains("number 1."))
        scene.press("g")
        #expect(scene.picture.contains("number 1."))
    }

    @Test func aConversationMarkedAsUnreadHasABullet() async {
        let scene = Scene(columns: 80, rows: 24)
        var crew = MainScreenTests.conversations[0]
        (crew.unreadCount, crew.isMarkedUnread) = (0, true)
        await scene.begin([crew])
        #expect(scene.picture.contains("•"))
    }
}
