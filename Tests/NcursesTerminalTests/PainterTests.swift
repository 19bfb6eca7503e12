import CNcurses
import Terminal
import Testing

@testable import NcursesTerminal

extension NcursesSuite {
    @MainActor @Suite struct PainterTests {
        private let size = Size(columns: 40, rows: 12)

        private func painter(
            _ name: String = "xterm-256color", onlyASCII: Bool = false, depth: ColorDepth = .palette
        ) throws -> Painter {
            try Painter(name: name, size: size, onlyASCII: onlyASCII, depth: { _ in depth })
        }

        private func frame(_ texts: [String], cursor: Point? = nil) -> Frame {
            var frame = Frame(size: size)
            frame.box(Area(size), title: Line("Thread", .title))
            for (row, text) in texts.enumerated() {
                frame.draw(Line(text, .body), at: Point(column: 1, row: 1 + row), width: size.columns - 2)
            }
            frame.cursor = cursor
            return frame
        }

        @Test func anEqualFrameIsNoBytes() throws {
            let painter = try painter()
            defer { painter.close() }
            let frame = frame(["hello", "👨‍👩‍👧‍👦 日本 …"], cursor: Point(column: 3, row: 10))
            #expect(!painter.paint(frame, theme: .standard).isEmpty)
            #expect(painter.paint(frame, theme: .standard).isEmpty)
        }

        @Test func aTypedLetterIsOneByte() throws {
            let painter = try painter()
            defer { painter.close() }
            var draft = "h"
            for letter in "ello" {
                _ = painter.paint(
                    frame([draft], cursor: Point(column: 1 + CleanText(draft).width, row: 1)),
                    theme: .standard)
                draft.append(letter)
                let next = frame([draft], cursor: Point(column: 1 + CleanText(draft).width, row: 1))
                #expect(painter.paint(next, theme: .standard) == [letter.asciiValue])
            }
        }

        @Test func aThreadThatMovedUpIsScrolled() throws {
            let painter = try painter()
            defer { painter.close() }
            var glass = Glass(columns: 40, rows: 12)
            let lines = (0..<20).map { "line \($0) with its own words, number \($0 * 7)" }
            glass.write(painter.paint(frame(Array(lines[0..<10])), theme: .standard))
            let bytes = painter.paint(frame(Array(lines[1..<11])), theme: .standard)
            glass.write(bytes)
            #expect(glass.text == frame(Array(lines[1..<11])).picture)
            #expect(bytes.count < 160)
        }

        @Test func aRepaintWritesEverything() throws {
            let painter = try painter()
            defer { painter.close() }
            let frame = frame(["hello"])
            _ = painter.paint(frame, theme: .standard)
            painter.repaint(at: size)
            var glass = Glass(columns: 40, rows: 12)
            glass.write(painter.paint(frame, theme: .standard))
            #expect(glass.text == frame.picture)
        }

        @Test(arguments: [
            "xterm-256color", "xterm", "screen", "tmux-256color", "linux", "vt100", "rxvt",
        ])
        func hostileTextWritesNothingButText(name: String) throws {
            guard pl_knows_terminal(name) else { return }
            let painter = try painter(name)
            defer { painter.close() }
            var glass = Glass(columns: 40, rows: 12)
            let hostile = [
                "\u{1B}[2J\u{1B}[?1000h\u{1B}[?1049l", "\u{1B}]52;c;AAAA\u{7}",
                "\u{9B}31m\u{E} lqqk \u{1B}(0",
                "\u{F0000}\u{F0001}forged", "\u{202E}gnp.exe", "\u{1B}P$q\u{1B}\\\u{5}", "a\u{0}b",
            ]
            glass.write(painter.paint(frame(hostile), theme: .standard))
            #expect(glass.strange.isEmpty)
            #expect(glass.rows.allSatisfy { $0[0] != " " && $0[39] != " " })
            #expect(glass.text.contains("␛[2J␛[?1000h␛[?1049l"))
        }

