import CNcurses
import Terminal
import Testing

@testable import NcursesTerminal

extension NcursesSuite {
    /// Pictures on a terminal: their colours, and that nothing else takes them over.
    @MainActor @Suite struct TilePaintTests {
        private let size = Size(columns: 40, rows: 12)

        private func painter(
            _ name: String = "xterm-256color", onlyASCII: Bool = false, depth: ColorDepth = .trueColor
        ) throws -> Painter {
            try Painter(name: name, size: size, onlyASCII: onlyASCII, depth: { _ in depth })
        }

        /// Each cell in colours of its own, as in a photograph.
        private func photo(_ seed: Int = 0, columns: Int = 16, rows: Int = 6) throws -> Mosaic {
            let rows = (0..<rows).map { row in
                (0..<columns).map { column in
                    let (red, green) = ((row * 37 + seed) % 256, (column * 13 + seed * 7) % 256)
                    return
                        "\u{1B}[38;2;\(red);\(green);90;48;2;\(green);\(red);20m\(column % 3 == 0 ? " " : "▀")"
                }.joined()
            }
            return try MosaicReader.read(
                Array(rows.joined(separator: "\n").utf8), limit: Size(columns: 80, rows: 40))
        }

        private func frame(_ mosaic: Mosaic, at: Point, _ texts: [String] = [], draft: String = "") -> Frame {
            var frame = Frame(size: size)
            frame.box(Area(size), title: Line("Thread", .title))
            for (row, text) in texts.enumerated() {
                frame.draw(Line(text, .body), at: Point(column: 1, row: 1 + row), width: size.columns - 2)
            }
            for row in 0..<mosaic.size.rows {
                let place = Point(column: at.column, row: at.row + row)
                guard (1..<size.rows - 2).contains(place.row) else { continue }
                frame.draw(mosaic, row: row, at: place, width: size.columns - 1 - at.column)
            }
            frame.draw(Line("> " + draft, .input), at: Point(column: 1, row: 10), width: size.columns - 2)
            frame.cursor = Point(column: 3 + CleanText(draft).width, row: 10)
            return frame
        }

        /// What each cell of the glass shows against what the frame has there.
        private func check(_ glass: Glass, _ frame: Frame, _ depth: ColorDepth = .trueColor) {
            #expect(glass.text == frame.picture)
            #expect(glass.strange.isEmpty)
            for row in 0..<size.rows {
                for column in 0..<size.columns.cells {
                    let shown = glass.colors[row][column]
                    guard let tint = frame.tint(at: Point(column: Columns(column), row: row)) else {
                        #expect(!shown.back.hasPrefix("48;2"), "\(row),\(column) has a picture's ground")
                        continue
                    }
                    let back = tint.background.reduced(to: depth)
                    #expect(shown.back == Self.code(back, 40), "\(row),\(column)")
                    guard glass.rows[row][column] != " " else { continue }
                    #expect(
                        shown.front == Self.code(tint.foreground.reduced(to: depth), 30), "\(row),\(column)")
                }
            }
        }

        private static func code(_ color: Color, _ base: Int) -> String {
            switch color {
            case .standard: ""
            case .ansi(let index): String(base + Int(index % 8) + (index < 8 ? 0 : 60))
            case .palette(let index): "\(base + 8);5;\(index)"
            case .rgb(let red, let green, let blue): "\(base + 8);2;\(red);\(green);\(blue)"
            }
        }

        @Test(arguments: [ColorDepth.trueColor, .palette, .sixteen, .eight])
        func everyCellHasItsOwnColours(depth: ColorDepth) throws {
            let painter = try painter(depth: depth)
            defer { painter.close() }
            var glass = Glass(columns: 40, rows: 12)
            let frame = frame(
                try photo(), at: Point(column: 5, row: 2), ["hello", "日本", "", "right of it ……………………… end"])
            glass.write(painter.paint(frame, theme: .dusk))
            check(glass, frame, depth)
            #expect(painter.paint(frame, theme: .dusk).isEmpty)
        }

        @Test func aLetterTypedUnderAPictureIsOneByte() throws {
            let painter = try painter()
            defer { painter.close() }
            let photo = try photo()
            _ = painter.paint(frame(photo, at: Point(column: 5, row: 2), draft: "h"), theme: .standard)
            let next = frame(photo, at: Point(column: 5, row: 2), draft: "he")
            #expect(painter.paint(next, theme: .standard) == [UInt8(ascii: "e")])
        }

