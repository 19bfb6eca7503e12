import Glibc
import Terminal
import Testing

@testable import NcursesTerminal

extension NcursesSuite {
    @MainActor @Suite struct SessionTests {
        @Test func keysArriveInTheOrderTyped() async throws {
            let driven = try Driven()
            await driven.start()
            defer { driven.session.leave() }
            driven.pty.type("aé\u{1B}[A\r")
            await driven.wait { Driven.input($0).count == 4 }
            #expect(driven.input == [.key(.character("a")), .key(.character("é")), .key(.up), .key(.enter)])
        }

        @Test func anEscapeAloneIsDecidedByTime() async throws {
            let driven = try Driven()
            await driven.start()
            defer { driven.session.leave() }
            driven.pty.type("\u{1B}")
            await driven.wait { Driven.input($0) == [.key(.escape)] }
        }

        @Test func aPasteIsOneEvent() async throws {
            let driven = try Driven()
            await driven.start()
            defer { driven.session.leave() }
            driven.pty.type("\u{1B}[200~one\rtwo")
            driven.pty.type("\r\u{1B}[201~")
            await driven.wait { Driven.input($0) == [.paste("one\rtwo\r")] }
        }

        @Test func ctrlCEndsAPasteThatNeverEnds() async throws {
            let driven = try Driven()
            await driven.start()
            defer { driven.session.leave() }
            driven.pty.type("x\u{1B}[200~half")
            await driven.wait { Driven.input($0) == [.key(.character("x"))] }
            driven.pty.type("\u{3}")
            await driven.wait { Driven.input($0).last == .paste("half") }
        }

        @Test func anEqualFrameIsNotWritten() async throws {
            let driven = try Driven()
            await driven.start()
            defer { driven.session.leave() }
            let (mark, frames) = (driven.pty.output.count, driven.frames)
            driven.session.invalidate(.input)
            driven.pty.type("x")
            await driven.wait { !$0.isEmpty }
            #expect(driven.frames == frames + 1)
            #expect(driven.pty.output.count == mark)
        }

        @Test func aFloodOfNewsIsOneFrame() async throws {
            let driven = try Driven()
            await driven.start()
            defer { driven.session.leave() }
            let (mark, frames) = (driven.pty.output.count, driven.frames)
            for count in 0..<1_000 {
                driven.text = "news \(count)"
                driven.session.invalidate(.news)
            }
            await driven.pty.wait(since: mark, for: "news 999")
            #expect(driven.frames == frames + 1)
        }

        @Test func aKeyDoesNotWaitForTheNews() async throws {
            let driven = try Driven()
            await driven.start()
            defer { driven.session.leave() }
            let (mark, frames) = (driven.pty.output.count, driven.frames)
            driven.text = "both"
            driven.session.invalidate(.news)
            driven.session.invalidate(.input)
            await driven.pty.wait(since: mark, for: "both")
            #expect(driven.frames == frames + 1)
        }

        @Test func aFrameThatWaitsForItsAnswerComesWithIt() async throws {
            let driven = try Driven()
            await driven.start()
            defer { driven.session.leave() }
            let (mark, frames) = (driven.pty.output.count, driven.frames)
            driven.session.invalidate(.opening)
            driven.text = "page"
            driven.session.invalidate(.input)
            await driven.pty.wait(since: mark, for: "page")
            #expect(driven.frames == frames + 1)
        }

        @Test func aFrameWhoseAnswerDoesNotComeIsDrawnWithoutIt() async throws {
            let driven = try Driven()
            await driven.start()
            defer { driven.session.leave() }
            let mark = driven.pty.output.count
            driven.text = "empty"
            driven.session.invalidate(.opening)
            await driven.pty.wait(since: mark, for: "empty")
        }

