import CSQLite

/// The current row of a statement; valid only inside the closure it is handed to.
package struct SQLRow: ~Copyable {
    let statement: OpaquePointer

    /// The value of a column, counted from 0.
    package func value(_ column: Int) -> SQLValue {
        let index = Int32(column)
        switch sqlite3_column_type(statement, index) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, index))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, index))
        case SQLITE_TEXT:
            guard let bytes = sqlite3_column_text(statement, index) else { return .text("") }
            let count = Int(sqlite3_column_bytes(statement, index))
            return .text(String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self))
        case SQLITE_BLOB:
            guard let bytes = sqlite3_column_blob(statement, index) else { return .blob([]) }
            let count = Int(sqlite3_column_bytes(statement, index))
            return .blob(Array(UnsafeRawBufferPointer(start: bytes, count: count)))
        default: return .null
        }
    }

    /// The value of a column as `Value`.
    /// - Throws: `.misuse` when the column holds another kind: our schema and our code disagree.
    package func get<Value: SQLConvertible>(_ column: Int, as type: Value.Type = Value.self)
        throws(SQLiteError) -> Value
    {
        guard let value = Value(sqlValue: value(column)) else {
            throw .misuse(code: SQLITE_MISMATCH, message: "column \(column) is not a \(Value.self)")
        }
        return value
    }

    /// How many columns the row has.
    package var count: Int { Int(sqlite3_column_count(statement)) }

    /// The name of a column, as the statement gives it.
    package func name(_ column: Int) -> String {
        guard let name = sqlite3_column_name(statement, Int32(column)) else { return "" }
        return String(cString: name)
    }
}
