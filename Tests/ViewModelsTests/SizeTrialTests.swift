import FoundationEssentials
import Models
import Sync
import TestSupport
import Testing

@testable import ViewModels

/// Messages without anything in them and threads without an end, as they were reported of other messengers.
@MainActor @Suite(.timeLimit(.minutes(1))) struct SizeTrialTests {
    private let fixture = Fixture()
    private var thread: ThreadViewModel? { fixture.model.thread }
    private var composer: ComposerViewModel? { fixture.model.composer }

    nonisolated static let blanks = [
        "", "   ", "\t", "\n\n\n", "\u{A0}", "\u{200B}\u{FEFF}", "\u{2800}", "\u{3164}",
        " \u{2800}\n\u{200B} ",
    ]

    // MARK: Blank messages

    @Test(arguments: blanks) func t36NothingIsSentAndTheBoxSaysSo(_ text: String) async {
        await fixture.begin()
        await fixture.open(Fixture.crew)
        composer?.paste(text)
        let before = composer?.state.text.text
        fixture.model.perform(.send)
        await composer?.flush()
        #expect(fixture.service.sent.isEmpty)
        #expect(composer?.state.text.text == before)
        #expect(composer?.state.hint == (before?.isEmpty == true ? nil : .nothingToSend))
    }

    @Test(arguments: blanks) func t36AMessageIsNotEditedDownToNothing(_ text: String) async {
        await fixture.begin()
        await fixture.open(Fixture.crew)
        composer?.edit(.example("something", from: .ana))
        composer?.setText(text)
        fixture.model.perform(.send)
        await composer?.flush()
        #expect(fixture.service.edits.isEmpty && fixture.service.sent.isEmpty)
        #expect(composer?.state.hint == .emptyEdit)
        #expect(composer?.state.mode == .edit(.example("something", from: .ana)))
    }

    @Test(arguments: blanks) func t36APictureGoesWithoutACaptionNobodyCanSee(_ text: String) async {
        await fixture.begin()
        await fixture.open(Fixture.crew)
        composer?.take(ScriptedFiles.file("cat.png"), of: ScriptedFiles())
        composer?.paste(text)
        fixture.model.perform(.send)
        await composer?.flush()
        #expect(fixture.service.sent.map(\.body) == [""])
        #expect(fixture.service.sent.first?.file == ScriptedFiles.file("cat.png"))
        #expect(composer?.state.text.isEmpty == true)
    }

    @Test func t36AnIndentAndWhatLooksLikeNothingBesideTextAreKept() async {
        await fixture.begin()
        await fixture.open(Fixture.crew)
        for text in ["    indented", "\u{2800}\u{2800}braille picture", "\tone\n\n\n\ttwo"] {
            composer?.paste(text)
            fixture.model.perform(.send)
        }
        await composer?.flush()
        #expect(
            fixture.service.sent.map(\.body) == [
                "    indented", "\u{2800}\u{2800}braille picture", "\tone\n\n\n\ttwo",
            ])
    }

    // MARK: A huge history

    private func bound() -> Int { MessageWindow.limit + MessageWindow.slack }

    @Test func t34AThreadWithoutEndHoldsAWindowOfItAndLeavesLittle() async {
        await fixture.begin()
        await fixture.open(Fixture.crew, stored: 20_000)
        #expect((thread?.state.window.messages.count ?? 0) <= fixture.service.pageSize)
        for _ in 0..<100 {
            guard let first = thread?.state.window.messages.first else { return }
            let loads = fixture.service.olderLoads
            thread?.scroll(to: .at(first.id, rowsBelow: 0))
            fixture.type("x")
            await settle()
            #expect((thread?.state.window.messages.count ?? 0) <= bound())
            // A page that was scrolled costs one look, however long the thread is.
            #expect(fixture.service.olderLoads - loads <= 2)
        }
        #expect(composer?.state.text.text == String(repeating: "x", count: 100))
        fixture.model.perform(.threadNewest)
        #expect(thread?.state.window.newest?.body == "message 19999")

        for _ in 0..<20 {
            fixture.model.open(fixture.ref(Fixture.cleo))
            fixture.model.open(fixture.ref(Fixture.crew))
            await settle()
        }
        #expect((thread?.state.window.messages.count ?? 0) <= bound())
        #expect(fixture.service.listeners(of: Fixture.crew.id) == 1)
        #expect(composer?.state.text.text == String(repeating: "x", count: 100))
    }
}
