/// Everything the query string and headers of a read say.
struct ReadQuery: Sendable, Equatable {
    var items: [SelectItem] = [.all]
    var condition = Condition.always
    var hasFilter = false
    var order: [OrderTerm] = []
    var limit: Int?
    var offset = 0
    /// Parameters of other names, for calls that have arguments of their own.
    var onConflict: [String]?
    var columns: [String]?

    var embeds: [Embed] {
        items.compactMap { if case .embed(let embed) = $0 { embed } else { nil } }
    }

    /// Conditions of one query. SQLite's expressions have a depth, and chains of AND and OR are deep.
    private static let sizeLimit = 500

    /// - Parameter arguments: Names that are a function's arguments and no filters.
    init(_ query: Query, range: String? = nil, arguments: Set<String> = []) throws(Refusal) {
        if let select = query["select"], !select.isEmpty { items = try SelectionParser.items(select) }
        try checkEmbedNames()
        var conditions: [Condition] = []
        for parameter in query.parameters where !arguments.contains(parameter.name) {
            try read(parameter.name, parameter.value, &conditions)
        }
        condition = .all(conditions)
        guard condition.size <= Self.sizeLimit else { throw .unparsable("filter: too many conditions") }
        hasFilter = !conditions.isEmpty
        if let range { try read(range: range) }
    }

    private mutating func read(_ name: String, _ value: String, _ conditions: inout [Condition])
        throws(Refusal)
    {
        switch name {
        case "select", "apikey": break  // the latter was for the gate
        case "order": order = try SelectionParser.order(value)
        case "limit": limit = try Self.count(value, name)
        case "offset": offset = try Self.count(value, name)
        case "on_conflict": onConflict = try Self.names(value)
        case "columns": columns = try Self.names(value)
        case "and", "or", "not.and", "not.or": conditions.append(try Self.group(name, value))
        default:
            if name.contains("."), !name.hasPrefix("\"") {
                try readEmbedded(name, value)
            } else {
                conditions.append(try FilterParser.filter(try Self.column(name), value))
            }
        }
    }

    /// `reactions.order=…`, `reactions.removed_at=is.null` and their like.
    private mutating func readEmbedded(_ name: String, _ value: String) throws(Refusal) {
        let halves = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let inner = String(halves[1])
        let place = items.firstIndex {
            if case .embed(let embed) = $0 { embed.name == halves[0] } else { false }
        }
        guard let place, case .embed(var embed) = items[place] else {
            throw Refusal(
                400, "PGRST108", "'\(halves[0])' is not an embedded resource in this request",
                hint: "Verify that '\(halves[0])' is included in the 'select' query parameter.")
        }
        switch inner {
        case "order": embed.order = try SelectionParser.order(value)
        case "limit": embed.limit = try Self.count(value, name)
        case "offset": embed.offset = try Self.count(value, name)
        case "and", "or", "not.and", "not.or": embed.add(try Self.group(inner, value))
        default:
            guard !inner.contains(".") else { throw FilterParser.unparsable(name) }
            embed.add(try FilterParser.filter(try Self.column(inner), value))
        }
        items[place] = .embed(embed)
    }

    private func checkEmbedNames() throws(Refusal) {
        let names = embeds.map(\.name)
        guard Set(names).count == names.count else {
            throw Refusal(400, "PGRST100", "the same embedding is named twice")
        }
    }

    /// `Range: 0-24`, counted from 0 and inclusive; a part of `limit` and `offset` it does not widen.
    private mutating func read(range: String) throws(Refusal) {
        let halves = range.split(separator: "-", omittingEmptySubsequences: false)
        guard halves.count == 2, let first = Int(halves[0]), first >= 0 else { return }
        guard !halves[1].isEmpty else {
            offset += first
            return
        }
        guard let last = Int(halves[1]) else { return }
        guard last >= first - 1 else {
            throw Self.outOfRange("The lower boundary must be lower than the upper.")
        }
        offset += first
        limit = min(limit ?? .max, last - first + 1)
    }

    static func outOfRange(_ details: String) -> Refusal {
        Refusal(416, "PGRST103", "Requested range not satisfiable", details: details)
    }

    private static func count(_ text: String, _ name: String) throws(Refusal) -> Int {
        guard let count = Int(text), count < 1 << 40 else { throw .unparsable("\(name) parameter") }
        guard count >= 0 else { throw outOfRange("Limit should be greater than or equal to zero.") }
        return count
    }

    private static func group(_ name: String, _ value: String) throws(Refusal) -> Condition {
        try FilterParser.group(value, isAll: name.hasSuffix("and"), isNegated: name.hasPrefix("not."))
    }

    private static func column(_ text: String) throws(Refusal) -> String {
        var scanner = TextScanner(text)
        guard let name = scanner.name(), scanner.isAtEnd else { throw FilterParser.unparsable(text) }
        return name
    }

    private static func names(_ text: String) throws(Refusal) -> [String] {
        var names: [String] = []
        if text.isEmpty { return names }
        var scanner = TextScanner(text)
        repeat {
            while scanner.take(" ") {}
            guard let name = scanner.name() else { throw .unparsable("columns (\(text.prefix(200)))") }
            names.append(name)
            while scanner.take(" ") {}
        } while scanner.take(",")
        guard scanner.isAtEnd else { throw .unparsable("columns (\(text.prefix(200)))") }
        return names
    }
}

extension Embed {
    mutating func add(_ condition: Condition) {
        if case .all(let parts) = self.condition { self.condition = .all(parts + [condition]) }
    }
}
