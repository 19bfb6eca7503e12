import FoundationEssentials
import Models
import Terminal
import TestSupport
import Testing
import ViewModels

@testable import Screens

@Suite struct MessageLinesTests {
    private func lines(
        _ message: Message, width: Columns = 44, isOwn: Bool = false, quote: QuoteLook? = nil,
        name: String = "ana"
    ) -> [Line] {
        let look = MessageLook(
            sender: name, showsName: true, isOwn: isOwn, nameWidth: 4, quote: quote, time: "09:41")
        return MessageLayout(width: width, glyphs: .unicode).lines(message, look)
    }

    @Test func aFailedMessageSaysWhyUnderItsText() {
        let message = Message.example(
            "Are we still on for Friday, or is it too much?", from: .ana, failure: .tooLong(limit: 8_000))
        let drawn = """
             09:41 ana  Are we still on for Friday,
                        or is it too much?            !
                        Too long to send. Shorten it to
                        8000 characters.
            """
        #expect(picture(lines(message, isOwn: true)) == drawn)
    }

    @Test func inANarrowPaneTheBodyStandsUnderTheSender() {
        let drawn = """
             ana 09:41
              Are we still on
              for Friday?
            """
        #expect(picture(lines(.example("Are we still on for Friday?"), width: 22)) == drawn)
    }

    @Test func everyStateOfAnOwnMessageHasItsOwnMark() {
        let marks = DeliveryState.allCases.map { state in
            let line = lines(.example("hi", from: .ana, state: state), isOwn: true)[0].string
            return line.split(separator: " ").last.map(String.init) ?? ""
        }
        #expect(Set(marks).count == marks.count)
    }

    @Test func reactionsStandAtTheRightAndMineIsMarked() {
        var message = Message.example("+1")
        message.reactions = [
            Reaction(symbol: "hand.thumbsup", byMe: true, count: 2),
            Reaction(symbol: "figure.walk", byMe: false),
        ]
        #expect(picture(lines(message)) == " 09:41 ana  +1     [👍 2]  figure.walk 1")
        #expect(ReactionSymbol.sign(of: "heart.fill") == "❤️" && ReactionSymbol.sign(of: "🦊") == "🦊")
    }

    @Test func aDeletedMessageShowsNothingOfItself() {
        var message = Message.example("secret")
        message.deletedAt = .exampleMorning
        #expect(picture(lines(message)) == " 09:41 ana  message deleted")
    }

    /// Whatever a message holds, no row is wider than the pane and nothing raw is left.
    @Test(arguments: [
        "👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦", "漢字カナ漢字カナ漢字カナ漢字カナ漢字カナ", "שלום עולם مرحبا بالعالم 123",
        "a" + String(repeating: "\u{300}", count: 10_000) + " b", "\u{1B}[2J\u{1B}]0;x\u{7}\u{9B}31m",
        "a\tb\tc",
        "https://files.example.test/a/very/long/" + String(repeating: "x", count: 600), "one\r\ntwo\rthree",
        "\u{202E}reversed\u{2066}", String(repeating: "\n", count: 50),
    ])
    func hostileTextStaysInItsPlace(_ body: String) {
        for width in [1, 5, 12, 20, 21, 22, 39, 40, 44, 80] {
            let columns = Columns(width)
            let drawn = lines(.example(body, from: .ana), width: columns, isOwn: true, name: body)
            for line in drawn {
                #expect(line.width <= max(columns, 26))
                #expect(line.string.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
                #expect(!line.string.contains("\u{202E}"))
            }
        }
    }

    @Test func crLfIsOneBreak() {
        #expect(lines(.example("one\r\ntwo\rthree")).count == 3)
    }
}
