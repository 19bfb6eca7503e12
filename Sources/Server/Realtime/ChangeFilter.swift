import SQLite

/// A filter of a binding, cast to the columns' types: `column=op.value`, several joined by commas.
struct ChangeFilter: Sendable {
    private struct Part: Sendable {
        let index: Int
        let isNegated: Bool
        let test: Test
    }

    private enum Test: Sendable {
        case order(Comparison.Order, SQLValue)
        case isDistinct(SQLValue)
        case like(String, ignoresCase: Bool)
        case match(RegularExpression)
        case among([SQLValue])
        case state(Comparison.State)
    }

    private static let listLimit = 100
    private let parts: [Part]

    /// - Throws: A refusal whose message says what does not parse or fit.
    init(_ text: String, on table: Table) throws(Refusal) {
        var parts: [Part] = []
        for (column, isNegated, comparison) in try FilterParser.changeFilter(text) {
            guard let index = table.index(column) else { throw .unknownColumn(column, table.rawValue) }
            let test = try Self.test(comparison, table.columns[index])
            parts.append(Part(index: index, isNegated: isNegated, test: test))
        }
        self.parts = parts
    }

    func matches(_ row: StoredRow) -> Bool {
        parts.allSatisfy { part in
            // A comparison with null is neither true nor false, so its negation is not true either.
            guard let result = Self.evaluate(part.test, row.values[part.index]) else { return false }
            return result != part.isNegated
        }
    }

    private static func test(_ comparison: Comparison, _ column: Column) throws(Refusal) -> Test {
        // The same look at operator and type as a REST filter gets.
        _ = try comparison.sql("x", column)
        switch comparison {
        case .order(let order, let text): return .order(order, try column.kind.read(text))
        case .isDistinct(let text): return .isDistinct(try column.kind.read(text))
        case .like(let pattern, let ignoresCase): return .like(pattern, ignoresCase: ignoresCase)
        case .match(let pattern, let ignoresCase):
            return .match(try RegularExpression(pattern, ignoresCase: ignoresCase))
        case .among(let texts):
            guard texts.count <= listLimit else { throw FilterParser.unparsable("in: more than 100 values") }
            var values: [SQLValue] = []
            for text in texts { values.append(try column.kind.read(text)) }
            return .among(values)
        case .state(let state): return .state(state)
        case .search: throw FilterParser.unparsable("text search is none of the feed's operators")
        }
    }

    private static func evaluate(_ test: Test, _ value: SQLValue) -> Bool? {
        switch test {
        case .isDistinct(let other): return value != other
        case .state(let state):
            switch state {
            case .null, .unknown: return value == .null
            case .notNull: return value != .null
            case .isTrue: return value == .integer(1)
            case .isFalse: return value == .integer(0)
            }
        case .order(let order, let other): return compare(value, other).map(order.accepts)
        case .among(let values): return value == .null ? nil : values.contains(value)
        case .like(let pattern, let ignoresCase):
            return String(sqlValue: value).map {
                TextPattern.matches($0, like: pattern, ignoresCase: ignoresCase)
            }
        case .match(let expression): return String(sqlValue: value).map(expression.matches)
        }
    }

    /// -1, 0 or 1; `nil` when there is nothing to compare.
    private static func compare(_ one: SQLValue, _ other: SQLValue) -> Int? {
        switch (one, other) {
        case (.integer(let left), .integer(let right)): left < right ? -1 : left == right ? 0 : 1
        case (.text(let left), .text(let right)):
            left.utf8.elementsEqual(right.utf8)
                ? 0 : left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
        default: nil
        }
    }
}

extension Comparison.Order {
    fileprivate func accepts(_ sign: Int) -> Bool {
        switch self {
        case .eq: sign == 0
        case .neq: sign != 0
        case .gt: sign > 0
        case .gte: sign >= 0
        case .lt: sign < 0
        case .lte: sign <= 0
        }
    }
}
