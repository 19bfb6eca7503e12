import Terminal
import Testing

@testable import NcursesTerminal

struct TerminalEnvironmentTests {
    @Test(arguments: [
        (["LANG": "C.UTF-8"], true), (["LANG": "en_US.utf8"], true),
        (["LC_ALL": "C", "LANG": "C.UTF-8"], false),
        (["LC_CTYPE": "de_DE.UTF-8", "LANG": "C"], true), ([:], false), (["LANG": "de_DE.ISO-8859-1"], false),
        (["LC_ALL": "", "LANG": "C.UTF-8"], true), (["LC_CTYPE": "UTF-8"], true), (["LANG": "POSIX"], false),
    ])
    func theFirstLocaleThatIsSetDecides(variables: [String: String], isUTF8: Bool) {
        #expect(TerminalEnvironment(variables).isUTF8 == isUTF8)
    }

    @Test func escapesAreWaitedForLongerOverANetwork() {
        #expect(TerminalEnvironment([:]).escapeDelay == .milliseconds(25))
        #expect(TerminalEnvironment(["SSH_TTY": "/dev/pts/1"]).escapeDelay == .milliseconds(100))
        #expect(TerminalEnvironment(["SSH_CONNECTION": ""]).escapeDelay == .milliseconds(25))
    }

    @Test func theOwnNameIsTriedFirst() {
        #expect(TerminalEnvironment(["TERM": "foot"]).candidates.first == "foot")
        #expect(
            TerminalEnvironment(["TERM": "xterm"]).candidates == ["xterm", "xterm-256color", "vt100", "ansi"])
        #expect(TerminalEnvironment([:]).candidates.first == "xterm-256color")
    }

    @Test func anotherNameIsNoticed() {
        let itself = ["TERM": "xterm", "LANG": "C.UTF-8"]
        #expect(TerminalEnvironment(itself).notice(using: "xterm") == nil)
        let notice = TerminalEnvironment(["TERM": "ghost\u{1B}[2Jty"]).notice(using: "xterm")
        #expect(notice?.string == "The terminal “ghost␛[2Jty” is not known here; taken for xterm.")
        #expect(
            TerminalEnvironment([:]).notice(using: "xterm")?.string == "TERM is not set; taken for xterm.")
    }

    @Test func aLocaleWithoutUTF8IsNoticed() throws {
        let notice = try #require(TerminalEnvironment(["TERM": "xterm", "LANG": "C"]).notice(using: "xterm"))
        #expect(notice.string.contains("LANG"))
    }

    @Test func trueColourNeedsAPaletteAndTheWord() {
        let able = TerminalEnvironment(["COLORTERM": "truecolor"])
        #expect(able.depth(colors: 256) == .trueColor)
        #expect(able.depth(colors: 8) == .eight)
        #expect(TerminalEnvironment([:]).depth(colors: 256) == .palette)
        #expect(TerminalEnvironment([:]).depth(colors: 16) == .sixteen)
        #expect(TerminalEnvironment([:]).depth(colors: 0) == .none)
    }

    @Test func everyErrorSaysWhatAndWhatNext() {
        let errors: [TerminalError] = [
            .notATerminal, .dumb, .noDescription(name: "x\u{1B}[2J"), .failed(errno: 5), .noScreen,
        ]
        for error in errors {
            #expect(error.what.hasSuffix(".") && error.next.hasSuffix("."))
            #expect(!error.what.contains("\u{1B}"))
        }
    }

    @Test func pausesOfTheDescriptionAreNotWritten() {
        let modes = ModeSequences(name: "vt100", hasExtendedTitles: false) { name in
            ["sgr0": "\u{1B}[m\u{F}$<2>", "clear": "\u{1B}[H\u{1B}[J$<50/>"][name]
        }
        #expect(!modes.leave.contains(UInt8(ascii: "$")))
        #expect(String(decoding: modes.leave, as: UTF8.self).contains("\u{1B}[H\u{1B}[J"))
        #expect(!modes.showsTitles)
    }
}

struct OutputFilterTests {
    private func filter(_ clusters: [Cluster]) -> (OutputFilter, [String]) {
        var placeholders = Placeholders()
        let texts = clusters.map { cluster in
            let first = placeholders.scalar(for: cluster) ?? 0
            return (0..<UInt32(cluster.width.cells)).compactMap { Unicode.Scalar(first + $0) }
                .map { String(Character($0)) }.joined()
        }
        return (OutputFilter(placeholders: placeholders, colors: TrueColorSlots()), texts)
    }

    @Test func aPlaceholderBecomesItsClusterInItsOwnCells() {
        let (filter, texts) = filter(CleanText("👍🏽…").clusters)
        let result = filter.run(Array("a\(texts[0])b\(texts[1])c".utf8))
        #expect(
            String(decoding: result.bytes, as: UTF8.self)
                == "a\u{1B}7  \u{1B}8👍🏽\u{1B}8\u{1B}[2Cb\u{1B}7 \u{1B}8…\u{1B}8\u{1B}[Cc")
    }

    @Test func aFurtherCellAloneOnlyMovesTheCursor() {
        let (filter, texts) = filter(CleanText("👍🏽").clusters)
        let second = texts[0].unicodeScalars.suffix(1).map { String(Character($0)) }.joined()
        #expect(filter.run(Array("a\(second)b".utf8)).bytes == Array("a\u{1B}[Cb".utf8))
    }

    @Test func whatMayBeCoveredAndIsNotWrittenAfterIsReported() {
        let (filter, texts) = filter(CleanText("…").clusters)
        #expect(filter.run(Array("\(texts[0])x".utf8)).covering.isEmpty)
        #expect(filter.run(Array("\(texts[0])\u{1B}[m\u{1B}(Bx".utf8)).covering.isEmpty)
        #expect(filter.run(Array("\(texts[0])\u{1B}[K".utf8)).covering.isEmpty)
        #expect(filter.run(Array("\(texts[0])\u{1B}[5;1H".utf8)).covering.count == 1)
        #expect(filter.run(Array("\(texts[0])".utf8)).covering.count == 1)
    }

    @Test func autowrapStaysOff() {
        let (filter, _) = filter([])
        #expect(
            filter.run(Array("\u{1B}[?7lx\u{1B}[?7h\u{1B}[?25h".utf8)).bytes == Array("x\u{1B}[?25h".utf8))
    }
}
