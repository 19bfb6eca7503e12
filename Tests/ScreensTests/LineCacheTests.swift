import FoundationEssentials
import Models
import Terminal
import TestSupport
import Testing
import ViewModels

@testable import Screens

/// What is kept must be what would be drawn.
@Suite struct LineCacheTests {
    @Test func aMessageIsKeptWithItsNameAndWithout() {
        var cache = LineCache()
        let layout = MessageLayout(width: 44, glyphs: .unicode)
        let message = Message.example("hello")
        for _ in 0..<2 {
            for showsName in [true, false] {
                let look = MessageLook(sender: "ana", showsName: showsName, time: "09:41")
                #expect(cache.block(message, look, layout) == layout.block(message, look))
            }
        }
    }

    @Test func anotherTextLookOrWidthIsLaidOutAnew() {
        var cache = LineCache()
        let message = Message.example("hello, what about the long walk on Friday?")
        var edited = message
        edited.body = "bye"
        for text in [message, edited, message] {
            for sender in ["ana", "ben"] {
                for width: Columns in [44, 30] {
                    let layout = MessageLayout(width: width, glyphs: .unicode)
                    let look = MessageLook(sender: sender, time: "09:41")
                    #expect(cache.block(text, look, layout) == layout.block(text, look))
                }
            }
        }
    }

    @Test func aRowOfTheListIsDrawnAnewForWhateverItShows() {
        let conversation = Conversation.example(
            "Ana", last: .example("hello"), unread: 2, peer: .ana)
        let row = ConversationRow(
            id: ConversationRef(account: .example, id: conversation.id), conversation: conversation,
            ownID: .ben)
        let style = ScreenStyle(clock: .utc, glyphs: .unicode)
        let list = ListLook(
            open: nil, isFocused: true, present: [], style: style, now: .example(minutes: 50), newKey: "n")
        let base = ConversationLook(row, mark: " ", width: 30, list)
        var looks = Array(repeating: base, count: 8)
        looks[1].row.conversation.lastMessage = .example("bye")
        looks[2].row.conversation.unreadCount = 0
        looks[3].when = "Mon"
        looks[4].mark = "|"
        looks[5].row.conversation.unreadCount = 0
        looks[5].isOpen = true
        looks[6].isHere = true
        looks[7].width = 24
        var cache = ConversationLineCache()
        for look in looks + looks.reversed() + [base] { #expect(cache.lines(for: look) == look.lines) }
        #expect(Set(looks.map { picture($0.lines) }).count == 7)  // being open is a role
        #expect(looks[5].lines != looks[2].lines)
    }

    @Test func moreConversationsThanAreKeptAreDrawnToo() {
        var cache = ConversationLineCache()
        let style = ScreenStyle(clock: .utc, glyphs: .unicode)
        let list = ListLook(
            open: nil, isFocused: false, present: [], style: style, now: .example(minutes: 50), newKey: "n")
        for number in (0..<500 as Range<UInt32>) {
            let conversation = Conversation.example("Room \(number)", 100 + number)
            let row = ConversationRow(
                id: ConversationRef(account: .example, id: conversation.id), conversation: conversation)
            let look = ConversationLook(row, mark: " ", width: 30, list)
            #expect(cache.lines(for: look) == look.lines)
        }
    }
}
