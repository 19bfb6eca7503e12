import Terminal
import Testing

struct LineTests {
    private let line = Line(Span("09:41 ", .time), Span("ana", .sender(1)))

    @Test func aCutShowsInTheLastCell() {
        #expect(line.truncated(to: 9) == line)
        #expect(line.truncated(to: 8).string == "09:41 a…")
        #expect(line.truncated(to: 6).string == "09:41…")
        #expect(line.truncated(to: 1).string == "…")
        #expect(line.truncated(to: 0).string == "")
    }

    @Test func aWideClusterThatDoesNotFitLeavesASpareCell() {
        let wide = Line("日本語日本語", .title)
        for width in 0...12 {
            let room = Columns(width)
            #expect(wide.fitted(to: room).width == room)
        }
        #expect(wide.fitted(to: 6).string == "日本… ")
    }

    @Test(arguments: 0...30) func everyFittedLineHasExactlyItsWidth(width: Int) {
        let titles = ["全角文字ばかりの題名", "a日b本c語d", "ＡＢＣ", "ｱｲｳｴｵ", "①②③ Ωμέγα", "👨‍👩‍👧‍👦👨‍👩‍👧‍👦", ""]
        let room = Columns(width)
        for title in titles {
            let line = Line(title, .title)
            #expect(line.fitted(to: room).width == room)
            #expect(line.centered(in: room).width == room)
            #expect(line.rightAligned(in: room).width == room)
            #expect(Line.justified(line, Line("09:41", .time), in: room).width == room)
        }
    }

    @Test func theRightPartOutlivesTheLeft() {
        let left = Line("Release crew", .title)
        #expect(Line.justified(left, Line("09:41", .time), in: 20).string == "Release crew   09:41")
        #expect(Line.justified(left, Line("09:41", .time), in: 14).string == "Release… 09:41")
        #expect(Line.justified(left, Line("09:41", .time), in: 5).string == "09:41")
        #expect(Line.justified(left, .empty, in: 8).string == "Release…")
    }

    @Test func rolesStayWithTheirText() {
        #expect(line.truncated(to: 8).spans.map(\.role) == [.time, .sender(1)])
    }

    @Test func columnsAreComparedAndAdded() {
        let width: Columns = 3
        #expect(width + 2 == 5 && max(width, 8) == 8 && width - 4 < 0 && width * 2 == 6 && width / 2 == 1)
    }
}
