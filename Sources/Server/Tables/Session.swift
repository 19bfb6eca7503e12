import SQLite

/// One pass through the database on behalf of a caller, inside the database actor.
///
/// Not Sendable: it lives as long as the call. Writes are gathered as changes and announced after the commit.
final class Session {
    let connection: SQLConnection
    /// Microseconds since 1970; one reading for the whole call, as a transaction has one `now()`.
    let now: Int64
    let limits: ServerLimits
    private let clock: @Sendable () -> Int64
    private(set) var changes: [RowChange] = []

    init(connection: SQLConnection, clock: @escaping @Sendable () -> Int64, limits: ServerLimits) {
        self.connection = connection
        self.clock = clock
        self.limits = limits
        now = clock()
    }

    /// The wall clock at this moment, in microseconds since 1970.
    var clockNow: Int64 { clock() }

    func execute(_ sql: String, _ values: [any SQLConvertible] = []) throws(Refusal) -> Int {
        do { return try connection.run(sql, values) } catch { throw Refusal(error) }
    }

    func query<Element>(
        _ sql: String, _ values: [any SQLConvertible] = [],
        read: (borrowing SQLRow) throws(SQLiteError) -> Element
    ) throws(Refusal) -> [Element] {
        do { return try connection.query(sql, values, read: read) } catch { throw Refusal(error) }
    }

    func first<Element>(
        _ sql: String, _ values: [any SQLConvertible] = [],
        read: (borrowing SQLRow) throws(SQLiteError) -> Element
    ) throws(Refusal) -> Element? {
        do { return try connection.first(sql, values, read: read) } catch { throw Refusal(error) }
    }

    func exists(_ sql: String, _ values: [any SQLConvertible]) throws(Refusal) -> Bool {
        try first("SELECT EXISTS (\(sql))", values) { row throws(SQLiteError) in try row.get(0, as: Bool.self)
        }
            ?? false
    }

    /// Whole rows of a table; `clause` follows `FROM <table>` and is a constant of ours.
    func rows(_ table: Table, _ clause: String, _ values: [any SQLConvertible]) throws(Refusal) -> [StoredRow]
    {
        try query(table.text.select + clause, values) { row in
            StoredRow(table: table, values: (0..<row.count).map { row.value($0) })
        }
    }

    func row(_ table: Table, key: [any SQLConvertible]) throws(Refusal) -> StoredRow? {
        try rows(table, table.text.whereKey, key).first
    }

    /// Writes a new row and notes the change.
    func insert(_ row: StoredRow) throws(Refusal) {
        _ = try execute(row.table.text.insert, row.values)
        if row.table == .messages { try index(row, at: connection.lastInsertedRowID) }
        try note(.insert, row, old: nil)
    }

    /// Writes the columns in which `row` differs from `old` and notes the change, if there is one.
    func update(_ old: StoredRow, to row: StoredRow) throws(Refusal) {
        let table = row.table
        let changed = table.columns.indices.filter { row.values[$0] != old.values[$0] }
        guard !changed.isEmpty else { return }
        let settings = changed.map { "\(table.columns[$0].name) = ?" }.joined(separator: ", ")
        _ = try execute(
            "UPDATE \(table.rawValue) SET \(settings) \(table.text.whereKey)",
            changed.map { row.values[$0] } + table.primaryKey.map { old[$0] })
        if table == .messages, row["body"] != old["body"] { try reindex(old, as: row) }
        try note(.update, row, old: old)
    }

    /// Removes a row, and with it what hangs on it; of that nothing is announced.
    func delete(_ row: StoredRow) throws(Refusal) {
        let table = row.table
        if table == .messages { try unindex(row) }
        _ = try execute(
            "DELETE FROM \(table.rawValue) \(table.text.whereKey)", table.primaryKey.map { row[$0] })
        try note(.delete, row, old: nil)
    }

    /// Notes an update even though nothing differs, as PostgreSQL announces it.
    func touch(_ row: StoredRow) throws(Refusal) {
        try note(.update, row, old: row)
    }

