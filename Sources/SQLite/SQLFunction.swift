import CSQLite

/// A function of SQL that is computed in Swift.
private final class SQLFunction {
    let body: ([SQLValue]) -> SQLValue
    init(_ body: @escaping ([SQLValue]) -> SQLValue) { self.body = body }
}

extension SQLConnection {
    /// Gives the connection a function that depends on its arguments alone.
    ///
    /// - Parameters:
    ///   - name: Its name in SQL.
    ///   - arguments: How many it takes.
    ///   - body: Called for each row that needs it, on the connection's own thread; kept until the connection ends.
    package func define(_ name: String, arguments: Int, _ body: @escaping ([SQLValue]) -> SQLValue)
        throws(SQLiteError)
    {
        let context = Unmanaged.passRetained(SQLFunction(body)).toOpaque()
        // On failure too, SQLite calls the last argument, so the context is released once in any case.
        try check(
            sqlite3_create_function_v2(
                database, name, Int32(arguments), SQLITE_UTF8 | SQLITE_DETERMINISTIC, context,
                { call, count, values in answer(call, count, values) }, nil, nil,
                { context in
                    guard let context else { return }
                    Unmanaged<SQLFunction>.fromOpaque(context).release()
                }))
    }
}

private func answer(_ call: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
    guard let context = sqlite3_user_data(call) else { return sqlite3_result_null(call) }
    let function = Unmanaged<SQLFunction>.fromOpaque(context).takeUnretainedValue()
    switch function.body((0..<Int(count)).map { SQLValue(argument: values?[$0]) }) {
    case .null: sqlite3_result_null(call)
    case .integer(let number): sqlite3_result_int64(call, number)
    case .real(let number): sqlite3_result_double(call, number)
    case .text(let text): pl_sqlite_result_text(call, text, UInt64(text.utf8.count))
    case .blob(let bytes): pl_sqlite_result_blob(call, bytes, UInt64(bytes.count))
    }
}

extension SQLValue {
    fileprivate init(argument: OpaquePointer?) {
        switch sqlite3_value_type(argument) {
        case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(argument))
        case SQLITE_FLOAT: self = .real(sqlite3_value_double(argument))
        case SQLITE_TEXT:
            // The text first: asking for it may convert it, and so change its length.
            guard let bytes = sqlite3_value_text(argument) else {
                self = .text("")
                return
            }
            let count = Int(sqlite3_value_bytes(argument))
            self = .text(String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self))
        case SQLITE_BLOB:
            guard let bytes = sqlite3_value_blob(argument) else {
                self = .blob([])
                return
            }
            let count = Int(sqlite3_value_bytes(argument))
            self = .blob(Array(UnsafeRawBufferPointer(start: bytes, count: count)))
        default: self = .null
        }
    }
}
