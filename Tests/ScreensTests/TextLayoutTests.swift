import Terminal
import TestSupport
import Testing
import ViewModels

@testable import Screens

@Suite struct TextLayoutTests {
    private func layout(_ text: String, cursor: Int? = nil, room: Columns = 10, reach: Int = 20) -> TextLayout
    {
        var buffer = TextBuffer(text, isMultiline: true)
        if let cursor { buffer.moveCursor(to: cursor) }
        return TextLayout(buffer, room: room, reach: reach)
    }

    @Test func rowsBreakAfterBlanksAndKeepThem() {
        let layout = layout("one two three four")
        #expect(layout.lines.map(\.string) == ["one two ", "three ", "four"])
        #expect(layout.row == 2 && layout.column == 4)
    }

    @Test func theCursorStandsWhereTheNextLetterGoes() {
        #expect(layout("one two three", cursor: 8).row == 1)
        #expect(layout("one two three", cursor: 7).column == 7)
        #expect(layout("", cursor: 0).lines.count == 1)
        #expect(layout("a\n", cursor: 2).row == 1)
        #expect(layout("a\n\nb", cursor: 2).row == 1)
        #expect(layout("123456789", cursor: 9).column == 9)
    }

    @Test func wideClustersAreNeverHalved() {
        let layout = layout("漢字漢字漢字", room: 6)
        #expect(layout.lines.map(\.string) == ["漢字", "漢字", "漢字"])
        #expect(layout.column == 4)
    }

    /// What is laid out near the cursor is the same as in the whole.
    @Test func theReachChangesNothingNearTheCursor() {
        let text = (0..<60).map { "line \($0) with some words" }.joined(separator: "\n")
        for cursor in stride(from: 0, through: text.count, by: 37) {
            let whole = layout(text, cursor: cursor, reach: 10_000)
            let near = layout(text, cursor: cursor, reach: 5)
            #expect(Array(near.visible(5).lines) == Array(whole.visible(5).lines))
            #expect(near.visible(5).cursorRow == whole.visible(5).cursorRow)
            #expect(near.column == whole.column)
        }
    }

    @Test func aLineOfManyThousandClustersIsLaidOutInPieces() {
        let text = String(repeating: "x", count: 9_999)
        for cursor in [0, 1_999, 2_000, 2_001, 4_000, 9_998, 9_999] {
            let near = layout(text, cursor: cursor, room: 81, reach: 4)
            #expect(near.lines[near.row].width <= 80)
            #expect(near.column <= 80)
            #expect(near.lines.count < 70)
        }
    }

    @Test func aTabIsOneClusterAndTheCursorAgrees() {
        let layout = layout("a\tb", cursor: 2)
        #expect(layout.lines[0].string == "a b")
        #expect(layout.column == 2)
    }
}
