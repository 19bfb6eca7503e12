import CNcurses
import Glibc
import Terminal
import Testing

@testable import NcursesTerminal

extension NcursesSuite {
    @MainActor @Suite struct PossessionTests {
        @Test func theTerminalIsTakenAndGivenBack() async throws {
            let driven = try Driven()
            let before = driven.pty.modes.flags
            await driven.start()
            #expect(driven.pty.modes.flags != before)
            #expect(driven.pty.modes.c_lflag & UInt32(ECHO) == 0)
            let mark = driven.pty.output.count
            driven.session.leave()
            await driven.pty.wait(since: mark, for: "\u{1B}[?1049l")
            #expect(driven.pty.modes.flags == before)
            let taken = String(decoding: driven.pty.output[..<mark], as: UTF8.self)
            let given = String(decoding: driven.pty.output[mark...], as: UTF8.self)
            for mode in ["1049", "2004", "1004"] {
                #expect(taken.contains("\u{1B}[?\(mode)h"))
                #expect(given.contains("\u{1B}[?\(mode)l"))
            }
            #expect(given.contains("\u{1B}[?7h") && given.contains("\u{1B}[?25h"))
            driven.session.leave()
        }

        @Test func nothingIsTouchedBeforeTheStart() throws {
            let driven = try Driven()
            let before = driven.pty.modes.flags
            driven.session.invalidate(.input)
            driven.session.setTitle(CleanText("early"))
            driven.session.leave()
            #expect(driven.pty.modes.flags == before)
            #expect(driven.pty.output.isEmpty)
        }

        @Test func aHangUpEndsTheSession() async throws {
            let driven = try Driven()
            await driven.start()
            driven.pty.hangUp()
            await driven.wait { $0.contains(.gone) }
            #expect(driven.events.filter { $0 == .gone }.count == 1)
            driven.session.leave()
        }

        @Test func whileItIsLentNothingIsPaintedOrRead() async throws {
            let driven = try Driven()
            let before = driven.pty.modes.flags
            await driven.start()
            defer { driven.session.leave() }
            let mark = driven.pty.output.count
            await driven.session.withTerminalReleased {
                #expect(driven.pty.modes.flags == before)
                await driven.pty.wait(since: mark, for: "\u{1B}[?1049l")
                let lent = driven.pty.output.count
                driven.text = "unseen"
                driven.session.invalidate(.input)
                driven.session.setTitle(CleanText("title"))
                driven.pty.resize(columns: 90, rows: 20)
                await driven.drainMainQueue()
                #expect(driven.pty.output.count == lent)
            }
            await driven.pty.wait(since: mark, for: "unseen")
            #expect(driven.session.size == Size(columns: 90, rows: 20))
            #expect(driven.events.contains(.resized(Size(columns: 90, rows: 20))))
            #expect(driven.pty.modes.flags != before)
        }

        @Test func theGuardGivesTheTerminalBackOnce() async {
            let pty = Pty()
            var saved = pty.modes
            let terminal = open(pty.path, O_RDWR | O_NOCTTY | O_NONBLOCK)
            var raw = saved
            cfmakeraw(&raw)
            tcsetattr(terminal, TCSANOW, &raw)
            let leave = Array("given back".utf8)
            pl_guard_arm(terminal, &saved, leave, leave.count)
            pl_guard_leave()
            pl_guard_leave()
            await pty.wait(for: "given back")
            #expect(pty.output == leave)
            #expect(pty.modes.flags == saved.flags)
            close(terminal)
        }
    }
}
