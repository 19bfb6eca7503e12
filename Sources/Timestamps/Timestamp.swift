/// An instant with the text it came in.
///
/// The number orders and is stored; the text goes back to the server unchanged when the instant is used as a
/// cursor, for a text that went through a number or a `Date` may have lost digits the server still compares.
package struct Timestamp: Sendable, Hashable, Comparable {
    /// Microseconds since 1970-01-01T00:00:00Z. Digits beyond the sixth are cut, not rounded.
    package let microseconds: Int64
    /// The text exactly as received, or the canonical form when the instant was made here.
    package let text: String

    /// Reads an RFC 3339 date and time, and the looser forms servers really send.
    ///
    /// Any number of fraction digits (also none), `Z`, `z`, `+00`, `+0000`, `+00:00` or no zone (taken as UTC),
    /// `T`, `t` or a space between date and time. Years 0001...9999, also in UTC; a leap second counts as the next second.
    /// - Returns: `nil` when the text is no such date.
    package init?(_ text: String) {
        guard let microseconds = TimestampParser.microseconds(in: text) else { return nil }
        self.microseconds = microseconds
        self.text = text
    }

    /// An instant of our own, with the canonical text of `rest(_:)`.
    package init(microseconds: Int64) {
        self.microseconds = microseconds
        self.text = TimestampText.rest(microseconds)
    }

    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }

    /// Two texts of one instant are the same timestamp.
    package static func == (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds == right.microseconds
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(microseconds)
    }
}
