import Terminal
import Testing

@testable import NcursesTerminal

/// A generator with a seed, so that a failure comes back.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}

extension NcursesSuite {
    /// Whatever a terminal thinks of widths, every trusted cell stands where the frame has it.
    @MainActor @Suite struct GlassFuzzTests {
        private let size = Size(columns: 44, rows: 10)
        private static let words = [
            "hello", "x", "  ", "日本", "かな", "한국", "─│", "Ωж", "…", "·", "“q”", "✓", "✔", "❤", "❤\u{FE0F}",
            "①",
            "👨‍👩‍👧‍👦", "👍🏽", "🇳🇴", "🇳", "#\u{FE0F}\u{20E3}", "😀", "क्षि", "e\u{301}", "a\u{301}\u{316}\u{301}",
            "\u{301}", "ก็", "한", "ﷺ", "␛[2J", "العربية",
            "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
        ]

        private func randomText(_ random: inout SeededGenerator) -> String {
            (0..<Int.random(in: 0...9, using: &random)).reduce(into: "") { text, _ in
                text +=
                    (Self.words.randomElement(using: &random) ?? "")
                    + (Bool.random(using: &random) ? " " : "")
            }
        }

        private func frame(_ thread: [String], _ list: [String], _ draft: String) -> Frame {
            var frame = Frame(size: size)
            let left: Columns = 14
            frame.box(Area(origin: .origin, size: Size(columns: left, rows: size.rows)))
            frame.box(
                Area(
                    origin: Point(column: left, row: 0),
                    size: Size(columns: size.columns - left, rows: size.rows)))
            for (row, text) in list.enumerated() {
                frame.draw(
                    Line(text, .title), at: Point(column: 1, row: 1 + row), width: left - 2,
                    on: row == 1 ? .selected : nil)
            }
            for (row, text) in thread.suffix(size.rows - 3).enumerated() {
                frame.draw(
                    Line(text, .body), at: Point(column: left + 1, row: 1 + row),
                    width: size.columns - left - 2)
            }
            let input = Line("> " + draft, .input)
            frame.draw(input, at: Point(column: left + 1, row: size.rows - 2), width: size.columns - left - 2)
            frame.cursor = Point(column: min(left + 1 + input.width, size.columns - 2), row: size.rows - 2)
            return frame
        }

        private func misplaced(_ frame: Frame, _ glass: Glass) -> [String] {
            (0..<frame.size.rows).flatMap { row in
                frame[row: row].enumerated().compactMap { column, cell in
                    guard cell.code.isTrusted, let scalar = cell.code.scalar else { return nil }
                    let shown = glass.rows[row][column]
                    return shown == String(Character(scalar))
                        ? nil : "\(row),\(column): \(shown) for \(scalar)"
                }
            }
        }

        @Test(arguments: Glass.Widths.allCases, 1...3)
        func trustedCellsStandWhateverTheTerminalThinks(widths: Glass.Widths, seed: Int) throws {
            let names = ["xterm-256color", "tmux-256color", "linux"]
            let painter = try Painter(
                name: names[seed % names.count], size: size, onlyASCII: false, depth: { _ in .palette })
            defer { painter.close() }
            var random = SeededGenerator(seed: UInt64(seed))
            var glass = Glass(columns: 44, rows: 10, widths: widths)
            var thread: [String] = []
            var list = (0..<8).map { _ in randomText(&random) }
            var draft = ""
            for step in 0..<100 {
                switch Int.random(in: 0..<10, using: &random) {
                case 0..<4: draft += Self.words.randomElement(using: &random) ?? ""
                case 4..<7:
                    thread.append(randomText(&random))
                    draft = ""
                case 7: list[Int.random(in: 0..<8, using: &random)] = randomText(&random)
                case 8 where !thread.isEmpty:
                    thread[Int.random(in: max(thread.count - 6, 0)..<thread.count, using: &random)] =
                        randomText(&random)
                default: thread.removeLast(min(thread.count, Int.random(in: 0...2, using: &random)))
                }
                let frame = frame(thread, list, draft)
                glass.write(painter.paint(frame, theme: .standard))
                let wrong = misplaced(frame, glass)
                try #require(
                    wrong.isEmpty, "step \(step): \(wrong.prefix(3))\n\(frame.picture)\n\(glass.text)")
                try #require(glass.strange.isEmpty)
            }
        }
    }
}
