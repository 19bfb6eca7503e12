import SQLite

/// One committed change of one row, as it is announced to subscribers.
struct RowChange: Sendable, Equatable {
    enum Kind: String, Sendable {
        case insert = "INSERT"
        case update = "UPDATE"
        case delete = "DELETE"
    }

    /// Who may see the row, by the policies, at the moment of the commit.
    enum Audience: Sendable, Equatable {
        case everySignedInUser
        case users(Set<String>)
    }

    var kind: Kind
    var row: StoredRow
    /// Before an update.
    var old: StoredRow?
    var audience: Audience
    /// Microseconds since 1970.
    var committedAt: Int64

    /// What filters look at: the row, or of a deleted one what the log keeps. That is all of a message, and the key
    /// of anything else.
    var filteredRow: StoredRow {
        guard kind == .delete, row.table != .messages else { return row }
        var key = StoredRow(table: row.table, values: row.values.map { _ in .null })
        for name in row.table.primaryKey { key[name] = row[name] }
        return key
    }
}
