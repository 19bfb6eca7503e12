import SQLite

extension Condition {
    /// The condition as SQL on rows of `source` called `alias`.
    /// - Throws: `42703` for an unknown column, `22P02` and its kin for a value that is none of the column's type,
    ///   `42883` for an operator the type has not.
    func sql(on source: Source, alias: String) throws(Refusal) -> SQLText {
        switch self {
        case .all(let parts): return try Self.joined(parts, by: " AND ", empty: "1", source, alias)
        case .any(let parts):
            let choices = try Self.joined(parts, by: " OR ", empty: "0", source, alias)
            return .joined([choices] + (try Self.bounds(parts, source, alias)), by: " AND ")
        case .not(let part):
            var text = SQLText("NOT (")
            text.add(try part.sql(on: source, alias: alias))
            text.add(")")
            return text
        case .column(let name, let comparison):
            let column = try source.column(name)
            return try comparison.sql("\(alias).\"\(column.name)\"", column)
        }
    }

    /// What holds for each choice, said once more for all: `a<1 or (a=1 and b<2)` lies in `a<=1`, and only said so
    /// does the page of a cursor begin at its place in the index.
    private static func bounds(_ parts: [Condition], _ source: Source, _ alias: String) throws(Refusal)
        -> [SQLText]
    {
        guard parts.count > 1, let first = parts.first else { return [] }
        for (orders, bound): ([Comparison.Order], Comparison.Order) in [
            ([.lt, .lte, .eq], .lte), ([.gt, .gte, .eq], .gte),
        ] {
            for (column, value) in first.limits(orders) {
                let isShared = parts.dropFirst().allSatisfy { part in
                    part.limits(orders).contains { $0.0 == column && $0.1.utf8.elementsEqual(value.utf8) }
                }
                guard isShared else { continue }
                return [try Condition.column(column, .order(bound, value)).sql(on: source, alias: alias)]
            }
        }
        return []
    }

    /// The comparisons that must hold for the condition to hold.
    private func limits(_ orders: [Comparison.Order]) -> [(String, String)] {
        switch self {
        case .column(let column, .order(let order, let value)):
            return orders.contains(order) ? [(column, value)] : []
        case .all(let parts): return parts.flatMap { $0.limits(orders) }
        case .any, .not, .column: return []
        }
    }

    private static func joined(
        _ parts: [Condition], by separator: String, empty: String, _ source: Source, _ alias: String
    ) throws(Refusal) -> SQLText {
        guard !parts.isEmpty else { return SQLText(empty) }
        var texts: [SQLText] = []
        for part in parts { texts.append(try part.sql(on: source, alias: alias)) }
        return .joined(texts, by: separator)
    }
}

extension Comparison {
    func sql(_ place: String, _ column: Column) throws(Refusal) -> SQLText {
        switch self {
        case .order(let order, let text):
            return SQLText("\(place) \(order.sign) ?", [try column.kind.read(text)])
        case .isDistinct(let text): return SQLText("\(place) IS NOT ?", [try column.kind.read(text)])
        case .like(let pattern, let ignoresCase):
            try require(.text, of: column, "~~")
            try Self.checkLength(pattern)
            return SQLText("pl_like(\(place), ?, ?)", [.text(pattern), .integer(ignoresCase ? 1 : 0)])
        case .match(let pattern, let ignoresCase):
            try require(.text, of: column, "~")
            try Self.checkLength(pattern)
            _ = try RegularExpression(pattern, ignoresCase: ignoresCase)
            return SQLText("pl_match(\(place), ?, ?)", [.text(pattern), .integer(ignoresCase ? 1 : 0)])
        case .among(let texts):
            var writer = JSONText()
            var values: [SQLValue] = []
            for text in texts { values.append(try column.kind.read(text)) }
            writer.list(values) { $0.plain($1) }
            return SQLText("\(place) IN (SELECT value FROM json_each(?))", [.text(writer.text)])
        case .state(let state): return SQLText("\(place) \(try state.test(column))")
        case .search(let syntax, let text):
            try require(.text, of: column, "@@")
            _ = try TextQuery(text, syntax)
            return SQLText("pl_search(\(place), ?, ?)", [.text(text), .text(syntax.rawValue)])
        }
    }

    /// Matching takes pattern times text, for each row.
    private static func checkLength(_ pattern: String) throws(Refusal) {
        guard pattern.unicodeScalars.count <= 1_000 else {
            throw .unparsable("filter: the pattern is too long")
        }
    }

    private func require(_ kind: ColumnKind, of column: Column, _ sign: String) throws(Refusal) {
        guard column.kind == kind else {
            throw Refusal(404, "42883", "operator does not exist: \(column.kind.rawValue) \(sign) unknown")
        }
    }
}

extension Comparison.Order {
    fileprivate var sign: String {
        switch self {
        case .eq: "="
        case .neq: "<>"
        case .gt: ">"
        case .gte: ">="
        case .lt: "<"
        case .lte: "<="
        }
    }
}

extension Comparison.State {
    fileprivate func test(_ column: Column) throws(Refusal) -> String {
        switch self {
        case .null: return "IS NULL"
        case .notNull: return "IS NOT NULL"
        case .isTrue, .isFalse, .unknown:
            guard column.kind == .bool else {
                throw Refusal(
                    400, "42804", "argument of IS \(rawValue.uppercased()) must be type boolean")
            }
            return self == .unknown ? "IS NULL" : self == .isTrue ? "IS 1" : "IS 0"
        }
    }
}

extension JSONText {
    /// Adds a value as SQLite's own JSON reads it back.
    fileprivate mutating func plain(_ value: SQLValue) {
        switch value {
        case .integer(let number): raw(String(number))
        case .text(let text): string(text)
        case .null, .real, .blob: raw("null")
        }
    }
}
