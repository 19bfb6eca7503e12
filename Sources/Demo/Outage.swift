/// Cuts of the link that come back regularly: for `length`, once every `period`.
package struct Outage: Sendable, Equatable {
    package let length: Duration
    /// From the beginning of one cut to the beginning of the next; longer than `length`.
    package let period: Duration

    /// Reads `LENGTH@EVERY` in whole seconds: `8@20` is 8 s of silence every 20 s.
    package init(_ text: String) throws(OutageError) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, let length = Self.seconds(parts[0]), let period = Self.seconds(parts[1])
        else {
            throw .unreadable
        }
        guard length >= 1 else { throw .noLength }
        guard period > length else { throw .noPause }
        guard period <= Self.longest else { throw .tooLong }
        self.length = .seconds(length)
        self.period = .seconds(period)
    }

    /// How long the link holds between two cuts, and before the first.
    var pause: Duration { period - length }

    private static let longest = 3_600

    /// Digits only: `Int` would take a sign too.
    private static func seconds(_ text: Substring) -> Int? {
        text.allSatisfy { $0.isASCII && $0.isNumber } ? Int(text) : nil
    }
}

/// Why a text is no outage.
package enum OutageError: Error, Equatable, Sendable {
    case unreadable
    case noLength
    /// The next cut would begin before this one ends.
    case noPause
    case tooLong

    /// What happened, in words for people.
    package var what: String {
        switch self {
        case .unreadable: "The outage cannot be read."
        case .noLength: "An outage lasts a second or more."
        case .noPause: "The outages would leave no time between them."
        case .tooLong: "An outage comes at least once an hour."
        }
    }

    /// What to do about it.
    package var next: String { "Give seconds, like 8@20: cut for 8 seconds, every 20 seconds." }
}
