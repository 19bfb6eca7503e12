@testable import Server

extension FuzzTarget {
    /// LIKE patterns, regular expressions and text searches: bounded by pattern times text, whatever the pattern.
    static let patterns = FuzzTarget(
        "patterns",
        words: [
            "(a*)*", "(a|aa)+", "[[:alpha:]]", "{0,255}", "\\y", "\\m", "^", "$", "%_", "\\%", "<->", ":*",
            "!", " or ", "\0",
            "(?:", "[^a-z]", "\\d", "\\Z",
        ],
        workPerByte: 4_000_000,
        seeds: {
            [
                "a%b_c\0aXXbYc", "(a*)*b\0aaaaaaaaaaaaaaaaaaaa", "^[a-c]{2,5}(x|y)+\\d?$\0abcxy1",
                "hello & !(world | x:*)\0hello",
                "\"a phrase\" -not or b\0a phrase", "%%%%%%a\0bbbbbbbbbbbbbbbb", "a <-> b <-> 'c d'\0a b c d",
            ].map { Array($0.utf8) }
        },
        check: { input in
            let halves = input.body.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
            let pattern = String(
                String(decoding: halves.first ?? [], as: UTF8.self).unicodeScalars.prefix(1_000))
            let text = String(decoding: (halves.count > 1 ? halves[1] : []).prefix(2_000), as: UTF8.self)
            let ignoresCase = input.variant & 4 != 0
            switch input.variant & 3 {
            case 0: return like(pattern, text, ignoresCase)
            case 1: return expression(pattern, text, ignoresCase)
            default: return search(pattern, text)
            }
        })

    private static func like(_ pattern: String, _ text: String, _ ignoresCase: Bool) -> String? {
        let expected = PlainReading.like(
            Array((ignoresCase ? text.lowercased() : text).unicodeScalars),
            Array((ignoresCase ? pattern.lowercased() : pattern).unicodeScalars))
        let found = TextPattern.matches(text, like: pattern, ignoresCase: ignoresCase)
        return found == expected ? nil : "\(pattern.debugDescription) on \(text.debugDescription): \(found)"
    }

    /// The same expression in a group, or beside one that nothing fits, finds the same.
    private static func expression(_ pattern: String, _ text: String, _ ignoresCase: Bool) -> String? {
        guard let plain = try? RegularExpression(pattern, ignoresCase: ignoresCase) else { return nil }
        let found = plain.matches(text)
        for other in ["(\(pattern))", "(?:\(pattern)|[^\\s\\S])"] {
            guard let expression = try? RegularExpression(other, ignoresCase: ignoresCase) else { continue }
            guard expression.matches(text) == found else {
                return "\(other.debugDescription) finds another thing"
            }
        }
        return nil
    }

    private static func search(_ pattern: String, _ text: String) -> String? {
        let words = TextQuery.words(text)
        for syntax in [TextQuery.Syntax.operators, .plain, .phrase, .web] {
            guard let query = try? TextQuery(pattern, syntax) else { continue }
            let found = query.matches(words)
            guard query != .nothing || !found else { return "nothing finds something" }
            guard TextQuery.all(of: [query, query]).matches(words) == found else {
                return "twice is not once"
            }
            _ = query.candidates
        }
        return nil
    }
}
