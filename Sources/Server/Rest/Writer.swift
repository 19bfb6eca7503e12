import SQLite

/// Carries out inserts, updates and deletes on behalf of a signed-in caller.
struct Writer {
    let session: Session
    let user: String
    let table: Table

    struct Written {
        var rows: [StoredRow] = []
        /// Whether any of them is new.
        var hasNew = false
    }

    func insert(_ payload: Payload, _ query: ReadQuery, _ preferences: Preferences) throws(Refusal) -> Written
    {
        guard !query.hasFilter else { throw .unparsable("filter: an insert takes none") }
        let resolution = preferences.resolution
        if resolution != nil { try checkConflict(query.onConflict) }
        var needed = Set(payload.columns.map(\.name))
        guard !table.insertable.isEmpty, needed.isSubset(of: table.insertable) else {
            throw .permission(table.rawValue)
        }
        if resolution == .mergeDuplicates {
            guard needed.isSubset(of: table.updatable) else { throw .permission(table.rawValue) }
        } else {
            needed = []
        }
        var written = Written()
        for values in payload.rows {
            guard let (row, isNew) = try insert(proposed(payload, values), merged: needed, resolution) else {
                continue
            }
            written.rows.append(row)
            written.hasNew = written.hasNew || isNew
        }
        return written
    }

    func update(_ payload: Payload, _ query: ReadQuery) throws(Refusal) -> Written {
        guard query.hasFilter else { throw Self.noFilter("UPDATE") }
        guard !payload.isArray, query.limit == nil, query.offset == 0 else {
            throw Refusal(400, "PGRST102", "An update takes one object, and no limit")
        }
        let names = Set(payload.columns.map(\.name))
        guard !table.updatable.isEmpty, names.isSubset(of: table.updatable) else {
            throw .permission(table.rawValue)
        }
        var written = Written()
        guard let values = payload.rows.first, !names.isEmpty else { return written }
        for old in try rowsToUpdate(query) {
            var row = old
            for column in payload.columns {
                if let value = payload.value(column.name, in: values) { row[column.name] = value }
            }
            written.rows.append(try update(old, to: row))
        }
        return written
    }

    /// Nothing a user does deletes a row; the attempt is answered as the missing grant it is.
    func delete(_ query: ReadQuery) throws(Refusal) -> Never {
        guard query.hasFilter else { throw Self.noFilter("DELETE") }
        throw .permission(table.rawValue)
    }

    private static func noFilter(_ statement: String) -> Refusal {
        Refusal(400, "21000", "\(statement) requires a WHERE clause")
    }

    private func checkConflict(_ columns: [String]?) throws(Refusal) {
        guard let columns, !columns.isEmpty else { return }
        guard table.uniqueKeys.contains(Set(columns)) else {
            throw Refusal(
                400, "42P10",
                "there is no unique or exclusion constraint matching the ON CONFLICT specification")
        }
    }

    /// The row as sent, defaults filled in.
    private func proposed(_ payload: Payload, _ values: [SQLValue?]) -> StoredRow {
        var row = StoredRow(table: table, values: table.columns.map { _ in .null })
        for (name, value) in defaults where payload.value(name, in: values) == nil { row[name] = value }
        for column in payload.columns {
            if let value = payload.value(column.name, in: values) { row[column.name] = value }
        }
        return row
    }

    private var defaults: [(String, SQLValue)] {
        switch table {
        case .messages: [("id", .text(UUIDText.random())), ("sender_id", .text(user)), ("body", .text(""))]
        case .reactions: [("user_id", .text(user))]
        case .profiles: [("about", .text(""))]
        case .conversations, .conversationMembers, .conversationFlags: []
        }
    }

    private func insert(
        _ row: StoredRow, merged: Set<String>, _ resolution: Preferences.Resolution?
    ) throws(Refusal) -> (StoredRow, Bool)? {
        let ignores = resolution == .ignoreDuplicates
        switch table {
        case .messages:
            let stored = try MessageRules(session: session, user: user).insert(
                row, ignoresDuplicates: ignores)
            return stored.map { ($0, true) }
        case .reactions:
            return try ReactionRules(session: session, user: user)
                .insert(
                    row, merged: resolution == .mergeDuplicates ? merged : nil, ignoresDuplicates: ignores)
        case .profiles: return try insertProfile(row, ignoresDuplicates: ignores).map { ($0, true) }
        case .conversations, .conversationMembers, .conversationFlags:
            throw .permission(table.rawValue)
        }
    }

    private func insertProfile(_ proposed: StoredRow, ignoresDuplicates: Bool) throws(Refusal) -> StoredRow? {
        var row = proposed
        guard row.text("id") == user else { throw .policy("profiles") }
        row["created_at"] = .integer(session.now)
        row["updated_at"] = .integer(session.now)
        try Checks.profile(row)
        let taken = try session.rows(.profiles, "WHERE id = ? OR username = ?", [user, row["username"]])
        guard let first = taken.first else {
            try session.insert(row)
            return row
        }
        if ignoresDuplicates { return nil }
        throw .taken(first.text("id") == user ? "profiles_pkey" : "profiles_username_key")
    }

    /// The rows that match and that the update policy lets the caller change; others look as if they were not there.
    private func rowsToUpdate(_ query: ReadQuery) throws(Refusal) -> [StoredRow] {
        let source = Source(table)
        var conditions = [
            try query.condition.sql(on: source, alias: "t"), table.policy(for: user, alias: "t"),
        ]
        switch table {
        case .profiles: conditions.append(SQLText("t.id = ?", [.text(user)]))
        case .messages: conditions.append(SQLText("t.sender_id = ?", [.text(user)]))
        case .reactions: conditions.append(SQLText("t.user_id = ?", [.text(user)]))
        case .conversations:
            conditions.append(
                SQLText(
                    """
                    t.is_group = 1 AND EXISTS (SELECT 1 FROM conversation_members m
                    WHERE m.conversation_id = t.id AND m.user_id = ? AND m.left_at IS NULL
                    AND m.role IN ('owner', 'admin'))
                    """, [.text(user)]))
        case .conversationMembers, .conversationFlags: throw .permission(table.rawValue)
        }
        let condition = SQLText.joined(conditions, by: " AND ")
        return try session.rows(table, "t WHERE \(condition.text)", condition.values)
    }

    private func update(_ old: StoredRow, to row: StoredRow) throws(Refusal) -> StoredRow {
        switch table {
        case .messages: return try MessageRules(session: session, user: user).update(old, to: row)
        case .reactions:
            let changed = try ReactionRules(session: session, user: user).update(old, to: row)
            return changed
        case .profiles: return try updateProfile(old, to: row)
        case .conversations:
            try Checks.conversation(row)
            try row == old ? session.touch(row) : session.update(old, to: row)
            return row
        case .conversationMembers, .conversationFlags: throw .permission(table.rawValue)
        }
    }

    private func updateProfile(_ old: StoredRow, to proposed: StoredRow) throws(Refusal) -> StoredRow {
        var row = proposed
        row["updated_at"] = .integer(session.now)
        try Checks.profile(row)
        let isTaken = try session.exists(
            "SELECT 1 FROM profiles WHERE username = ? AND id <> ?", [row["username"], user])
        guard !isTaken else { throw .taken("profiles_username_key") }
        try session.update(old, to: row)
        return row
    }
}
