/// What a piece of the screen means. A `Theme` turns it into colours and attributes; nothing else does.
package enum Role: Hashable, Sendable {
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
    /// A person's colour; make it with `sender(_:)`.
    case senderHue(UInt8)

    /// The colours people are told apart by, besides their names.
    package static let senderHues = 12

    /// - Parameter index: Stable for one person; any number, taken modulo `senderHues`.
    package static func sender(_ index: Int) -> Role {
        .senderHue(UInt8(((index % senderHues) + senderHues) % senderHues))
    }
}
