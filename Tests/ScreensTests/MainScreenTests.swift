import FoundationEssentials
import Models
import Sync
import Terminal
import TestSupport
import Testing
import ViewModels

@testable import Screens

@MainActor @Suite(.timeLimit(.minutes(1))) struct MainScreenTests {
    static let crewID = UUID.example(100)

    static var crewMessages: [Message] {
        var vote = Message.example("+1 from me", from: .cleo, minutes: 39, replyTo: .example(10_038))
        vote.reactions = [
            Reaction(symbol: "hand.thumbsup", byMe: false, count: 2),
            Reaction(symbol: "heart.fill", byMe: true),
        ]
        var old = Message.example("Morning all. The branch is cut, CI runs now.", minutes: -600)
        old.editedAt = .example(minutes: -590)
        return [
            old,
            .example(
                "Nice. I will look at the release notes after lunch.", from: .ana, minutes: -595, state: .read
            ),
            .example("Build is green. Tag it?", minutes: 38), vote,
            .example("tagging now", from: .ana, minutes: 41, state: .delivered),
            .example(
                "Great. I will announce it on the list once the mirrors have it, say at eleven.", minutes: 41,
                id: .example(10_042)),
        ]
    }

    static var conversations: [Conversation] {
        [
            .example("Release crew", 100, isGroup: true, last: crewMessages.last, unread: 2, members: 4),
            .example(
                "Cleo", 101, last: .example("see you at 10", from: .cleo, minutes: -45), minutes: -45,
                peer: .cleo),
            .example(
                "Dana", 102, last: .example("the photos are up", from: .ana, minutes: -4_000),
                minutes: -4_000, peer: .dana),
        ]
    }

    private func scene(columns: Int = 80, rows: Int = 24, glyphs: Glyphs = .unicode) async -> Scene {
        let scene = Scene(columns: columns, rows: rows, glyphs: glyphs)
        scene.service.stored[Self.crewID] = Self.crewMessages
        await scene.begin(Self.conversations)
        return scene
    }

    @Test func theMainScreenAt80x24() async throws {
        let scene = await scene()
        await scene.open(Self.conversations[0])
        scene.service.newsRelay.send(.typing([Person.ben.id]))
        await until { scene.model.thread?.state.typing.isEmpty == false }
        try expectGolden(scene.picture, "main-80x24")
    }

    @Test func theMainScreenAt120x40() async throws {
        let scene = await scene(columns: 120, rows: 40)
        await scene.open(Self.conversations[0])
        try expectGolden(scene.picture, "main-120x40")
    }

    @Test func theMainScreenInASCII() async throws {
        let scene = await scene(glyphs: .ascii)
        await scene.open(Self.conversations[0])
        try expectGolden(scene.picture, "main-ascii-80x24")
    }

    @Test func theListAloneInANarrowWindow() async throws {
        let scene = await scene(columns: 40, rows: 12)
        try expectGolden(scene.picture, "list-40x12")
    }

    @Test func theThreadAloneInANarrowWindow() async throws {
        let scene = await scene(columns: 34, rows: 16)
        await scene.open(Self.conversations[0])
        try expectGolden(scene.picture, "thread-34x16")
    }

    @Test func theSmallestScreen() async throws {
        let scene = await scene(columns: 20, rows: 5)
        await scene.open(Self.conversations[0])
        try expectGolden(scene.picture, "thread-20x5")
    }

    @Test func theBannerCountsDownUnderTheTitle() async throws {
        let scene = await scene(rows: 12)
        await scene.open(Self.conversations[0])
        scene.service.details.send(
            LinkDetail(
                attempt: 3, reason: .lost, nextTryAt: scene.clock.now.addingTimeInterval(4), waitingCount: 2))
        scene.service.statuses.send(.disconnected)
        await until {
            if case .reconnecting(attempt: 3, _, waiting: 2, _) = scene.model.banner.state {
                true
            } else {
                false
            }
        }
        try expectGolden(scene.picture, "banner-80x12")
    }

    @Test func theTitleCountsThoseWhoAreThereNow() async {
        let scene = Scene(columns: 100, rows: 20)
        var crew = Conversation.example("Crew", 500, isGroup: true)
        crew.memberCount = 7
        await scene.begin([crew])
        await scene.open(crew)
        #expect(scene.picture.contains("Crew · 3 people"))
    }

    @Test func aLongNoticeTakesTheRowsItNeeds() async {
        let scene = Scene(columns: 60, rows: 24)
        await scene.begin([])
        scene.model.show(
            Notice(
                "This account is open in another place: process 4685 on pts/1.", next: "Close it there first."
            ))
        let rows = scene.picture.split(separator: "\n").dropLast().suffix(3).map { $0.drop { $0 == " " } }
        #expect(rows.joined(separator: " ").contains("process 4685 on pts/1."))
        #expect(rows.last?.hasPrefix("Close it there first.") == true)
        scene.size.rows = 8
        #expect(!scene.picture.contains("Close it"))
    }

    @Test func withoutConversationsTheFirstStepIsToStartOne() async {
        let scene = Scene(columns: 100, rows: 20)
        await scene.begin([])
        #expect(!scene.picture.contains("opens a conversation"))
        #expect(scene.picture.contains("starts a conversation"))
    }

    @Test func noSizeIsTooSmallToDraw() async {
        let scene = await scene()
        await scene.open(Self.conversations[0])
        scene.type("a long draft that needs more than one row of a narrow window")
        for columns in [0, 1, 2, 5, 19, 20, 21, 39, 59, 60, 61, 200] {
            for rows in [0, 1, 2, 3, 4, 5, 6, 9, 10, 24, 60] {
                scene.size = Size(columns: Columns(columns), rows: rows)
                #expect(scene.frame.size == scene.size)
            }
        }
    }

    @Test func aTypedLetterChangesTheComposerRowOnly() async {
        let scene = await scene()
        await scene.open(Self.conversations[0])
        let before = scene.frame
        scene.type("h")
        let after = scene.frame
        let changed = (0..<24).filter { before.text(row: $0) != after.text(row: $0) }
        #expect(changed == [22])
    }
}
