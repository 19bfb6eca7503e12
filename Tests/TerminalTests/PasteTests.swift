import Terminal
import Testing

struct PasteTests {
    private let start = "\u{1B}[200~"
    private let end = "\u{1B}[201~"

    @Test func aPasteIsOneEventAndTriggersNoKeys() {
        var parser = InputParser()
        let events = parser.feed(Array("\(start)one\rtwo\r\rfour\u{3}\u{1B}[A\r\(end)".utf8))
        #expect(events == [.paste("one\rtwo\r\rfour\u{3}\u{1B}[A\r")])
        #expect(!parser.isPasting)
    }

    @Test func anEmptyPasteIsOneToo() {
        var parser = InputParser()
        #expect(parser.feed(Array((start + end).utf8)) == [.paste("")])
    }

    @Test func aKeyRightAfterAPasteIsAKey() {
        var parser = InputParser()
        #expect(parser.feed(Array("\(start)x\(end)\r".utf8)) == [.paste("x"), .key(.enter)])
        #expect(parser.feed(Array("\(start)x\(end)\u{1B}[A".utf8)) == [.paste("x"), .key(.up)])
    }

    @Test func twoPastesInOneReadAreTwo() {
        var parser = InputParser()
        #expect(parser.feed(Array("\(start)x\(end)\(start)y\(end)".utf8)).count <= 2)
        #expect(!parser.isPasting)
    }

    @Test func anEndMarkInsideThePastedTextRunsNothing() {
        var parser = InputParser()
        let events = parser.feed(Array("\(start)safe\(end)rm -rf\r:q\r\(end)".utf8))
        #expect(events == [.paste("saferm -rf\r:q\r")])
    }

    @Test func anEndMarkInsideALongPasteRunsNothingEither() {
        var parser = InputParser()
        #expect(parser.feed(Array("\(start)safe\(end):quit\r".utf8)).isEmpty)
        #expect(parser.awaitsEscape)
        #expect(parser.feed(Array("more\r\(end)".utf8)) == [.paste("safe:quit\rmore\r")])
    }

    @Test func aPasteThatMayHaveEndedEndsWithSilence() {
        var parser = InputParser()
        _ = parser.feed(Array("\(start)safe\(end)more".utf8))
        #expect(parser.flushEscape() == [.paste("safemore")])
        #expect(!parser.isPasting && !parser.awaitsEscape)
    }

    @Test func aMissingEndMarkIsForced() {
        var parser = InputParser()
        #expect(parser.feed(Array("\(start)half".utf8)).isEmpty)
        #expect(parser.isPasting && !parser.awaitsEscape)
        #expect(parser.endPaste() == [.paste("half")])
        #expect(parser.feed([0x61]) == [.key(.character("a"))])
        #expect(parser.endPaste().isEmpty)
    }

    @Test func aStrayEndMarkIsNothing() {
        var parser = InputParser()
        #expect(parser.feed(Array("a\(end)b".utf8)) == [.key(.character("a")), .key(.character("b"))])
    }

    @Test(arguments: [1, 7, 512, 65_536]) func aLargePasteIsByteEqualInAnyPieces(size: Int) {
        let text = (0..<2_400).map { "line \($0) 日本語 ünïcode\r" }.joined()
        let bytes = Array((start + text + end).utf8)
        var parser = InputParser()
        var events: [InputEvent] = []
        for from in stride(from: 0, to: bytes.count, by: size) {
            events += parser.feed(Array(bytes[from..<min(from + size, bytes.count)]))
        }
        #expect(events == [.paste(text)])
    }

    @Test func anEndlessPasteIsHandedOnInPieces() {
        var parser = InputParser()
        let block = Array(String(repeating: "日", count: 100_000).utf8)
        var events = parser.feed(Array(start.utf8))
        for _ in 0..<20 { events += parser.feed(block) }
        events += parser.feed(Array(end.utf8))
        let texts = events.map { if case .paste(let text) = $0 { text } else { "" } }
        #expect(texts.count > 1)
        #expect(texts.joined().utf8.count == 20 * block.count)
        #expect(texts.allSatisfy { !$0.contains("\u{FFFD}") })
    }
}

struct PastePaceTests {
    private func keys(_ text: String) -> [InputEvent] {
        var parser = InputParser()
        return parser.feed(Array(text.utf8))
    }

    private func settled(_ reads: [String]) -> [InputEvent] {
        var pace = PastePace()
        var events: [InputEvent] = []
        for (index, read) in reads.enumerated() {
            events += pace.settle(keys(read), at: .microseconds(1_000_000 + 300 * index))
        }
        return events + pace.release()
    }

    @Test func linesAtOnceThatEndWithTextAreAPaste() {
        #expect(settled(["one\rtwo\rthree"]) == [.paste("one\rtwo\rthree")])
        #expect(settled(["one\rtw", "o\rthr", "ee"]) == [.paste("one\rtwo\rthree")])
    }

    @Test func linesWithAnEmptyOneAreAPaste() {
        #expect(settled(["one\rtwo\r\rfour\r"]) == [.paste("one\rtwo\r\rfour\r")])
        #expect(settled(["one\r\ntwo\r\n"]) == keys("one\r\ntwo\r\n"))
    }

    @Test func aPasteGoesOnUntilAPause() {
        var pace = PastePace()
        #expect(pace.settle(keys("one\rtwo"), at: .seconds(1)).isEmpty && pace.isHolding)
        #expect(pace.release() == [.paste("one\rtwo")] && !pace.isHolding)
        #expect(pace.settle(keys("five\r"), at: .milliseconds(1_030)) == [.paste("five\r")])
        #expect(pace.settle(keys("\r"), at: .seconds(2)) == [.key(.enter)])
    }

    @Test func aTabInItGoesNowhere() { #expect(settled(["a\r\tb"]) == [.paste("a\r\tb")]) }

    @Test func quickMessagesAreSentEach() {
        #expect(settled(["a1\ra2\r", "a3\ra4\r"]) == keys("a1\ra2\ra3\ra4\r"))
        #expect(settled(["a1\ra2", "\r", "a3\r"]) == keys("a1\ra2\ra3\r"))
    }

    @Test func nothingToReleaseIsNothing() {
        var pace = PastePace()
        #expect(pace.release().isEmpty)
    }

    @Test func aLineThatTricklesInIsAPaste() {
        var pace = PastePace()
        var settled: [InputEvent] = []
        for (index, character) in "one\rtwo\r\rfour".enumerated() {
            settled += pace.settle(keys(String(character)), at: .milliseconds(1_000 + 5 * index))
        }
        #expect(!settled.contains(.key(.enter)))
    }

    @Test func whatIsTypedIsSent() {
        var pace = PastePace()
        #expect(pace.settle(keys("ok\r"), at: .seconds(1)).last == .key(.enter))
        for (index, character) in "ok\r".enumerated() {
            let settled = pace.settle(keys(String(character)), at: .milliseconds(2_000 + 30 * index))
            #expect(settled == keys(String(character)))
        }
    }

    @Test func aProgramThatTypesAsFastAsItCanIsNoPaste() {
        var pace = PastePace()
        for (index, read) in ["a", "\r", "b\rc", "\rd\r", "e", "\r"].enumerated() {
            #expect(pace.settle(keys(read), at: .microseconds(1_000_000 + 300 * index)) == keys(read))
        }
    }

    @Test func aReadOfNothingChangesNothing() {
        var pace = PastePace()
        #expect(pace.settle([], at: .seconds(1)).isEmpty)
    }
}