        @Test func aTerminalWithoutUTF8GetsASCII() throws {
            let painter = try painter(onlyASCII: true)
            defer { painter.close() }
            let bytes = painter.paint(frame(["grüße 日本 👍", "…"]), theme: .standard)
            #expect(bytes.allSatisfy { $0 < 0x80 })
            var glass = Glass(columns: 40, rows: 12)
            glass.write(bytes)
            #expect(glass.text.contains("|gruse ???? +1"))
        }

        @Test func trueColoursAreWrittenAsSuch() throws {
            let painter = try painter(depth: .trueColor)
            defer { painter.close() }
            let bytes = painter.paint(frame(["hello"]), theme: .dusk)
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.contains("\u{1B}[38;2;84;92;108m"))
            #expect(!text.contains("38;5;"))
        }

        @Test func anotherThemePaintsEveryRow() throws {
            let painter = try painter()
            defer { painter.close() }
            let frame = frame(["hello"])
            _ = painter.paint(frame, theme: .standard)
            #expect(!painter.paint(frame, theme: .highContrast).isEmpty)
            #expect(painter.paint(frame, theme: .highContrast).isEmpty)
        }

        @Test func theScreenCanShrinkToOneCellAndGrowAgain() throws {
            let painter = try painter()
            defer { painter.close() }
            for (columns, rows) in [(1, 1), (2, 2), (1, 80), (80, 1), (500, 200), (40, 12)] {
                let size = Size(columns: Columns(columns), rows: rows)
                painter.repaint(at: size)
                var frame = Frame(size: size)
                frame.box(Area(size))
                frame.draw(Line("日👨‍👩‍👧‍👦 text", .body), at: .origin, width: size.columns)
                var glass = Glass(columns: columns, rows: rows, widths: .joinerAware)
                glass.write(painter.paint(frame, theme: .standard))
                #expect(glass.rows.count == rows)
            }
        }

        @Test func aClusterNearTheCornerIsThereWholeOrNotAtAll() throws {
            guard pl_knows_terminal("tmux-256color") else { return }
            let painter = try painter("tmux-256color")
            defer { painter.close() }
            for column in 26..<36 {
                var frame = Frame(size: size)
                frame.draw(
                    Line("0123456789012345678901234567890123456789", .body), at: Point(column: 0, row: 11))
                frame.draw(Line("👨‍👩‍👧‍👦", .body), at: Point(column: Columns(column), row: 11))
                var glass = Glass(columns: 40, rows: 12)
                painter.repaint(at: size)
                glass.write(painter.paint(frame, theme: .standard))
                let shown = glass.rows[11]
                #expect(["👨", " "].contains(shown[column]))
                for other in (0..<40) where other != column && other != column + 1 {
                    #expect(shown[other] == String(other % 10), "column \(other) beside \(column)")
                }
            }
        }

        @Test func moreClustersThanPlaceholdersStillDraw() throws {
            let painter = try painter()
            defer { painter.close() }
            let marks = (0x300..<0x340).compactMap(Unicode.Scalar.init).map { String(Character($0)) }
            for round in 0..<12 {
                var frame = Frame(size: size)
                for row in 0..<12 {
                    let text = (0..<38).map {
                        let letter = Character(Unicode.Scalar(UInt8(97 + $0 % 26)))
                        return "\(letter)\(marks[(row * 5 + $0) % 64])\(marks[round * 5 % 64])"
                    }
                    frame.draw(Line(text.joined(), .body), at: Point(column: 1, row: row))
                    frame.draw(Line("│", .border), at: Point(column: 39, row: row))
                }
                var glass = Glass(columns: 40, rows: 12)
                painter.repaint(at: size)
                glass.write(painter.paint(frame, theme: .standard))
                #expect(glass.rows.allSatisfy { $0[39] == "│" })
            }
        }
    }
}
