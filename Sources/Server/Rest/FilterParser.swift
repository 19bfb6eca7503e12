/// Reads the filters of PostgREST's query strings (https://docs.postgrest.org, "Tables and Views").
///
/// What it does not know it refuses: an ignored filter on a write would let it reach every row.
enum FilterParser {
    /// How deep groups may nest.
    private static let depthLimit = 20
    /// How many values a list may hold.
    private static let listLimit = 10_000

    /// `op.value` or `not.op.value`, as it stands behind `column=`.
    static func filter(_ column: String, _ text: String) throws(Refusal) -> Condition {
        var scanner = TextScanner(text)
        let isNegated = scanner.take("not.")
        let condition = try comparison(column, &scanner, isInGroup: false)
        guard scanner.isAtEnd else { throw unparsable(text) }
        return isNegated ? .not(condition) : condition
    }

    /// `(a.eq.1,and(b.gt.2,c.is.null))`, as it stands behind `or=` or `and=`.
    static func group(_ text: String, isAll: Bool, isNegated: Bool) throws(Refusal) -> Condition {
        var scanner = TextScanner(text)
        let condition = try members(&scanner, isAll: isAll, depth: 0)
        guard scanner.isAtEnd else { throw unparsable(text) }
        return isNegated ? .not(condition) : condition
    }

    /// `column=op.value,column=not.op.value`, as a binding of the change feed has it; all must hold.
    static func changeFilter(_ text: String) throws(Refusal) -> [(String, isNegated: Bool, Comparison)] {
        var scanner = TextScanner(text)
        var parts: [(String, isNegated: Bool, Comparison)] = []
        repeat {
            guard let column = scanner.name(), scanner.take("=") else { throw unparsable(text) }
            let isNegated = scanner.take("not.")
            guard case .column(_, let comparison) = try comparison(column, &scanner, isInGroup: true) else {
                throw unparsable(text)
            }
            parts.append((column, isNegated, comparison))
        } while scanner.take(",")
        guard scanner.isAtEnd else { throw unparsable(text) }
        return parts
    }

    private static func members(_ scanner: inout TextScanner, isAll: Bool, depth: Int) throws(Refusal)
        -> Condition
    {
        guard depth < depthLimit, scanner.take("(") else { throw unparsable(scanner.text) }
        var parts: [Condition] = []
        repeat {
            while scanner.take(" ") {}
            parts.append(try member(&scanner, depth: depth))
            while scanner.take(" ") {}
        } while scanner.take(",")
        guard scanner.take(")") else { throw unparsable(scanner.text) }
        return isAll ? .all(parts) : .any(parts)
    }

    private static func member(_ scanner: inout TextScanner, depth: Int) throws(Refusal) -> Condition {
        let whole = scanner.text
        let isNegated = scanner.take("not.")
        for (word, isAll) in [("and", true), ("or", false)] where scanner.isNext(word + "(") {
            _ = scanner.take(word)
            let inner = try members(&scanner, isAll: isAll, depth: depth + 1)
            return isNegated ? .not(inner) : inner
        }
        guard !isNegated, let column = scanner.name(), scanner.take(".") else {
            throw unparsable(whole)
        }
        let negates = scanner.take("not.")
        let condition = try comparison(column, &scanner, isInGroup: true)
        return negates ? .not(condition) : condition
    }

    private static func comparison(
        _ column: String, _ scanner: inout TextScanner, isInGroup: Bool
    ) throws(Refusal) -> Condition {
        let whole = scanner.text
        let word = scanner.take(until: [".", "("])
        let option = try parenthesised(&scanner)
        guard scanner.take(".") else { throw unparsable(whole) }
        if let syntax = TextQuery.Syntax(rawValue: word) {
            try checkConfiguration(option)
            return .column(column, .search(syntax, try value(&scanner, isInGroup)))
        }
        if word == "in", option == nil { return .column(column, .among(try list(&scanner))) }
        let make = try maker(of: word, whole)
        guard let option else { return .column(column, try make(try value(&scanner, isInGroup))) }
        guard let quantifier = Comparison.Quantifier(rawValue: option), word != "is", word != "isdistinct"
        else { throw unparsable(whole) }
        var parts: [Condition] = []
        for element in try braced(&scanner) { parts.append(.column(column, try make(element))) }
        return quantifier == .any ? .any(parts) : .all(parts)
    }

    private static func maker(of word: String, _ whole: String) throws(Refusal)
        -> (String) throws(Refusal) -> Comparison
    {
        if let order = Comparison.Order(rawValue: word) { return { .order(order, $0) } }
        switch word {
        case "like", "ilike":
            return { .like(wildcards(in: $0), ignoresCase: word == "ilike") }
        case "match", "imatch": return { .match($0, ignoresCase: word == "imatch") }
        case "isdistinct": return { .isDistinct($0) }
        case "is":
            return { text throws(Refusal) in
                guard let state = Comparison.State(rawValue: text.lowercased()) else {
                    throw unparsable(whole)
                }
                return .state(state)
            }
        default: throw unparsable(whole)
        }
    }

    /// In a URL `*` stands for `%`.
    private static func wildcards(in pattern: String) -> String {
        String(String.UnicodeScalarView(pattern.unicodeScalars.map { $0 == "*" ? "%" : $0 }))
    }

    private static func value(_ scanner: inout TextScanner, _ isInGroup: Bool) throws(Refusal) -> String {
        guard isInGroup else { return scanner.takeAll() }
        guard let value = scanner.listValue() else { throw unparsable(scanner.text) }
        return value
    }

    /// `(…)` directly behind an operator.
    private static func parenthesised(_ scanner: inout TextScanner) throws(Refusal) -> String? {
        guard scanner.take("(") else { return nil }
        let text = scanner.take(until: [")"])
        guard scanner.take(")") else { throw unparsable(text) }
        return text
    }

    private static func checkConfiguration(_ name: String?) throws(Refusal) {
        guard let name, name != "simple" else { return }
        throw Refusal(400, "PGRST100", "text search configuration \"\(name)\" is not supported")
    }

    private static func list(_ scanner: inout TextScanner) throws(Refusal) -> [String] {
        guard scanner.take("(") else { throw unparsable(scanner.text) }
        return try elements(&scanner, end: ")")
    }

    private static func braced(_ scanner: inout TextScanner) throws(Refusal) -> [String] {
        guard scanner.take("{") else { throw unparsable(scanner.text) }
        var inside = TextScanner(scanner.take(until: ["}"]) + ")")
        guard scanner.take("}") else { throw unparsable(scanner.text) }
        return try elements(&inside, end: ")")
    }

    private static func elements(_ scanner: inout TextScanner, end: String) throws(Refusal) -> [String] {
        if scanner.take(end) { return [] }
        var values: [String] = []
        repeat {
            guard let value = scanner.listValue(), values.count < listLimit else {
                throw unparsable(scanner.text)
            }
            values.append(value)
        } while scanner.take(",")
        guard scanner.take(end) else { throw unparsable(scanner.text) }
        return values
    }

    static func unparsable(_ text: String) -> Refusal {
        .unparsable("filter (\(text.prefix(200)))")
    }
}
