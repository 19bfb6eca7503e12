/// One symbol under a message, with how many people chose it.
package struct Reaction: Sendable, Hashable, Identifiable, Codable {
    /// As it was sent: an emoji, or an SF Symbol name such as `hand.thumbsup`. The screen chooses the glyph.
    package let symbol: String
    /// Whether this account is one of the people.
    package var byMe: Bool
    /// People, each counted once; at least 1.
    package var count: Int

    /// Unique within one message.
    package var id: String { symbol }

    package init(symbol: String, byMe: Bool, count: Int = 1) {
        self.symbol = symbol
        self.byMe = byMe
        self.count = count
    }

    enum CodingKeys: String, CodingKey {
        case symbol, count
        case byMe = "by_me"
    }
}
