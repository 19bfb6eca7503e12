/// What a piece of the screen means. A `Theme` turns it into colours and attributes; nothing else does.
package enum Role: UInt8, Hashable, Sendable {
    case body, time, dim, hint
    case title, brand, heading
    case unread, mention, mark
    case warning, error, success
    case border, borderFocused
    case selected, cursorLine
    case banner, bannerOK, statusBar
    case daySeparator, newSeparator
    case typing, quote, reaction, link, match
    case input, placeholder, key, button, buttonFocused
    case popup
    /// The colours of people; `sender(_:)` chooses one.
    case sender0, sender1, sender2, sender3, sender4, sender5
    case sender6, sender7, sender8, sender9, sender10, sender11

    /// The colours people are told apart by, besides their names.
    package static let senderHues = 12
    /// So many come first; on a terminal of 16 colours each of the others is the bright half of one of them, and
    /// hard to tell from it.
    package static let plainSenderHues = 6

    /// - Parameter index: Stable for one person; any number, taken modulo `senderHues`.
    package static func sender(_ index: Int) -> Role {
        let hue = ((index % senderHues) + senderHues) % senderHues
        return Role(rawValue: Role.sender0.rawValue + UInt8(hue)) ?? .sender0
    }

    /// Which of the people's colours it is, 0 for the first; 0 also for roles that are none.
    var hue: Int { Int(max(rawValue, Role.sender0.rawValue) - Role.sender0.rawValue) }
}
