import FoundationEssentials
import Models
import Sync
import TestSupport
import Testing

@testable import ViewModels

@MainActor @Suite(.timeLimit(.minutes(1))) struct ComposerTests {
    private let fixture = Fixture()

    @Test func t08ASecondEnterFindsAnEmptyBox() async {
        await fixture.begin()
        await fixture.open(Fixture.crew)
        fixture.type("ok")
        fixture.model.perform(.send)
        fixture.model.perform(.send)
        await fixture.model.composer?.flush()
        #expect(fixture.service.sent.map(\.body) == ["ok"])
    }

    @Test func t08SayingTheSameTwiceIsAllowed() async {
        await fixture.begin()
        await fixture.open(Fixture.crew)
        for _ in 0..<2 {
            fixture.type("ok")
            fixture.model.perform(.send)
        }
        await fixture.model.composer?.flush()
        #expect(fixture.service.sent.map(\.body) == ["ok", "ok"])
    }

    @Test(arguments: ["   ", "\u{200B}\u{FEFF}", "\u{2800}", "\u{3164}", "\n\n\n"])
    func blankTextStaysAndIsNotSent(_ text: String) async {
        await fixture.begin()
        await fixture.open(Fixture.crew)
        fixture.model.composer?.paste(text)
        fixture.model.perform(.send)
        await fixture.model.composer?.flush()
        #expect(fixture.service.sent.isEmpty)
        #expect(fixture.model.composer?.state.hint == .nothingToSend)
    }

    @Test func anIndentIsKeptAndTheEndIsTrimmed() async {
        await fixture.begin()
        await fixture.open(Fixture.crew)
        fixture.model.composer?.paste("    code\n    more\n\n  ")
        fixture.model.perform(.send)
        await fixture.model.composer?.flush()
        #expect(fixture.service.sent.map(\.body) == ["    code\n    more"])
    }

    @Test func whatIsSentFastGoesToItsOwnThread() async {
        await fixture.begin()
        await fixture.open(Fixture.crew)
        for number in 1...20 {
            fixture.type("a\(number)")
            fixture.model.perform(.send)
        }
        fixture.model.open(fixture.ref(Fixture.cleo))
        fixture.type("b1")
        fixture.model.perform(.send)
        await fixture.model.shutDown()
        let toCrew = fixture.service.sent.filter { $0.conversationID == Fixture.crew.id }.map(\.body)
        let toCleo = fixture.service.sent.filter { $0.conversationID == Fixture.cleo.id }.map(\.body)
        #expect(toCrew == (1...20).map { "a\($0)" })
        #expect(toCleo == ["b1"])
    }

    @Test func aReplyStaysInItsThread() async {
        await fixture.begin()
        await fixture.open(Fixture.crew)
        fixture.model.perform(.reply)
        fixture.model.open(fixture.ref(Fixture.cleo))
        fixture.type("b1")
        fixture.model.perform(.send)
        fixture.model.open(fixture.ref(Fixture.crew))
        fixture.type("a1")
        fixture.model.perform(.send)
        await fixture.model.shutDown()
        let replies = Dictionary(uniqueKeysWithValues: fixture.service.sent.map { ($0.body, $0.replyTo) })
        #expect(replies["b1"] == .some(nil))
        #expect(replies["a1"] == Fixture.messages(3, in: Fixture.crew.id).last?.id)
    }

    @Test func theDraftIsSavedShortlyAfterAKeyAndComesBack() async {
        await fixture.begin()
        await fixture.open(Fixture.crew)
        fixture.type("half a thou")
        await settle()
        fixture.clock.advance(by: 1)
        await until { [service = fixture.service] in service.storedDrafts[Fixture.crew.id] == "half a thou" }

        let other = Fixture()
        other.service.storedDrafts[Fixture.crew.id] = "half a thou"
        await other.begin()
        await other.open(Fixture.crew)
        await until { other.model.composer?.state.text.text == "half a thou" }
    }

    @Test func whoTypesOnAndOnHasTheDraftSavedMeanwhile() async {
        await fixture.begin()
        await fixture.open(Fixture.crew)
        for letter in "abcdef" {
            fixture.model.composer?.type(letter)
            await settle()
            fixture.clock.advance(by: 0.2)
            await settle()
        }
        let draft = fixture.service.storedDrafts[Fixture.crew.id] ?? ""
        #expect(draft.count >= 2 && "abcdef".hasPrefix(draft))
    }

    @Test func leavingAThreadSavesItsDraftAtOnce() async {
        await fixture.begin()
        await fixture.open(Fixture.crew)
        fixture.type("later")
        fixture.model.open(fixture.ref(Fixture.cleo))
        await until { [service = fixture.service] in service.storedDrafts[Fixture.crew.id] == "later" }
        fixture.model.open(fixture.ref(Fixture.crew))
        #expect(fixture.model.composer?.state.text.text == "later")
    }

    @Test func whatTheStoreCannotKeepComesBack() async {
        await fixture.begin()
        await fixture.open(Fixture.crew)
        fixture.service.error = .store(.diskFull)
        fixture.type("precious")
        fixture.model.perform(.send)
        await until { [model = fixture.model] in model.composer?.state.hint != nil }
        #expect(fixture.model.composer?.state.text.text == "precious")
        #expect(fixture.model.composer?.state.hint == .notKept(StoreError.diskFull.userCopy))
    }

    @Test func anEditBringsBackWhatWasBeingWritten() async {
        await fixture.begin()
        await fixture.open(Fixture.crew)
        let own = Message.example("tpyo", from: .ana, minutes: 5)
        fixture.service.send(own)
        await until { [model = fixture.model] in model.thread?.state.window.contains(own.id) == true }
        fixture.type("new text")
        fixture.model.perform(.edit)
        #expect(fixture.model.composer?.state.text.text == "tpyo")
        fixture.model.composer?.setText("   ")
        fixture.model.perform(.send)
        #expect(fixture.model.composer?.state.hint == .emptyEdit)
        fixture.model.composer?.setText("typo")
        fixture.model.perform(.send)
        await fixture.model.composer?.flush()
        #expect(fixture.service.edits[own.id] == "typo")
        #expect(fixture.service.sent.isEmpty)
        #expect(fixture.model.composer?.state.text.text == "new text")
    }

    @Test func sentTextsComeBackOldestLast() async {
        await fixture.begin()
        await fixture.open(Fixture.crew)
        for text in ["one", "two"] {
            fixture.type(text)
            fixture.model.perform(.send)
        }
        fixture.type("thr")
        fixture.model.perform(.recallOlder)
        #expect(fixture.model.composer?.state.text.text == "two")
        fixture.model.perform(.recallOlder)
        fixture.model.perform(.recallOlder)
        #expect(fixture.model.composer?.state.text.text == "one")
        fixture.model.perform(.recallNewer)
        fixture.model.perform(.recallNewer)
        #expect(fixture.model.composer?.state.text.text == "thr")
    }

    @Test func typingIsToldSparinglyAndEnds() async {
        await fixture.begin()
        await fixture.open(Fixture.crew)
        fixture.type("a long sentence")
        fixture.model.perform(.send)
        await until { [service = fixture.service] in service.typing.last == false }
        #expect(fixture.service.typing == [true, false])
    }

    @Test func aLongPasteIsAskedAboutAndNeverSent() async {
        await fixture.begin()
        await fixture.open(Fixture.crew)
        fixture.model.paste("one\ntwo\n\nfour")
        #expect(fixture.model.composer?.state.text.text == "one\ntwo\n\nfour")
        fixture.model.composer?.setText("")
        fixture.model.paste((1...9).map(String.init).joined(separator: "\r\n"))
        guard case .confirm(let question) = fixture.model.places.last else {
            Issue.record("no question")
            return
        }
        question.move(by: 1)
        question.answer()
        #expect(fixture.model.composer?.state.text.text == "1\n2\n3\n4\n5\n6\n7\n8\n9")
        fixture.model.composer?.setText("")
        fixture.model.paste("a\u{1B}[201~b\u{7}")
        #expect(fixture.model.places.count == 1)
        #expect(fixture.service.sent.isEmpty)
    }
}
