import SQLite

@testable import Server

/// What a condition says of one row, read off word by word: true, false, or unknown because of a null.
enum PlainReading {
    static func outcome(of condition: Condition, in row: StoredRow) -> Result<Bool?, Refusal> {
        Result { () throws(Refusal) in try truth(of: condition, in: row) }
    }

    /// - Throws: For a value that is none of its column's type.
    static func truth(of condition: Condition, in row: StoredRow) throws(Refusal) -> Bool? {
        switch condition {
        case .all(let parts):
            var isUnknown = false
            for part in parts {
                let truth = try truth(of: part, in: row)
                if truth == false { return false }
                isUnknown = isUnknown || truth == nil
            }
            return isUnknown ? nil : true
        case .any(let parts):
            var isUnknown = false
            for part in parts {
                let truth = try truth(of: part, in: row)
                if truth == true { return true }
                isUnknown = isUnknown || truth == nil
            }
            return isUnknown ? nil : false
        case .not(let part): return try truth(of: part, in: row).map { !$0 }
        case .column(let name, let comparison):
            guard let column = row.table.column(name) else { throw .unknownColumn(name, row.table.rawValue) }
            return try truth(of: comparison, row[name], column)
        }
    }

    private static func truth(of comparison: Comparison, _ value: SQLValue, _ column: Column) throws(Refusal)
        -> Bool?
    {
        switch comparison {
        case .isDistinct(let text): return !same(value, try column.kind.read(text))
        case .state(let state): return self.state(state, value)
        case .order(let order, let text): return ordered(value, try column.kind.read(text), order)
        case .among(let texts):
            var isThere = false
            for text in texts {
                let other = try column.kind.read(text)
                isThere = isThere || same(value, other)
            }
            return value == .null ? (texts.isEmpty ? false : nil) : isThere
        case .like(let pattern, let ignoresCase):
            guard case .text(let text) = value else { return nil }
            return like(
                Array((ignoresCase ? text.lowercased() : text).unicodeScalars),
                Array((ignoresCase ? pattern.lowercased() : pattern).unicodeScalars))
        case .match(let pattern, let ignoresCase):
            guard case .text(let text) = value else { return nil }
            return try RegularExpression(pattern, ignoresCase: ignoresCase).matches(text)
        case .search(let syntax, let query):
            guard case .text(let text) = value else { return nil }
            return try TextQuery(query, syntax).matches(TextQuery.words(text))
        }
    }

    private static func state(_ state: Comparison.State, _ value: SQLValue) -> Bool {
        switch state {
        case .null, .unknown: value == .null
        case .notNull: value != .null
        case .isTrue: value == .integer(1)
        case .isFalse: value == .integer(0)
        }
    }

    /// By bytes, as a database compares.
    private static func same(_ one: SQLValue, _ other: SQLValue) -> Bool {
        if case .text(let left) = one, case .text(let right) = other {
            return left.utf8.elementsEqual(right.utf8)
        }
        return one == other
    }

    private static func ordered(_ one: SQLValue, _ other: SQLValue, _ order: Comparison.Order) -> Bool? {
        let sign: Int
        switch (one, other) {
        case (.integer(let left), .integer(let right)): sign = left == right ? 0 : left < right ? -1 : 1
        case (.text(let left), .text(let right)):
            let isLess = left.utf8.lexicographicallyPrecedes(right.utf8)
            sign = left.utf8.elementsEqual(right.utf8) ? 0 : isLess ? -1 : 1
        default: return nil
        }
        return switch order {
        case .eq: sign == 0
        case .neq: sign != 0
        case .gt: sign > 0
        case .gte: sign >= 0
        case .lt: sign < 0
        case .lte: sign <= 0
        }
    }

    /// Row by row of the table of all beginnings.
    static func like(_ text: [Unicode.Scalar], _ pattern: [Unicode.Scalar]) -> Bool {
        var fits = [true] + [Bool](repeating: false, count: text.count)
        var index = 0
        while index < pattern.count {
            let isEscaped = pattern[index] == "\\"
            if isEscaped { index += 1 }
            // A backslash at the end takes the meaning from nothing.
            guard index < pattern.count else { break }
            let scalar = pattern[index]
            index += 1
            var next = [Bool](repeating: false, count: fits.count)
            for place in fits.indices {
                if !isEscaped, scalar == "%" {
                    next[place] = fits[place] || place > 0 && next[place - 1]
                } else if place > 0, fits[place - 1], !isEscaped && scalar == "_" || text[place - 1] == scalar
                {
                    next[place] = true
                }
            }
            fits = next
        }
        return fits[text.count]
    }
}
