import Models
import TestSupport
import Testing

@testable import ViewModels

@Suite struct TextBufferTests {
    private func after(_ text: String, _ commands: TextCommand..., cursor: Int? = nil) -> TextBuffer {
        var buffer = TextBuffer(text, isMultiline: true)
        if let cursor { buffer.moveCursor(to: cursor) }
        for command in commands { buffer.perform(command) }
        return buffer
    }

    /// One sequence of several scalars is one cluster, however many people are in it.
    @Test(arguments: ["👨‍👩‍👧‍👦", "🇩🇪", "1️⃣", "👍🏽", "é", "न्‍", "😮‍💨"])
    func backspaceRemovesOneWholeCluster(_ cluster: String) {
        #expect(after("a" + cluster, .deleteBack).text == "a")
        #expect(after(cluster + "b", .left, .left, .deleteForward).text == "b")
    }

    @Test func anAccentTypedAfterItsLetterJoinsIt() {
        var text = TextBuffer("")
        for scalar in "e\u{301}x".unicodeScalars { text.insert(String(Character(scalar))) }
        #expect(text.characters == ["e\u{301}", "x"])
        #expect(text.cursor == 2)
        text.perform(.deleteBack)
        text.perform(.deleteBack)
        #expect(text.isEmpty)
    }

    @Test func aFlagTypedInHalvesIsOneCluster() {
        var text = TextBuffer("")
        text.insert("\u{1F1E9}")
        text.insert("\u{1F1EA}")
        #expect(text.characters == ["🇩🇪"])
        text.perform(.undo)
        #expect(text.text.isEmpty || text.text == "\u{1F1E9}")
    }

    @Test func wordsAreKilledAsReadlineDoes() {
        #expect(after("git push origin/main", .killWordBack).text == "git push ")
        #expect(after("git push origin/main", .killLettersBack).text == "git push origin/")
        #expect(after("git push", .killWordForward, cursor: 0).text == " push")
        #expect(after("one two", .killToLineStart, cursor: 4).text == "two")
        #expect(after("one two", .killToLineEnd, cursor: 3).text == "one")
    }

    @Test func killsInARowComeBackAsOne() {
        #expect(after("one two three", .killWordBack, .killWordBack, .yank).text == "one two three")
        #expect(after("ab cd", .killWordForward, .killWordForward, .yank, cursor: 0).text == "ab cd")
    }

    @Test func theKillBeforeComesBackByYankPop() {
        #expect(
            after("one two", .killWordBack, .left, .lineEnd, .killWordBack, .yank, .yankPop).text == "two")
    }

    @Test func killingAtTheEndOfALineTakesTheBreak() {
        #expect(after("one\ntwo", .killToLineEnd, cursor: 3).text == "onetwo")
    }

    @Test func transposingSwapsAndStepsOn() {
        #expect(after("teh", .transpose).text == "the")
        #expect(after("abc", .transpose, cursor: 1).text == "bac")
        #expect(after("a", .transpose).text == "a")
    }

    @Test func undoTakesBackWordByWord() {
        var text = TextBuffer("")
        for character in "one two" { text.insert(String(character)) }
        text.perform(.undo)
        #expect(text.text == "one ")
        text.perform(.undo)
        #expect(text.text == "")
        text.perform(.redo)
        text.perform(.redo)
        #expect(text.text == "one two")
        #expect(text.cursor == 7)
    }

    @Test func undoBringsBackWhatCtrlCCleared() {
        var text = TextBuffer("a long thought")
        text.setText("")
        text.perform(.undo)
        #expect(text.text == "a long thought")
    }

    @Test func whatWasSentDoesNotComeBackByUndo() {
        var text = TextBuffer("")
        text.insert("sent")
        text.reset()
        text.perform(.undo)
        #expect(text.isEmpty)
    }

    @Test func movingByLinesKeepsTheColumnOverShortLines() {
        var text = after("a long line\nx\nanother line", .lineEnd)
        text.moveCursor(to: 8)
        text.perform(.down)
        #expect(text.cursor == 13)
        text.perform(.down)
        #expect(text.cursor == 22)
        text.perform(.up)
        text.perform(.up)
        #expect(text.cursor == 8)
        let moved = text.perform(.up)
        #expect(!moved)
    }

    @Test func everyKindOfLineBreakIsOneLineFeed() {
        var text = TextBuffer("", isMultiline: true)
        text.insert("a\r\nb\rc\u{2028}d\u{85}e\u{0B}f\u{0C}g")
        #expect(text.text == "a\nb\nc\nd\ne\nf\ng")
        #expect(TextBuffer("a\r\nb\tc").text == "a b c")
    }

    @Test func commandsAtTheEndsDoNothing() {
        for command in TextCommand.allCases {
            var text = TextBuffer("", isMultiline: true)
            text.perform(command)
            #expect(text.text == (command == .newline ? "\n" : ""))
        }
    }

    @Test func whatIsJoinedMayJoinOn() {
        // A joiner at the beginning of a line joins nothing, until the line above ends in a picture.
        var text = TextBuffer("👩\n\u{200D}👩", isMultiline: true)
        #expect(text.characters.count == 4)
        text.perform(.up)
        text.perform(.lineEnd)
        text.perform(.deleteForward)
        #expect(text.characters == ["👩\u{200D}👩"])
        text.perform(.undo)
        #expect(text.characters.count == 4)
    }

    /// Any order of commands keeps the cursor inside and undo leads back to the start.
    @Test(arguments: 1...20 as ClosedRange<UInt64>) func randomCommandsUndoToNothing(_ seed: UInt64) {
        var generator = SeededRandom(seed: seed)
        let pieces = ["a", "word ", "\n", "👨‍👩‍👧‍👦", "\u{301}", "\u{200D}", "🇩", "漢字"]
        var text = TextBuffer("", isMultiline: true)
        for _ in 0..<300 {
            if Bool.random(using: &generator), let piece = pieces.randomElement(using: &generator) {
                text.insert(piece)
            } else if let command = TextCommand.allCases.randomElement(using: &generator) {
                text.perform(command)
            }
            #expect((0...text.characters.count).contains(text.cursor))
            #expect(Array(String(text.characters)) == text.characters)
        }
        while text.perform(.undo) {}
        #expect(text.isEmpty)
    }

    @Test(arguments: [
        "", "   ", "\t", "\n\n\n", "\u{A0}", "\u{200B}\u{FEFF}", "\u{2800}", "\u{3164}", "\u{2060}\u{AD}",
    ])
    func whatNobodyCanSeeIsBlank(_ text: String) { #expect(text.isBlank) }

    @Test(arguments: ["a", "  x", ".", "\u{301}", "👍", "ㄱ"])
    func whatCanBeSeenIsNotBlank(_ text: String) { #expect(!text.isBlank) }
}
