/// What a read asks for, in the order it asks.
enum SelectItem: Sendable, Equatable {
    case all
    case column(name: String, alias: String?, cast: String?)
    case embed(Embed)
}

/// Rows of a related table inside each row.
struct Embed: Sendable, Equatable {
    var alias: String?
    var target: String
    /// A foreign key's name, or its column.
    var hint: String?
    /// Drops parents without a match.
    var isInner = false
    var items: [SelectItem] = []
    var condition = Condition.always
    var order: [OrderTerm] = []
    var limit: Int?
    var offset = 0

    /// The key it has in the row, and the prefix of its parameters.
    var name: String { alias ?? target }
}

struct OrderTerm: Sendable, Equatable {
    var column: String
    var isDescending = false
    /// `nil`: as PostgreSQL does, last when ascending and first when descending.
    var nullsFirst: Bool?
}

/// Reads `select=` and `order=`.
enum SelectionParser {
    static func items(_ text: String) throws(Refusal) -> [SelectItem] {
        var scanner = TextScanner(text)
        let items = try items(&scanner, depth: 0)
        guard scanner.isAtEnd else { throw unparsable(text) }
        return items
    }

    static func order(_ text: String) throws(Refusal) -> [OrderTerm] {
        var terms: [OrderTerm] = []
        var scanner = TextScanner(text)
        repeat {
            guard let column = scanner.name() else { throw .unparsable("order (\(text.prefix(200)))") }
            var term = OrderTerm(column: column)
            if scanner.take(".desc") { term.isDescending = true } else { _ = scanner.take(".asc") }
            if scanner.take(".nullsfirst") { term.nullsFirst = true }
            if scanner.take(".nullslast") { term.nullsFirst = false }
            terms.append(term)
        } while scanner.take(",")
        guard scanner.isAtEnd else { throw .unparsable("order (\(text.prefix(200)))") }
        return terms
    }

    private static func items(_ scanner: inout TextScanner, depth: Int) throws(Refusal) -> [SelectItem] {
        if depth > 0, scanner.rest.first == ")" { return [] }
        var items: [SelectItem] = []
        repeat {
            while scanner.take(" ") {}
            items.append(try item(&scanner, depth: depth))
            while scanner.take(" ") {}
        } while scanner.take(",")
        return items
    }

    private static func item(_ scanner: inout TextScanner, depth: Int) throws(Refusal) -> SelectItem {
        let whole = scanner.text
        if scanner.take("*") { return .all }
        guard var name = scanner.name() else { throw unparsable(whole) }
        var alias: String?
        if !scanner.isNext("::"), scanner.take(":") {
            alias = name
            guard let renamed = scanner.name() else { throw unparsable(whole) }
            name = renamed
        }
        if scanner.rest.first == "!" || scanner.rest.first == "(" {
            return .embed(try embed(&scanner, alias: alias, target: name, depth: depth))
        }
        var cast: String?
        if scanner.take("::") {
            guard let type = scanner.name() else { throw unparsable(whole) }
            cast = type
        }
        return .column(name: name, alias: alias, cast: cast)
    }

    private static func embed(
        _ scanner: inout TextScanner, alias: String?, target: String, depth: Int
    ) throws(Refusal) -> Embed {
        guard depth == 0 else {
            throw Refusal(400, "PGRST100", "an embedding inside an embedding is not supported")
        }
        var embed = Embed(alias: alias, target: target)
        while scanner.take("!") {
            guard let word = scanner.name() else { throw unparsable(scanner.text) }
            switch word {
            case "inner": embed.isInner = true
            case "left": embed.isInner = false
            default:
                guard embed.hint == nil else { throw unparsable(word) }
                embed.hint = word
            }
        }
        guard scanner.take("(") else { throw unparsable(scanner.text) }
        embed.items = try items(&scanner, depth: depth + 1)
        guard scanner.take(")") else { throw unparsable(scanner.text) }
        return embed
    }

    private static func unparsable(_ text: String) -> Refusal {
        .unparsable("select parameter (\(text.prefix(200)))")
    }
}
