import SQLite

/// One row of an answer: its members in the order they were asked for.
struct OutputRow: Sendable {
    enum Value: Sendable {
        case scalar(SQLValue, ColumnKind)
        /// A cast to text.
        case words(SQLValue, ColumnKind)
        case object(OutputRow?)
        case list([OutputRow])
    }

    var members: [(name: String, value: Value)] = []
}

/// Carries out reads on behalf of a caller: selection, filters, policies, order, embedding.
struct Reader {
    let session: Session
    /// The signed-in user; policies are worked out for it.
    let user: String

    struct Answer {
        var rows: [OutputRow]
        /// Rows without limit and offset, when that was asked for.
        var total: Int?
    }

    /// - Parameter isCounted: Whether `total` is wanted.
    func read(_ source: Source, _ query: ReadQuery, isCounted: Bool) throws(Refusal) -> Answer {
        let filter = try filter(source, query)
        var total: Int?
        if isCounted {
            var count = SQLText("SELECT count(*)")
            count.add(filter)
            total = try session.first(count.text, count.values) { row throws(SQLiteError) in
                try row.get(0, as: Int.self)
            }
        }
        let plan = try Plan(source, query.items)
        var text = SQLText("SELECT \(plan.list)")
        text.add(filter)
        text.add(try order(query.order, source))
        let cap = session.limits.rowsPerAnswer
        text.add(
            " LIMIT ? OFFSET ?",
            [.integer(Int64(min(query.limit ?? cap, cap))), .integer(Int64(query.offset))])
        return Answer(rows: try rows(text, plan), total: total)
    }

    private func rows(_ text: SQLText, _ plan: Plan) throws(Refusal) -> [OutputRow] {
        let stored = try session.query(text.text, text.values) { row in
            (0..<row.count).map { row.value($0) }
        }
        var rows: [OutputRow] = []
        rows.reserveCapacity(stored.count)
        for values in stored {
            var row = OutputRow()
            for member in plan.members {
                switch member {
                case .scalar(let name, let index, let kind):
                    row.members.append((name, .scalar(values[index], kind)))
                case .words(let name, let index, let kind):
                    row.members.append((name, .words(values[index], kind)))
                case .embed(let embed, let relation, let index):
                    row.members.append((embed.name, try children(embed, relation, of: values[index])))
                }
            }
            rows.append(row)
        }
        return rows
    }

    private func children(_ embed: Embed, _ relation: Relation, of key: SQLValue) throws(Refusal)
        -> OutputRow.Value
    {
        let source = Source(relation.target)
        let plan = try Plan(source, embed.items)
        var text = SQLText("SELECT \(plan.list) FROM \(relation.target.rawValue) t WHERE ")
        text.add(try childCondition(embed, relation, source, alias: "t", key: SQLText("?", [key])))
        text.add(try order(embed.order, source))
        let cap = session.limits.rowsPerAnswer
        text.add(
            " LIMIT ? OFFSET ?",
            [.integer(Int64(min(embed.limit ?? cap, cap))), .integer(Int64(embed.offset))])
        let found = key == .null ? [] : try rows(text, plan)
        return relation.isToOne ? .object(found.first) : .list(found)
    }

    /// `FROM … WHERE …` with the policies and the filters of the query and its inner embeddings.
    private func filter(_ source: Source, _ query: ReadQuery) throws(Refusal) -> SQLText {
        var conditions = [try query.condition.sql(on: source, alias: "t")]
        if let table = source.table { conditions.append(table.policy(for: user, alias: "t")) }
        for embed in query.embeds where embed.isInner {
            let relation = try Relation.find(embed, from: source.table, named: source.name)
            let child = Source(relation.target)
            var exists = SQLText("EXISTS (SELECT 1 FROM \(relation.target.rawValue) e WHERE ")
            let key = SQLText("t.\"\(relation.ownColumn)\"")
            exists.add(try childCondition(embed, relation, child, alias: "e", key: key))
            exists.add(")")
            conditions.append(exists)
        }
        var text = SQLText(" FROM ")
        text.add(source.from)
        text.add(" t WHERE ")
        text.add(.joined(conditions, by: " AND "))
        return text
    }

    private func childCondition(
        _ embed: Embed, _ relation: Relation, _ source: Source, alias: String, key: SQLText
    ) throws(Refusal) -> SQLText {
        var link = SQLText()
        switch relation.kind {
        case .toOne: link.add("\(alias).id = ")
        case .toMany(let column): link.add("\(alias).\"\(column)\" = ")
        case .through(let table, let own, let other):
            link.add("\(alias).id IN (SELECT j.\"\(other)\" FROM \(table.rawValue) j WHERE (")
            link.add(table.policy(for: user, alias: "j"))
            link.add(") AND j.\"\(own)\" = ")
        }
        link.add(key)
        if case .through = relation.kind { link.add(")") }
        let conditions = [
            link, try embed.condition.sql(on: source, alias: alias),
            relation.target.policy(for: user, alias: alias),
        ]
        return .joined(conditions, by: " AND ")
    }

    private func order(_ terms: [OrderTerm], _ source: Source) throws(Refusal) -> SQLText {
        guard !terms.isEmpty else { return SQLText() }
        var parts: [String] = []
        for term in terms {
            let column = try source.column(term.column)
            var part = "t.\"\(column.name)\" \(term.isDescending ? "DESC" : "ASC")"
            if column.isNullable {
                part += term.nullsFirst ?? term.isDescending ? " NULLS FIRST" : " NULLS LAST"
            }
            parts.append(part)
        }
        return SQLText(" ORDER BY " + parts.joined(separator: ", "))
    }
}

extension Relation {
    /// The column of the row itself that the others are found by.
    var ownColumn: String {
        switch kind {
        case .toOne(let column): column
        case .toMany, .through: "id"
        }
    }
}

/// What a selection needs of SQL, and where in the row each member then stands.
private struct Plan {
    enum Member {
        case scalar(name: String, index: Int, ColumnKind)
        case words(name: String, index: Int, ColumnKind)
        case embed(Embed, Relation, index: Int)
    }

    private(set) var members: [Member] = []
    private var selected: [String] = []

    var list: String { selected.isEmpty ? "1" : selected.map { "t.\"\($0)\"" }.joined(separator: ", ") }

    init(_ source: Source, _ items: [SelectItem]) throws(Refusal) {
        for item in items {
            switch item {
            case .all:
                for column in source.columns { addScalar(column, named: column.name) }
            case .column(let name, let alias, let cast):
                let column = try source.column(name)
                let isCast = try Self.isCast(column, cast)
                isCast ? addWords(column, named: alias ?? name) : addScalar(column, named: alias ?? name)
            case .embed(let embed):
                let relation = try Relation.find(embed, from: source.table, named: source.name)
                members.append(.embed(embed, relation, index: selected.count))
                selected.append(relation.ownColumn)
            }
        }
    }

    private mutating func addScalar(_ column: Column, named name: String) {
        members.append(.scalar(name: name, index: selected.count, column.kind))
        selected.append(column.name)
    }

    private mutating func addWords(_ column: Column, named name: String) {
        members.append(.words(name: name, index: selected.count, column.kind))
        selected.append(column.name)
    }

    /// A cast to the column's own type changes nothing, one to text prints it; others are refused.
    private static func isCast(_ column: Column, _ cast: String?) throws(Refusal) -> Bool {
        guard let cast, cast != column.kind.rawValue else { return false }
        guard cast == "text" else {
            throw Refusal(400, "PGRST100", "a cast to \"\(cast)\" is not supported")
        }
        return true
    }
}
