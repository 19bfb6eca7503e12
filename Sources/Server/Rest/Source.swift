import SQLite

/// What rows are read from: a table, or the rows a function answers.
struct Source: Sendable {
    let name: String
    let columns: [Column]
    /// What stands behind FROM, without an alias.
    let from: SQLText
    /// The table the rows are of, which decides what can be embedded; `nil` for rows of a function's own.
    let table: Table?

    init(_ table: Table) {
        name = table.rawValue
        columns = table.columns
        from = SQLText(table.rawValue)
        self.table = table
    }

    /// - Parameter rows: A whole SELECT with these columns, policies already in it.
    init(function name: String, columns: [Column], rows: SQLText, table: Table? = nil) {
        self.name = name
        self.columns = columns
        var from = SQLText("(")
        from.add(rows)
        from.add(")")
        self.from = from
        self.table = table
    }

    func column(_ name: String) throws(Refusal) -> Column {
        guard let column = columns.first(where: { $0.name == name }) else {
            throw .unknownColumn(name, self.name)
        }
        return column
    }
}

extension Table {
    /// The row level security of reading: a condition on rows called `alias`.
    func policy(for user: String, alias: String) -> SQLText {
        let mine =
            "IN (SELECT conversation_id FROM conversation_members WHERE user_id = ? AND left_at IS NULL)"
        return switch self {
        case .profiles: SQLText("1")
        case .conversations: SQLText("\(alias).id \(mine)", [.text(user)])
        case .conversationMembers:
            SQLText("\(alias).user_id = ? OR \(alias).conversation_id \(mine)", [.text(user), .text(user)])
        case .conversationFlags: SQLText("\(alias).user_id = ?", [.text(user)])
        case .messages, .reactions: SQLText("\(alias).conversation_id \(mine)", [.text(user)])
        }
    }
}
