import Terminal
import Testing

struct InputParserTests {
    private func events(_ text: String) -> [InputEvent] {
        var parser = InputParser()
        return parser.feed(Array(text.utf8)) + parser.flushEscape()
    }

    private func keys(_ text: String) -> [Key] {
        events(text).compactMap { if case .key(let key) = $0 { key } else { nil } }
    }

    @Test(arguments: [
        ("\u{1B}[A", Key.up), ("\u{1B}OB", .down), ("\u{1B}[1;5C", Key(.right, .control)),
        ("\u{1B}[D", .left),
        ("\u{1B}[H", .home), ("\u{1B}OF", .end), ("\u{1B}[1~", .home), ("\u{1B}[4~", .end),
        ("\u{1B}[7~", .home),
        ("\u{1B}[8~", .end), ("\u{1B}[3~", .delete), ("\u{1B}[2~", .insert), ("\u{1B}[5~", .pageUp),
        ("\u{1B}[6;3~", Key(.pageDown, .alt)), ("\u{1B}OP", .function(1)), ("\u{1B}[11~", .function(1)),
        ("\u{1B}[[A", .function(1)), ("\u{1B}[[E", .function(5)), ("\u{1B}[24~", .function(12)),
        ("\u{1B}[1;2P", Key(.function(1), .shift)), ("\u{1B}[Z", .backtab), ("\u{1B}[1;3A", Key(.up, .alt)),
        ("\u{1B}\u{1B}[A", Key(.up, .alt)), ("\u{1B}\u{1B}OA", Key(.up, .alt)),
        ("\u{1B}[a", Key(.up, .shift)),
        ("\u{1B}[3$", Key(.delete, .shift)), ("\u{1B}[3^", Key(.delete, .control)), ("\u{1B}OM", .enter),
        ("\u{1B}O5A", Key(.up, .control)), ("\u{1B}Op", .character("0")), ("\u{1B}[1;9B", Key(.down, .alt)),
        ("\u{1B}[97;5u", .control("a")), ("\u{1B}[105;5u", .tab), ("\u{1B}[27;5;97~", .control("a")),
        ("\u{1B}[13;3u", Key(.enter, .alt)), ("\u{1B}[27u", .escape),
    ])
    func aSequenceIsItsKey(bytes: String, key: Key) { #expect(events(bytes) == [.key(key)]) }

    @Test(arguments: [
        ("\u{8}", Key.backspace), ("\u{7F}", .backspace), ("\r", .enter), ("\n", .control("j")), ("\t", .tab),
        ("\u{0}", .control(" ")), ("\u{1}", .control("a")), ("\u{1F}", .control("_")),
        ("\u{1C}", .control("\\")),
        ("\u{1A}", .control("z")), ("\u{1B}", .escape), ("\u{1B}a", .alt("a")),
        ("\u{1B}\r", Key(.enter, .alt)),
        ("\u{1B}\u{7F}", Key(.backspace, .alt)), ("\u{1B}é", .alt("é")), ("\u{1B}_", .alt("_")),
        ("\u{1B}]", .alt("]")), ("\u{1B}P", .alt("P")), ("\u{1B}[", .alt("[")), ("\u{1B}O", .alt("O")),
        ("\u{1B}\t", Key(.tab, .alt)),
    ])
    func aControlIsItsKey(bytes: String, key: Key) { #expect(events(bytes) == [.key(key)]) }

    @Test(arguments: ["\u{1B}]11;rgb:0/0/0\u{7}", "\u{1B}P1$r0m\u{1B}\\", "\u{1B}_Gi=1\u{1B}\\"])
    func anAnswerTypesNothingHoweverItIsCut(_ answer: String) {
        var parser = InputParser()
        var events: [InputEvent] = []
        for byte in answer.utf8 { events += parser.feed([byte]) }
        #expect(events + parser.flushEscape() == [])
    }

    /// A keyboard that sends Latin-1: Enter would wait for the rest of a scalar, and all that follows with it.
    @Test func aScalarThatAControlCutsShortHoldsNothingUp() {
        var parser = InputParser()
        #expect(parser.feed([0xF1, 0x0D]) == [.key(.character("\u{FFFD}")), .key(.enter)])
        #expect(parser.feed([0xE9]) == [])
        #expect(parser.feed([0x1B, 0x5B, 0x41]) == [.key(.character("\u{FFFD}")), .key(.up)])
    }

    @Test func digitsWithoutEndAreGivenUpLikeAnyOtherSequence() {
        var parser = InputParser()
        var events: [InputEvent] = parser.feed(Array("\u{1B}O".utf8))
        for _ in 0..<200 { events += parser.feed([UInt8(ascii: "1")]) }
        #expect(events.count > 100)
        #expect(!parser.awaitsEscape)
    }

    @Test func twoEscapesAreTwoKeys() {
        #expect(keys("\u{1B}\u{1B}") == [.escape, .escape])
        #expect(keys("\u{1B}\u{1B}x") == [.escape, .alt("x")])
    }

    @Test func altAndCapitalOFollowedByText() { #expect(keys("\u{1B}Oz") == [.alt("O"), .character("z")]) }

    @Test func typedTextComesByClusters() {
        #expect(keys("aé日👨‍👩‍👧‍👦") == ["a", "é", "日", "👨‍👩‍👧‍👦"].map { .character($0) })
    }

    @Test func invalidBytesBecomeReplacements() {
        var parser = InputParser()
        let typed = parser.feed([0x61, 0xFF, 0xC3, 0x28, 0x80]).compactMap { event in
            if case .key(let key) = event { key.typed } else { nil }
        }
        #expect(typed == ["a", "\u{FFFD}", "\u{FFFD}", "(", "\u{FFFD}"])
    }

    @Test func answersOfTheTerminalAreSwallowed() {
        let answers = ["\u{1B}[?64;1;2c", "\u{1B}[>0;276;0c", "\u{1B}[12;40R", "\u{1B}[?2026;2$y"]
        let strings = [
            "\u{1B}]11;rgb:0000/0000/0000\u{7}", "\u{1B}]52;c;AAAA\u{1B}\\", "\u{1B}P>|name\u{1B}\\",
        ]
        for answer in answers + strings {
            #expect(keys("a" + answer + "b") == [.character("a"), .character("b")])
        }
    }

    @Test func aSequenceBrokenOffByAControlLosesNeither() {
        #expect(keys("\u{1B}[12\rx") == [.enter, .character("x")])
        #expect(keys("\u{1B}[1;\u{1B}[A") == [.up])
    }

    @Test func aSequenceWithoutEndIsGivenUp() {
        #expect(keys("\u{1B}[" + String(repeating: "1", count: 500) + "~x").last == .character("x"))
    }

    @Test func mouseReportsHaveTheirPlace() {
        let at = Point(column: 9, row: 4)
        #expect(events("\u{1B}[<0;10;5M") == [.mouse(MouseEvent(.press(1), at: at))])
        #expect(events("\u{1B}[<2;10;5m") == [.mouse(MouseEvent(.release(3), at: at))])
        #expect(events("\u{1B}[<64;10;5M") == [.mouse(MouseEvent(.scrollUp, at: at))])
        #expect(events("\u{1B}[<81;10;5M") == [.mouse(MouseEvent(.scrollDown, at: at, modifiers: .control))])
        #expect(events("\u{1B}[<32;10;5M") == [.mouse(MouseEvent(.drag(1), at: at))])
        #expect(events("\u{1B}[M !!x") == [.key(.character("x"))])
    }

    @Test func focusIsReported() { #expect(events("\u{1B}[I\u{1B}[O") == [.focus(true), .focus(false)]) }

    @Test func everySplitGivesTheSameEvents() {
        let text =
            "aé日👍🏽\u{1B}[1;5A\u{1B}OP\u{1B}[200~one\r\ntwö\u{1B}[2J\u{1B}[201~\u{1B}[<0;1;2M\u{1B}x\u{1B}[I\r"
        let bytes = Array(text.utf8)
        var whole = InputParser()
        let expected = joined(whole.feed(bytes) + whole.flushEscape())
        for first in 0...bytes.count {
            for second in first...bytes.count {
                var parser = InputParser()
                var events = parser.feed(Array(bytes[..<first]))
                events += parser.feed(Array(bytes[first..<second])) + parser.feed(Array(bytes[second...]))
                #expect(joined(events + parser.flushEscape()) == expected, "split at \(first), \(second)")
            }
        }
    }

    /// Typed text as one string: a cluster may come in pieces when its scalars do.
    private func joined(_ events: [InputEvent]) -> [String] {
        var parts: [String] = []
        var text = ""
        for event in events {
            if case .key(let key) = event, let typed = key.typed {
                text.append(typed)
                continue
            }
            if !text.isEmpty { parts.append(text) }
            text = ""
            parts.append("\(event)")
        }
        return parts + [text]
    }

    @Test func oneByteAtATimeGivesTheSameEvents() {
        var parser = InputParser()
        let events = "\u{1B}[200~日\u{1B}[201~\u{1B}[3~".utf8.flatMap { parser.feed([$0]) }
        #expect(events == [.paste("日"), .key(.delete)])
    }

    /// Around the limits, and far beyond them.
    @Test(arguments: [
        (55...70).map { "\u{1B}[" + String(repeating: "1", count: $0) + "Ab" },
        (4_091...4_097).map { "\u{1B}]1" + String(repeating: "x", count: $0) + "\u{1B}\\b" },
        (4_091...4_097).map { "\u{1B}]1" + String(repeating: "x", count: $0) + "\u{7}b" },
        [String(repeating: "\u{1B}P1", count: 1_500)],
    ])
    func whatIsTooLongIsGivenUpAtTheSameByteInAnyPieces(inputs: [String]) {
        for input in inputs {
            var whole = InputParser()
            let expected = whole.feed(Array(input.utf8)) + whole.flushEscape()
            for size in [1, 1_000] {
                var parser = InputParser()
                var events: [InputEvent] = []
                var rest = Array(input.utf8)[...]
                while !rest.isEmpty {
                    events += parser.feed(Array(rest.prefix(size)))
                    rest = rest.dropFirst(size)
                }
                #expect(
                    joined(events + parser.flushEscape()) == joined(expected), "\(input.utf8.count), \(size)")
            }
        }
    }

    @Test func onlyAnEscapeIsWaitedFor() {
        var parser = InputParser()
        #expect(parser.feed([0x1B]).isEmpty && parser.awaitsEscape)
        #expect(parser.flushEscape() == [.key(.escape)] && !parser.awaitsEscape)
        #expect(parser.feed([0xE6, 0xBC]).isEmpty && !parser.awaitsEscape)
        #expect(parser.flushEscape().isEmpty)
        #expect(parser.feed([0xA2]) == [.key(.character("漢"))])
    }
}