        @Test func aPictureThatMovedUpIsScrolled() throws {
            let painter = try painter()
            defer { painter.close() }
            var glass = Glass(columns: 40, rows: 12)
            let photo = try photo(columns: 36)
            let lines = (0..<20).map { "line \($0) with its own words, number \($0 * 7)" }
            let first = frame(photo, at: Point(column: 2, row: 4), Array(lines[0..<9]))
            let whole = painter.paint(first, theme: .standard)
            glass.write(whole)
            let second = frame(photo, at: Point(column: 2, row: 3), Array(lines[1..<10]))
            let moved = painter.paint(second, theme: .standard)
            glass.write(moved)
            check(glass, second)
            #expect(moved.count < whole.count / 4)
        }

        @Test func textOverAPictureAndTheTextBesideItKeepTheirColours() throws {
            let painter = try painter()
            defer { painter.close() }
            var glass = Glass(columns: 40, rows: 12)
            let photo = try photo()
            var over = frame(photo, at: Point(column: 5, row: 2))
            glass.write(painter.paint(over, theme: .dusk))
            over.draw(Line("pop up 日本", .popup), at: Point(column: 8, row: 3), width: 11, on: .popup)
            over.draw(Line("", .body), at: Point(column: 5, row: 5), width: 30)
            glass.write(painter.paint(over, theme: .dusk))
            #expect(glass.text == over.picture)
            #expect(glass.colors[5][6].back.isEmpty)
            #expect(glass.colors[3][8].back == "48;2;36;42;56")
        }

        @Test(arguments: 1...6)
        func picturesComeAndGoInAnyOrder(seed: Int) throws {
            let names = ["xterm-256color", "tmux-256color", "linux"]
            let painter = try painter(names[seed % 3])
            defer { painter.close() }
            var random = SeededGenerator(seed: UInt64(seed))
            var glass = Glass(columns: 40, rows: 12)
            for _ in 0..<60 {
                let photo = try photo(
                    Int.random(in: 0..<4, using: &random), columns: Int.random(in: 1...30, using: &random),
                    rows: Int.random(in: 1...9, using: &random))
                let at = Point(
                    column: Columns(Int.random(in: 1...20, using: &random)),
                    row: Int.random(in: -3...8, using: &random))
                let texts = (0..<9).map { _ in
                    String(repeating: "ab ", count: Int.random(in: 0...9, using: &random))
                }
                let frame = frame(photo, at: at, texts, draft: "\(Int.random(in: 0...99, using: &random))")
                glass.write(painter.paint(frame, theme: .standard))
                check(glass, frame)
            }
        }

        @Test func moreTilesThanPlaceholdersStillDraw() throws {
            let painter = try painter()
            defer { painter.close() }
            var glass = Glass(columns: 40, rows: 12)
            for seed in 0..<400 {
                let cells = (0..<8).map { row in
                    (0..<36).map { column in
                        "\u{1B}[48;2;\(seed % 256);\((row * 36 + column) & 0xFF);\(seed / 256 * 8 + row)m "
                    }.joined()
                }
                let mosaic = try MosaicReader.read(
                    Array(cells.joined(separator: "\n").utf8), limit: Size(columns: 36, rows: 8))
                let frame = frame(mosaic, at: Point(column: 2, row: 1), draft: "\(seed)")
                glass.write(painter.paint(frame, theme: .standard))
                guard seed % 50 == 49 else { continue }
                check(glass, frame)
            }
        }

        @Test func aTerminalWithoutColoursOrUTF8GetsNone() throws {
            let frame = frame(try photo(), at: Point(column: 5, row: 2))
            for (isASCII, depth) in [(true, ColorDepth.trueColor), (false, .none)] {
                let painter = try painter(onlyASCII: isASCII, depth: depth)
                defer { painter.close() }
                let bytes = painter.paint(frame, theme: .monochrome)
                #expect(!String(decoding: bytes, as: UTF8.self).contains("[38;2"))
                var glass = Glass(columns: 40, rows: 12)
                glass.write(bytes)
                #expect(glass.rows.allSatisfy { $0[39] != " " })
            }
        }
    }
}
