import SQLite

/// One row of a table, in the order of the table's columns.
struct StoredRow: Sendable, Equatable {
    let table: Table
    var values: [SQLValue]

    /// The value of a column; null for a name the table has not.
    subscript(_ name: String) -> SQLValue {
        get { table.index(name).map { values[$0] } ?? .null }
        set {
            guard let index = table.index(name) else { return }
            values[index] = newValue
        }
    }

    func text(_ name: String) -> String? { String(sqlValue: self[name]) }

    func instant(_ name: String) -> Int64? { Int64(sqlValue: self[name]) }

    func isNull(_ name: String) -> Bool { self[name] == .null }

    /// The row as a JSON object, every column with its key.
    var jsonText: String {
        var writer = JSONText()
        writer.object(zip(table.columns, values).map { (name: $0.name, value: ($0.kind, $1)) }) {
            $0.column($1.1, $1.0)
        }
        return writer.text
    }

    /// The columns named, as a JSON object.
    func jsonText(only names: [String]) -> String {
        var writer = JSONText()
        writer.object(names.compactMap { name in table.column(name).map { (name: name, value: $0) } }) {
            $0.column(self[$1.name], $1.kind)
        }
        return writer.text
    }
}