        @Test func aStalledTerminalStopsNobodyAndMissesNothing() async throws {
            let pty = Pty(columns: 200, rows: 60)
            let driven = try Driven(pty: pty)
            await driven.start()
            defer { driven.session.leave() }
            pty.stall()
            for count in 0..<400 {
                driven.text = String(repeating: "round \(count) ", count: 10)
                driven.session.redraw()
                for _ in 0..<3 { await Task.yield() }
            }
            driven.text = "the last word"
            driven.session.invalidate(.input)
            await driven.drainMainQueue()
            pty.unstall()
            await pty.wait { output in
                var glass = Glass(columns: 200, rows: 60)
                glass.write(output)
                return glass.rows[1].joined().contains("the last word") && glass.rows[59].last == "┘"
            }
        }

        @Test func anotherSizeIsPaintedWhole() async throws {
            let driven = try Driven()
            await driven.start()
            defer { driven.session.leave() }
            for (columns, rows) in [(100, 30), (1, 1), (20, 5), (200, 60)] as [(UInt16, UInt16)] {
                let mark = driven.pty.output.count
                driven.pty.resize(columns: columns, rows: rows)
                driven.session.checkSize()
                let size = Size(columns: Columns(Int(columns)), rows: Int(rows))
                await driven.wait { $0.last == .resized(size) }
                await driven.pty.wait(since: mark) { $0.count > 8 }
            }
            driven.pty.resize(columns: 0, rows: 0)
            driven.session.checkSize()
            #expect(driven.session.size == Size(columns: 80, rows: 24))
        }

        @Test func aTitleIsOneWellFormedSequence() async throws {
            let driven = try Driven()
            await driven.start()
            defer { driven.session.leave() }
            let mark = driven.pty.output.count
            let hostile =
                "Team\u{7}\u{1B}[2J\u{1B}]52;c;cm0=\u{7}\n\u{202E}" + String(repeating: "x", count: 3_000)
            driven.session.setTitle(CleanText(hostile))
            await driven.pty.wait(since: mark, for: "…\u{1B}\\")
            let title = driven.pty.output[mark...]
            #expect(title.filter { $0 < 0x20 }.count == 2)
            #expect(title.starts(with: "\u{1B}]2;Team␇␛[2J".utf8))
            #expect(title.count < 200)
        }

        @Test func copiedTextIsOnlyBase64() async throws {
            let driven = try Driven()
            await driven.start()
            defer { driven.session.leave() }
            let mark = driven.pty.output.count
            #expect(driven.session.copy("a\u{7}\u{1B}[2J"))
            #expect(!driven.session.copy(String(repeating: "x", count: 80_000)))
            await driven.pty.wait(since: mark, for: "\u{1B}]52;c;YQcbWzJK\u{1B}\\")
        }

        @Test func anUnknownTerminalIsTakenForACommonOne() throws {
            let driven = try Driven(term: "xterm-nobody-knows")
            defer { driven.session.leave() }
            #expect(driven.session.notice?.string.contains("xterm-nobody-knows") == true)
        }

        @Test func aTerminalWithoutACursorIsRefused() {
            #expect(throws: TerminalError.dumb) { try Driven(term: "dumb") }
        }

        @Test func aFileIsNoTerminal() {
            var options = TerminalOptions(environment: ["TERM": "xterm"])
            options.path = "/dev/null"
            #expect(throws: TerminalError.notATerminal) { try TerminalSession(options) }
            options.path = "/nowhere"
            #expect(throws: TerminalError.failed(errno: ENOENT)) { try TerminalSession(options) }
        }

        @Test func theMouseIsOnOnlyWhenAsked() async throws {
            let driven = try Driven()
            await driven.start()
            defer { driven.session.leave() }
            #expect(!String(decoding: driven.pty.output, as: UTF8.self).contains("?1000h"))
            driven.session.setMouse(true)
            await driven.pty.wait(for: "\u{1B}[?1006h")
            driven.pty.type("\u{1B}[<0;3;4M")
            await driven.wait {
                Driven.input($0) == [.mouse(MouseEvent(.press(1), at: Point(column: 2, row: 3)))]
            }
        }
    }
}
