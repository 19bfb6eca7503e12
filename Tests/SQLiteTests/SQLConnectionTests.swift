import FoundationEssentials
import SQLite
import Testing

@Suite struct SQLConnectionTests {
    private func numbers() throws -> SQLConnection {
        let connection = try SQLConnection(.memory)
        try connection.execute("CREATE TABLE numbers (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT")
        return connection
    }

    private func count(_ connection: SQLConnection) throws -> Int {
        try #require(
            try connection.first("SELECT count(*) FROM numbers") { (row) throws(SQLiteError) in
                try row.get(0, as: Int.self)
            })
    }

    @Test func everyKindOfValueComesBackAsItWasBound() throws {
        let connection = try SQLConnection(.memory)
        let id = UUID()
        let values: [any SQLConvertible] = [
            Int64.max, "left\u{0}right", "", [UInt8]().sqlBlob, id, true, String?.none, 0.5,
        ]
        let read = try connection.first("SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8", values) {
            (row) throws(SQLiteError) in (0..<row.count).map { row.value($0) }
        }
        #expect(read == values.map(\.sqlValue))
    }

    @Test func aTransactionThatThrowsLeavesNothing() throws {
        let connection = try numbers()
        #expect(throws: SQLiteError.self) {
            try connection.transaction { () throws(SQLiteError) in
                try connection.run("INSERT INTO numbers VALUES (1, ?1)", ["one"])
                try connection.run("INSERT INTO numbers VALUES (1, ?1)", ["again"])
            }
        }
        #expect(try count(connection) == 0)
    }

    @Test func aNestedFailureKeepsWhatTheOuterTransactionWrote() throws {
        let connection = try numbers()
        try connection.transaction { () throws(SQLiteError) in
            try connection.run("INSERT INTO numbers VALUES (1, ?1)", ["one"])
            do throws(SQLiteError) {
                try connection.transaction { () throws(SQLiteError) in
                    try connection.run("INSERT INTO numbers VALUES (2, ?1)", ["two"])
                    try connection.run("INSERT INTO numbers VALUES (2, ?1)", ["again"])
                }
            } catch { #expect(error.isTakenKey) }
        }
        #expect(try count(connection) == 1)
    }

    @Test func theSameStatementMayRunInsideItself() throws {
        let connection = try numbers()
        for id in 1...3 { try connection.run("INSERT INTO numbers VALUES (?1, ?2)", [id, "n"]) }
        let sql = "SELECT id FROM numbers ORDER BY id"
        let pairs = try connection.query(sql) { (row) throws(SQLiteError) in
            let id = try row.get(0, as: Int.self)
            return try connection.query(sql) { (inner) throws(SQLiteError) in
                id * 10 + (try inner.get(0, as: Int.self))
            }
        }
        #expect(pairs == [[11, 12, 13], [21, 22, 23], [31, 32, 33]])
    }

    @Test func aFileThatIsNoDatabaseIsCorrupt() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite").path
        try Data(repeating: 0x41, count: 4_096).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }  // leftovers in the temporary directory
        #expect(throws: SQLiteError.corrupt) { try SQLConnection(.file(path)) }
    }

    @Test func aMissingDirectoryIsTold() {
        #expect(throws: SQLiteError.cannotOpen(code: 14)) {
            try SQLConnection(.file("/nonexistent/a.sqlite"))
        }
    }

    @Test func runTellsHowManyRowsChanged() throws {
        let connection = try numbers()
        try connection.run("INSERT INTO numbers VALUES (1, 'a'), (2, 'b')")
        #expect(try connection.run("UPDATE numbers SET name = 'c'") == 2)
        #expect(try connection.run("DELETE FROM numbers WHERE id = 9") == 0)
    }
}

extension [UInt8] {
    fileprivate var sqlBlob: SQLValue { .blob(self) }
}