    private func index(_ message: StoredRow, at position: Int64) throws(Refusal) {
        _ = try execute(
            "INSERT INTO messages_search (rowid, body) VALUES (?, ?)", [position, message["body"]])
    }

    private func reindex(_ old: StoredRow, as row: StoredRow) throws(Refusal) {
        if let position = try unindex(old) { try index(row, at: position) }
    }

    /// - Returns: Where the message stands.
    @discardableResult
    private func unindex(_ old: StoredRow) throws(Refusal) -> Int64? {
        let position = try first("SELECT position FROM messages WHERE id = ?", [old["id"]]) {
            row throws(SQLiteError) in try row.get(0, as: Int64.self)
        }
        guard let position else { return nil }
        // The index keeps no texts, so it must be told which one to forget.
        _ = try execute(
            "INSERT INTO messages_search (messages_search, rowid, body) VALUES ('delete', ?, ?)",
            [position, old["body"]])
        return position
    }

    private func note(_ kind: RowChange.Kind, _ row: StoredRow, old: StoredRow?) throws(Refusal) {
        changes.append(RowChange(kind: kind, row: row, old: old, audience: .users([]), committedAt: now))
    }

    /// Works out who may see each change; called when everything is written, for policies look at the row as it
    /// is when it is announced.
    func settledChanges() throws(Refusal) -> [RowChange] {
        var settled: [RowChange] = []
        var members: [String: Set<String>] = [:]
        for var change in changes {
            // Policies look at rows, and this one is gone: every subscriber hears of it, and of its key alone.
            let isGone = change.kind == .delete
            change.audience = isGone ? .everySignedInUser : try audience(of: change.row, &members)
            settled.append(change)
        }
        return settled
    }

    private func audience(of row: StoredRow, _ known: inout [String: Set<String>]) throws(Refusal)
        -> RowChange.Audience
    {
        let key: String
        switch row.table {
        case .profiles: return .everySignedInUser
        case .conversationFlags: return .users(Set([row.text("user_id")].compactMap { $0 }))
        case .conversations: key = "id"
        case .conversationMembers, .messages, .reactions: key = "conversation_id"
        }
        guard let conversation = row.text(key) else { return .users([]) }
        var users: Set<String>
        if let held = known[conversation] {
            users = held
        } else {
            users = try activeMembers(of: conversation)
            known[conversation] = users
        }
        // One's own row stays visible after leaving, so that its end is heard of.
        if row.table == .conversationMembers, let own = row.text("user_id") { users.insert(own) }
        return .users(users)
    }

    func activeMembers(of conversation: String) throws(Refusal) -> Set<String> {
        Set(
            try query(
                "SELECT user_id FROM conversation_members WHERE conversation_id = ? AND left_at IS NULL",
                [conversation]
            ) { row throws(SQLiteError) in try row.get(0, as: String.self) })
    }

    func isMember(_ user: String?, of conversation: String?) throws(Refusal) -> Bool {
        guard let user, let conversation else { return false }
        return try exists(
            """
            SELECT 1 FROM conversation_members
            WHERE conversation_id = ? AND user_id = ? AND left_at IS NULL
            """, [conversation, user])
    }

    func isManager(_ user: String?, of conversation: String?) throws(Refusal) -> Bool {
        guard let user, let conversation else { return false }
        return try exists(
            """
            SELECT 1 FROM conversation_members m JOIN conversations c ON c.id = m.conversation_id
            WHERE m.conversation_id = ? AND m.user_id = ? AND m.left_at IS NULL
                AND m.role IN ('owner', 'admin') AND c.is_group = 1
            """, [conversation, user])
    }

    /// An instant later than every one given out before it in that conversation, though the wall clock step back.
    ///
    /// The caller must write it to `changed_at` before the next one is asked for; one writer at a time then makes
    /// the order of instants the order of commits.
    func nextInstant(in conversation: StoredRow) -> Int64 {
        max(clock(), (conversation.instant("changed_at") ?? 0) + 1)
    }
}
