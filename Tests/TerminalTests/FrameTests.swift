import Terminal
import Testing

struct FrameTests {
    private func frame(_ columns: Columns, _ rows: Int) -> Frame {
        Frame(size: Size(columns: columns, rows: rows))
    }

    @Test func aBoxHasItsTitleInTheUpperEdge() {
        var frame = frame(12, 3)
        frame.box(Area(frame.size), title: Line("Ana", .title))
        #expect(
            frame.picture == """
                ┌ Ana ─────┐
                │          │
                └──────────┘
                """)
        #expect(frame.role(at: Point(column: 2, row: 0)) == .title)
        #expect(frame.role(at: .origin) == .border)
    }

    @Test func aBoxCanBeASCII() {
        var frame = frame(5, 2)
        frame.box(Area(frame.size), .ascii)
        #expect(frame.picture == "+---+\n+---+")
    }

    @Test func aRuleHasAWordInItsMiddle() {
        #expect(BoxStyle.unicode.rule(13, around: Line("Today", .dim), .border).string == "─── Today ───")
        #expect(BoxStyle.unicode.rule(3, around: Line("Today", .dim), .border).string == "───")
    }

    @Test func drawingOutsideIsClipped() {
        var frame = frame(4, 2)
        let line = Line("日本語", .body)
        for row in -2...3 {
            for column in -7...6 { frame.draw(line, at: Point(column: Columns(column), row: row)) }
        }
        frame.box(Area(origin: Point(column: -3, row: -3), size: Size(columns: 100, rows: 100)))
        frame.fill(Area(origin: Point(column: -9, row: -9), size: Size(columns: 2, rows: 3)))
        #expect(frame.size == Size(columns: 4, rows: 2))
    }

    @Test(arguments: [(0, 0), (1, 1), (2, 2), (1, 80), (80, 1)])
    func tinyFramesTakeEverything(columns: Int, rows: Int) {
        var frame = frame(Columns(columns), rows)
        frame.box(Area(frame.size), title: Line("title", .title), footer: Line("footer", .hint))
        frame.draw(Line("👨‍👩‍👧‍👦日本", .body), at: .origin, width: 10, on: .selected)
        frame.draw([Line("a", .body), Line("b", .body)], at: Point(column: 0, row: rows - 1), width: 3)
        #expect(frame.picture.split(separator: "\n", omittingEmptySubsequences: false).count == max(rows, 1))
    }

    @Test func whatIsDrawnOverAWideClusterBlanksItsOtherHalf() {
        var frame = frame(6, 1)
        frame.draw(Line("日本語", .body), at: .origin)
        frame.draw(Line("x", .body), at: Point(column: 1, row: 0))
        #expect(frame.picture == " x本語")
        frame.draw(Line("y", .body), at: Point(column: 2, row: 0))
        #expect(frame.picture == " xy 語")
        frame.draw(Line("漢", .body), at: Point(column: 3, row: 0))
        #expect(frame.picture == " xy漢")
    }

    @Test func theRestOfTheWidthIsBlanked() {
        var frame = frame(8, 1)
        frame.draw(Line("xxxxxxxx", .body), at: .origin)
        frame.draw(Line("ab", .body), at: .origin, width: 5)
        #expect(frame.picture == "ab   xxx")
        frame.draw(Line("日本語", .body), at: .origin, width: 5)
        #expect(frame.picture == "日本 xxx")
    }

    @Test func aGroundLiesUnderTheWholeWidth() {
        var frame = frame(5, 1)
        frame.draw(Line("ab", .title), at: .origin, width: 5, on: .selected)
        #expect((0..<5).allSatisfy { frame.ground(at: Point(column: Columns($0), row: 0)) == .selected })
        #expect(frame.role(at: .origin) == .title)
        #expect(frame.ground(at: Point(column: 9, row: 0)) == nil)
    }

    @Test func framesOfTheSameLooksAreEqual() {
        var (one, two) = (frame(10, 1), frame(10, 1))
        one.draw(Line("👍🏽👨‍👩‍👧‍👦", .body), at: .origin)
        two.draw(Line("👨‍👩‍👧‍👦", .body), at: Point(column: 2, row: 0))
        two.draw(Line("👍🏽", .body), at: .origin)
        #expect(one == two)
        two.cursor = .origin
        #expect(one != two)
    }

    @Test func aRowIsComparedByWhatItShowsAndNotByHowItWasDrawn() {
        var one = Frame(size: Size(columns: 10, rows: 2))
        var two = one
        one.draw(Line("a\u{0301}\u{0323}b", .body), at: Point(column: 0, row: 0))
        two.draw(Line("e\u{0301}\u{0323}", .body), at: Point(column: 0, row: 1))
        two.draw(Line("a\u{0301}\u{0323}b", .body), at: Point(column: 0, row: 0))
        #expect(one.showsRow(0, as: two))
        #expect(!one.showsRow(1, as: two))
        two.draw(Line("b", .dim), at: Point(column: 1, row: 0))
        #expect(!one.showsRow(0, as: two))
    }

    @Test func onlyCellsOfOneRoleAndGroundHaveTheSameLook() {
        let roles: [Role] = [.body, .dim, .selected, .sender0, .sender1]
        var seen: [UInt32] = []
        for role in roles {
            for ground in [nil] + roles.map(Optional.some) {
                let one = Cell(code: Cell.blank.code, role: role, ground: ground)
                #expect(one.role == role && one.ground == ground && one.code == Cell.blank.code)
                #expect(!seen.contains(one.look))
                seen.append(one.look)
            }
        }
    }

    @Test func fillingPartOfAWideClusterBlanksAllOfIt() {
        var frame = Frame(size: Size(columns: 8, rows: 1))
        frame.draw(Line("\u{6F22}\u{6F22}\u{6F22}x", .body), at: Point(column: 0, row: 0))
        frame.fill(Area(origin: Point(column: 1, row: 0), size: Size(columns: 4, rows: 1)))
        #expect(frame.text(row: 0) == "      x")
    }

    @Test func aWideClusterShowsOnceInThePicture() {
        var frame = frame(8, 1)
        frame.draw(Line("a日👍🏽b", .body), at: .origin)
        #expect(frame.picture == "a日👍🏽b")
    }
}
