import CSQLite

/// One connection to one database, with its prepared statements kept.
///
/// Not Sendable: it belongs to the actor that made it. Statements are prepared once per SQL text and reset after
/// each use; values are bound, never put into the text.
package final class SQLConnection {
    /// Where the database lives.
    package enum Location: Sendable, Equatable {
        case memory
        /// In memory, for all connections of this process that name it; gone with the last of them. A plain word.
        case sharedMemory(String)
        /// Path of a file in a directory that exists; made when missing.
        case file(String)
        /// Path of a file that nobody writes while it is open, for reading only. A log beside it is passed over.
        case unchangingFile(String)
    }

    /// How far a commit goes before it returns.
    package enum Durability: Sendable {
        /// On the disk (`synchronous=FULL`): what was committed survives a power cut.
        case full
        /// With the system (`synchronous=NORMAL`): survives a crash of the program.
        case normal
    }

    let database: OpaquePointer
    private var statements: [String: OpaquePointer] = [:]
    /// Statements that were busy when another of the same text was needed; finalized with the connection.
    private var retired: [OpaquePointer] = []
    private var savepoints = 0
    /// When statements are given up; read by SQLite's progress handler.
    private let deadline = SQLDeadline()
    /// How many statements are kept. Texts put together from a client's wishes come in any number of shapes.
    private static let keptStatements = 256

    /// Opens the database in WAL mode and waits up to 5 s for other connections' locks.
    package init(_ location: Location, durability: Durability = .full, readOnly: Bool = false)
        throws(SQLiteError)
    {
        let path: String
        var extra: Int32 = 0
        switch location {
        case .memory: path = ":memory:"
        case .sharedMemory(let name):
            path = "file:/\(name)?vfs=memdb"
            extra = SQLITE_OPEN_URI
        case .file(let name): path = name
        case .unchangingFile(let name):
            path = "file:\(Self.escaped(name))?immutable=1"
            extra = SQLITE_OPEN_URI
        }
        let access = readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, access | extra | SQLITE_OPEN_NOMUTEX, nil)
        guard let handle else { throw .cannotOpen(code: code) }
        guard code == SQLITE_OK else {
            let error = SQLiteError(code: code, message: String(cString: sqlite3_errmsg(handle)))
            sqlite3_close_v2(handle)
            throw error
        }
        database = handle
        try check(pl_sqlite_harden(handle))
        deadline.install(on: handle)
        try check(sqlite3_busy_timeout(handle, 5_000))
        if !readOnly {
            try execute("PRAGMA journal_mode=WAL")
            try execute(durability == .full ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL")
        }
    }

    /// A path inside a URI: SQLite takes `?` and `#` for its end, and `%` for the beginning of a byte.
    private static func escaped(_ path: String) -> String {
        path.reduce(into: "") { text, letter in
            switch letter {
            case "%": text += "%25"
            case "?": text += "%3f"
            case "#": text += "%23"
            default: text.append(letter)
            }
        }
    }

    deinit {
        for statement in Array(statements.values) + retired { sqlite3_finalize(statement) }
        sqlite3_close_v2(database)
    }

    /// Statements that run past `limit` from now fail (`isInterrupted`), until it is set again; `nil` lets them run.
    package func limitTime(to limit: Duration?) { deadline.set(limit) }

    /// Runs one or more statements without values: pragmas, schema.
    package func execute(_ sql: String) throws(SQLiteError) {
        try check(sqlite3_exec(database, sql, nil, nil, nil))
    }

    /// Runs a statement that gives no rows.
    /// - Returns: How many rows it inserted, changed or deleted.
    @discardableResult
    package func run(_ sql: String, _ values: [any SQLConvertible] = []) throws(SQLiteError) -> Int {
        let before = changeCount
        _ = try query(sql, values) { (_: borrowing SQLRow) throws(SQLiteError) in () }
        return Int(changeCount - before)
    }

    /// Runs a statement and reads each row, in the statement's order.
    package func query<Element>(
        _ sql: String, _ values: [any SQLConvertible] = [],
        read: (borrowing SQLRow) throws(SQLiteError) -> Element
    ) throws(SQLiteError) -> [Element] {
        let statement = try prepared(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() {
            try check(bind(value.sqlValue, to: statement, at: Int32(index + 1)))
        }
        var elements: [Element] = []
        while true {
            let code = sqlite3_step(statement)
            if code == SQLITE_DONE { return elements }
            try check(code, allowing: SQLITE_ROW)
            elements.append(try read(SQLRow(statement: statement)))
        }
    }

    /// The first row of a statement, or `nil` when there is none.
    package func first<Element>(
        _ sql: String, _ values: [any SQLConvertible] = [],
        read: (borrowing SQLRow) throws(SQLiteError) -> Element
    ) throws(SQLiteError) -> Element? {
        try query(sql, values, read: read).first
    }

    /// Runs `body` in one transaction: all of it is committed, or, when it throws, none. May be nested.
    package func transaction<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result, failure wrap: (SQLiteError) -> Failure
    ) throws(Failure) -> Result {
        do { try begin() } catch { throw wrap(error) }
        let result: Result
        do { result = try body() } catch {
            rollBack()
            throw error
        }
        do { try commit() } catch { throw wrap(error) }
        return result
    }

    /// Runs `body`, which only reads, against one state of the database. May be nested.
    ///
    /// Also the faster way for more than one query: each by itself takes and gives back the file's locks.
    package func reading<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
        guard savepoints == 0 else { return try body() }
        try run("BEGIN")
        savepoints += 1
        let result: Result
        do { result = try body() } catch {
            rollBack()
            throw error
        }
        try commit()
        return result
    }

    /// Begins a transaction, or one inside the open one. Ends with `commit` or `rollBack`, the innermost first.
    ///
    /// For work that is not one closure: several calls that share one commit.
    package func begin() throws(SQLiteError) {
        try run(savepoints == 0 ? "BEGIN IMMEDIATE" : "SAVEPOINT s\(savepoints)")
        savepoints += 1
    }

    /// Ends the innermost open transaction with everything in it; when that fails, it is rolled back.
    package func commit() throws(SQLiteError) {
        do { try run(savepoints == 1 ? "COMMIT" : "RELEASE s\(savepoints - 1)") } catch {
            rollBack()
            throw error
        }
        savepoints -= 1
    }

    /// Undoes the innermost open transaction.
    package func rollBack() {
        savepoints -= 1
        // A failed statement may have rolled everything back itself; then there is nothing left to end.
        guard isInTransaction else { return }
        let name = "s\(savepoints)"
        let end = savepoints == 0 ? "ROLLBACK" : "ROLLBACK TO \(name); RELEASE \(name)"
        sqlite3_exec(database, end, nil, nil, nil)
    }

    /// Rows inserted, changed or deleted since the connection was opened: it tells whether something wrote at all.
    package var changeCount: Int64 { sqlite3_total_changes64(database) }

    /// Steps that the kept statements have taken: a measure of their work that is the same on every machine.
    package var stepCount: Int64 {
        statements.values.reduce(0) { $0 + Int64(sqlite3_stmt_status($1, SQLITE_STMTSTATUS_VM_STEP, 0)) }
    }

    /// Whether a transaction is open in SQLite's own eyes: a full disk, or a time limit within a write, ends the
    /// whole of it and not only the innermost.
    package var isInTransaction: Bool { sqlite3_get_autocommit(database) == 0 }

    /// `transaction` for bodies that only fail with SQLite's own errors.
    package func transaction<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
        try transaction(body, failure: { $0 })
    }

    /// The row id of the last insert on this connection.
    package var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(database) }

    private func prepared(_ sql: String) throws(SQLiteError) -> OpaquePointer {
        // A statement still stepping (a query inside a query's closure) must not be reset under its reader.
        if let statement = statements[sql], sqlite3_stmt_busy(statement) == 0 { return statement }
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
        guard let statement else { throw .misuse(code: SQLITE_MISUSE, message: "empty statement") }
        if statements.count >= Self.keptStatements { forgetIdleStatements() }
        if let busy = statements.updateValue(statement, forKey: sql) { retired.append(busy) }
        return statement
    }

    private func forgetIdleStatements() {
        for (sql, statement) in statements where sqlite3_stmt_busy(statement) == 0 {
            sqlite3_finalize(statement)
            statements[sql] = nil
        }
    }

    private func bind(_ value: SQLValue, to statement: OpaquePointer, at index: Int32) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(statement, index)
        case .integer(let number): return sqlite3_bind_int64(statement, index, number)
        case .real(let number): return sqlite3_bind_double(statement, index, number)
        case .text(var text):
            return text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    pl_sqlite_bind_text(statement, index, $0.baseAddress, UInt64($0.count))
                }
            }
        case .blob(let bytes):
            // A null pointer would bind NULL; an empty blob is a value.
            if bytes.isEmpty { return sqlite3_bind_zeroblob(statement, index, 0) }
            return bytes.withUnsafeBytes {
                pl_sqlite_bind_blob(statement, index, $0.baseAddress, UInt64($0.count))
            }
        }
    }

    func check(_ code: Int32, allowing other: Int32 = SQLITE_OK) throws(SQLiteError) {
        guard code == SQLITE_OK || code == other else {
            throw SQLiteError(code: code, message: String(cString: sqlite3_errmsg(database)))
        }
    }
}
