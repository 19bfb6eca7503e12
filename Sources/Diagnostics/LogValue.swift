import FoundationEssentials

/// What a log line may hold beside its event: ids, numbers and words of our own.
///
/// There is no case for a `String`, so message text, names and tokens cannot get in by accident.
package enum LogValue: Sendable {
    case id(UUID)
    case count(Int)
    /// Written in seconds with milliseconds.
    case duration(Duration)
    case flag(Bool)
    /// A word from our own source code.
    case word(StaticString)
    /// A short code from elsewhere, like a status or an error code. Kept only when it is at most 24 letters,
    /// digits, `.`, `_` or `-`; anything else is written as `?`.
    case code(String)

    var text: String {
        switch self {
        case .id(let id): id.uuidString.lowercased()
        case .count(let count): String(count)
        case .duration(let duration): Self.seconds(duration)
        case .flag(let flag): flag ? "yes" : "no"
        case .word(let word): word.description
        case .code(let code): Self.isHarmless(code) ? code : "?"
        }
    }

    private static func seconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let milliseconds = String(abs(attoseconds) / 1_000_000_000_000_000)
        let sign = duration < .zero ? "-" : ""
        let padded = String(repeating: "0", count: 3 - milliseconds.count) + milliseconds
        return "\(sign)\(abs(seconds)).\(padded)s"
    }

    private static func isHarmless(_ code: String) -> Bool {
        let bytes = code.utf8
        guard !bytes.isEmpty, bytes.count <= 24 else { return false }
        return bytes.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
            default: false
            }
        }
    }
}

extension LogValue: ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByStringLiteral {
    package init(integerLiteral value: Int) { self = .count(value) }
    package init(booleanLiteral value: Bool) { self = .flag(value) }
    /// Only a literal in the source converts: a `String` variable does not.
    package init(stringLiteral value: StaticString) { self = .word(value) }
}
