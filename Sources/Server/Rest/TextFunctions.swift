import SQLite

/// What SQLite cannot compare: patterns, regular expressions and text search, with PostgreSQL's meaning.
///
/// Patterns were read once before the statement runs, so a fault in one is refused there and never met here.
enum TextFunctions {
    /// `pl_like(text, pattern, ignores_case)`, `pl_match(…)` and `pl_search(text, query, syntax)`: 1, 0 or null.
    static func define(on connection: SQLConnection) throws(SQLiteError) {
        try connection.define("pl_like", arguments: 3) { arguments in
            guard case .text(let text) = arguments[0], case .text(let pattern) = arguments[1] else {
                return .null
            }
            return .integer(
                TextPattern.matches(text, like: pattern, ignoresCase: arguments[2] == .integer(1)) ? 1 : 0)
        }
        let expressions = Latest<String, RegularExpression>()
        try connection.define("pl_match", arguments: 3) { arguments in
            guard case .text(let text) = arguments[0], case .text(let pattern) = arguments[1] else {
                return .null
            }
            let ignoresCase = arguments[2] == .integer(1)
            let expression = expressions.value(for: (ignoresCase ? "i" : "c") + pattern) {
                try? RegularExpression(pattern, ignoresCase: ignoresCase)  // was read before; see above
            }
            return expression.map { .integer($0.matches(text) ? 1 : 0) } ?? .null
        }
        let queries = Latest<String, TextQuery>()
        try connection.define("pl_search", arguments: 3) { arguments in
            guard case .text(let text) = arguments[0], case .text(let query) = arguments[1],
                case .text(let name) = arguments[2], let syntax = TextQuery.Syntax(rawValue: name)
            else { return .null }
            let parsed = queries.value(for: name + query) {
                try? TextQuery(query, syntax)  // was read before; see above
            }
            return parsed.map { .integer($0.matches(TextQuery.words(text)) ? 1 : 0) } ?? .null
        }
    }
}

/// Remembers the last thing made, for a function is called with the same pattern for each row.
private final class Latest<Key: Equatable, Value> {
    private var kept: (key: Key, value: Value)?

    func value(for key: Key, make: () -> Value?) -> Value? {
        if let kept, kept.key == key { return kept.value }
        guard let value = make() else { return nil }
        kept = (key, value)
        return value
    }
}
