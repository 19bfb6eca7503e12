import Terminal
import Testing

struct WrapTests {
    private func rows(_ text: String, _ width: Columns) -> [String] { wrap(text, to: width).map(\.string) }

    @Test func wordsStayWhole() {
        #expect(rows("Are we still on for Friday?", 12) == ["Are we still", "on for", "Friday?"])
    }

    @Test func aLongWordIsBroken() {
        #expect(
            rows("see https://example.test/abcdef ok", 10) == [
                "see", "https://ex", "ample.test", "/abcdef ok",
            ])
    }

    @Test func theIndentOfALineIsKept() {
        #expect(rows("    four in\n  two", 8) == ["    four", "in", "  two"])
    }

    @Test func blanksAtABreakAreDropped() {
        #expect(rows("one    two", 5) == ["one", "two"])
        #expect(rows("abcde fghij", 5) == ["abcde", "fghij"])
    }

    @Test func anIndentWiderThanTheRoomLosesNoText() {
        #expect(rows("          x", 4).joined().contains("x"))
    }

    @Test func emptyLinesAreHonoured() {
        #expect(rows("one\n\nthree\n", 10) == ["one", "", "three", ""])
        #expect(rows("", 10) == [""])
        #expect(rows("      ", 3) == [""])
    }

    @Test func ideographsBreakAnywhereButNotBeforeAClosingMark() {
        #expect(rows("日本語のテキスト", 6) == ["日本語", "のテキ", "スト"])
        #expect(rows("日本語。はい", 6) == ["日本", "語。は", "い"])
        #expect(rows("日本「はい", 6) == ["日本", "「はい"])
    }

    @Test func hangulBreaksAtItsSpaces() {
        #expect(rows("한국어 문장", 8) == ["한국어", "문장"])
    }

    @Test(arguments: Body.emoji, [Columns(20), 21, 22, 3, 2, 1])
    func aSequenceIsNeverSplit(body: Body, width: Columns) {
        let whole = CleanText(body.body)
        let rows = wrap(body.body, to: width)
        #expect(rows.flatMap(\.clusters).filter { !$0.isSpace } == whole.clusters.filter { !$0.isSpace })
        #expect(rows.allSatisfy { $0.width <= width || $0.clusters.count == 1 })
    }

    @Test(arguments: 1...40) func everyWidthKeepsEveryWord(width: Int) {
        let text = "mixed 日本語 and words, ① naïve café 👨‍👩‍👧‍👦 (brackets) — averyverylongwordindeed\tend"
        let rows = wrap(text, to: Columns(width))
        let glyphs = { (clusters: [Cluster]) in clusters.filter { !$0.isSpace } }
        #expect(glyphs(rows.flatMap(\.clusters)) == glyphs(CleanText(text).clusters))
        #expect(rows.allSatisfy { $0.width <= Columns(max(width, 2)) })
    }

    @Test func aRoomOfNothingCountsAsOne() {
        #expect(rows("ab", 0) == ["a", "b"])
        #expect(rows("ab", -5) == ["a", "b"])
    }
}
