import CNcurses
import Terminal
import Testing

@testable import NcursesTerminal

extension NcursesSuite {
    /// Only what changed is handed to ncurses; the glass must be as if all of it was.
    @MainActor @Suite struct PartPaintTests {
        private let size = Size(columns: 44, rows: 10)
        private static let words = [
            "hello", "x", "   ", "日本", "│", "─┐", "Ωж", "…", "✓", "❤\u{FE0F}", "👨‍👩‍👧‍👦", "e\u{301}\u{323}", "한",
        ]
        private static let roles: [Role] = [.body, .dim, .title, .error, .unread, .sender3]

        private func draw(_ random: inout SeededGenerator, on frame: inout Frame) {
            let text = (0...Int.random(in: 0..<4, using: &random)).map { _ in
                Self.words.randomElement(using: &random) ?? ""
            }
            frame.draw(
                Line(text.joined(), Self.roles.randomElement(using: &random) ?? .body),
                at: Point(
                    column: Columns(Int.random(in: 0..<44, using: &random)),
                    row: Int.random(in: 0..<10, using: &random)),
                width: Bool.random(using: &random) ? Columns(Int.random(in: 1..<20, using: &random)) : nil,
                on: [nil, .selected, .cursorLine].randomElement(using: &random) ?? nil)
        }

        @Test(arguments: ["xterm-256color", "tmux-256color", "linux"], 1...3)
        func whatIsPaintedInPartsLooksLikeTheWhole(name: String, seed: Int) throws {
            let painter = try Painter(
                name: name, size: size, onlyASCII: false, depth: { _ in .palette })
            defer { painter.close() }
            var random = SeededGenerator(seed: UInt64(seed))
            var glass = Glass(columns: 44, rows: 10)
            var frame = Frame(size: size)
            for step in 0..<60 {
                for _ in 0..<Int.random(in: 1...6, using: &random) { draw(&random, on: &frame) }
                glass.write(painter.paint(frame, theme: .standard))
                guard step % 5 == 0 else { continue }
                painter.repaint(at: size)
                var whole = Glass(columns: 44, rows: 10)
                whole.write(painter.paint(frame, theme: .standard))
                try #require(glass.rows == whole.rows, "step \(step)\n\(glass.text)\n\(whole.text)")
                try #require(glass.colors == whole.colors, "step \(step)")
                glass = whole
            }
        }

        @Test func moreColoursThanASimpleCellHoldsArePaintedToo() throws {
            let painter = try Painter(
                name: "xterm-256color", size: size, onlyASCII: false, depth: { _ in .palette })
            defer { painter.close() }
            for number in 0..<300 {
                _ = pl_pair(Int32(number % 200 + 16), Int32(number / 200 + 16))
            }
            var glass = Glass(columns: 44, rows: 10)
            var frame = Frame(size: size)
            glass.write(painter.paint(frame, theme: .standard))
            frame.draw(Line("late", .error), at: Point(column: 3, row: 2))
            glass.write(painter.paint(frame, theme: .standard))
            let front = glass.colors[2][3].front
            #expect(glass.text.contains("late"))
            #expect(!front.isEmpty && front == glass.colors[2][6].front)
            #expect(glass.colors[2][7].front != front)
        }
    }
}
