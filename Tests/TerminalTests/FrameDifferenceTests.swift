import Terminal
import Testing

struct FrameDifferenceTests {
    private func frame(_ texts: String..., role: Role = .body) -> Frame {
        var frame = Frame(size: Size(columns: 12, rows: texts.count))
        for (row, text) in texts.enumerated() {
            frame.draw(Line(text, role), at: Point(column: 0, row: row))
        }
        return frame
    }

    private func columns(_ old: Frame, _ new: Frame, row: Int = 0) -> Range<Int>? {
        FrameDifference(from: old, to: new).columns(inRow: row)
    }

    @Test func equalRowsDifferNowhere() {
        #expect(columns(frame("one", "two"), frame("one", "ten")) == nil)
        #expect(columns(frame("one", "two"), frame("one", "ten"), row: 1) == 1..<3)
    }

    @Test func aRowDiffersFromItsFirstOtherCellToItsLast() {
        #expect(columns(frame("abcdefghijkl"), frame("abXdefYhijkl")) == 2..<7)
        #expect(columns(frame("abc"), frame("abc", role: .dim)) == 0..<3)
    }

    @Test func noWideClusterLiesAcrossAnEdge() {
        #expect(columns(frame("a日b"), frame("a本b")) == 1..<3)
        #expect(columns(frame("a日b"), frame("a 日")) == 1..<4)
        #expect(columns(frame("日"), frame("x")) == 0..<2)
        #expect(columns(frame("ab日"), frame("abx")) == 2..<4)
    }

    @Test func clustersThatHaveOtherNumbersAreTheSame() {
        var (old, new) = (frame(""), frame(""))
        old.draw(Line("e\u{301}\u{323}", .body), at: .origin)
        old.draw(Line("👨‍👩‍👧‍👦", .body), at: Point(column: 4, row: 0))
        new.draw(Line("👨‍👩‍👧‍👦", .body), at: Point(column: 4, row: 0))
        new.draw(Line("e\u{301}\u{323}", .body), at: .origin)
        #expect(columns(old, new) == nil)
        new.draw(Line("👍🏽", .body), at: Point(column: 4, row: 0))
        #expect(columns(old, new) == 4..<6)
    }

    @Test func columnsAreNarrowOnlyWhereBothFramesAre() {
        let (wide, narrow) = (frame("a日b"), frame("axyb"))
        for difference in [FrameDifference(from: wide, to: narrow), FrameDifference(from: narrow, to: wide)] {
            #expect(!difference.isNarrow(1..<3, inRow: 0))
            #expect(difference.isNarrow(0..<1, inRow: 0))
            #expect(difference.isNarrow(3..<12, inRow: 0))
        }
    }

    @Test func plainTextEndsWithItsLookAndBeforeWhatIsNoASCII() {
        var frame = frame("ab~é日")
        frame.draw(Line("cd", .dim), at: Point(column: 8, row: 0))
        var text: [UInt8] = []
        frame.readPlain(0..<12, inRow: 0, into: &text)
        #expect(text == Array("ab~".utf8))
        frame.readPlain(3..<12, inRow: 0, into: &text)
        #expect(text.isEmpty)
        frame.readPlain(6..<12, inRow: 0, into: &text)
        #expect(text == Array("  ".utf8))
        frame.readPlain(8..<9, inRow: 0, into: &text)
        #expect(text == Array("c".utf8))
    }
}
