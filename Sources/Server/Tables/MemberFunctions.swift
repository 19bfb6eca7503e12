import SQLite

/// What a member decides about its own membership: marks and flags; and its reactions.
struct MemberFunctions {
    let session: Session
    let user: String

    /// Moves the marks to a message, or to the newest. They never move back.
    /// - Returns: The mark in force.
    func mark(_ arguments: FunctionArguments, isRead: Bool) throws(Refusal) -> SQLValue {
        let old = try membership(arguments)
        let target = try target(arguments)
        var row = old
        if let target {
            row["last_delivered_at"] = .integer(max(old.instant("last_delivered_at") ?? .min, target))
            if isRead { row["last_read_at"] = .integer(max(old.instant("last_read_at") ?? .min, target)) }
        }
        // Only a mark that moves is written: each write is an event for everybody.
        try session.update(old, to: row)
        return row[isRead ? "last_read_at" : "last_delivered_at"]
    }

    private func target(_ arguments: FunctionArguments) throws(Refusal) -> Int64? {
        let id = arguments.text("p_conversation_id") ?? ""
        guard let message = arguments.text("p_message_id") else {
            return try session.row(.conversations, key: [id])?.instant("last_message_at")
        }
        guard let row = try session.row(.messages, key: [message]), row.text("conversation_id") == id else {
            throw Refusal(404, "PT404", "no such message in this conversation")
        }
        return row.instant("created_at")
    }

    /// Null leaves a flag as it is; a mute that is not in the future ends it.
    /// - Returns: The flags in force. Where none was ever set there is no row, and these are null.
    func setFlags(_ arguments: FunctionArguments) throws(Refusal) -> StoredRow {
        let member = try membership(arguments)
        let stored = try session.row(
            .conversationFlags, key: [member["conversation_id"], member["user_id"]])
        let old = stored ?? Self.noFlags(of: member)
        var row = old
        for (flag, column) in [("p_pinned", "pinned_at"), ("p_archived", "archived_at")] {
            guard let isOn = arguments.flag(flag) else { continue }
            if !isOn {
                row[column] = .null
            } else if old.isNull(column) {
                row[column] = .integer(session.now)
            }
        }
        if let until = arguments.integer("p_muted_until") {
            row["muted_until"] = until > session.now ? .integer(min(until, Instant.endOfTime)) : .null
        }
        if stored != nil { try session.update(old, to: row) } else if row != old { try session.insert(row) }
        return row
    }

    private static func noFlags(of member: StoredRow) -> StoredRow {
        var row = StoredRow(
            table: .conversationFlags, values: Table.conversationFlags.columns.map { _ in .null })
        row["conversation_id"] = member["conversation_id"]
        row["user_id"] = member["user_id"]
        return row
    }

    private func membership(_ arguments: FunctionArguments) throws(Refusal) -> StoredRow {
        guard let id = arguments.text("p_conversation_id"),
            let row = try session.row(.conversationMembers, key: [id, user]), row.isNull("left_at")
        else { throw ConversationFunctions.notAMember }
        return row
    }

    /// Idempotent both ways.
    /// - Returns: `nil` when there was nothing to take back.
    func setReaction(_ arguments: FunctionArguments) throws(Refusal) -> StoredRow? {
        guard let id = arguments.text("p_message_id"), let message = try session.row(.messages, key: [id]),
            message.isNull("deleted_at"), try session.isMember(user, of: message.text("conversation_id"))
        else { throw .denied("no such message") }
        let isOn = !arguments.has("p_on") || arguments.flag("p_on") ?? true
        let rules = ReactionRules(session: session, user: user)
        let symbol = arguments["p_symbol"]
        if let old = try session.row(.reactions, key: [id, user, symbol]) {
            guard old.isNull("removed_at") != isOn else { return old }
            var row = old
            row["removed_at"] = isOn ? .null : .integer(session.now)
            return try rules.update(old, to: row)
        }
        guard isOn else { return nil }
        var row = StoredRow(table: .reactions, values: Table.reactions.columns.map { _ in .null })
        row["message_id"] = .text(id)
        row["user_id"] = .text(user)
        row["symbol"] = symbol
        return try rules.insert(row, merged: nil, ignoresDuplicates: false)?.row
    }
}
