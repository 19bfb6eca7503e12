import SQLite

/// The functions that answer rows of a query, as sources a read can go on filtering and ordering.
enum SetFunctions {
    static func source(_ function: Function, _ arguments: FunctionArguments, user: String) throws(Refusal)
        -> Source?
    {
        switch function {
        case .listConversations: return conversations(arguments, user)
        case .searchMessages: return messages(arguments, user)
        case .searchProfiles: return profiles(arguments)
        case .createConversation, .addMembers, .leaveConversation, .markRead, .markDelivered,
            .setConversationFlags, .setReaction:
            return nil
        }
    }

    private static func limit(_ arguments: FunctionArguments, standard: Int64, most: Int64) -> SQLValue {
        .integer(max(1, min(arguments.integer("p_limit") ?? standard, most)))
    }

    private static func profiles(_ arguments: FunctionArguments) -> Source {
        let query = (arguments.text("p_query") ?? "").trimmingSpaces().lowercased()
        let names = Table.profiles.columns.map(\.name).joined(separator: ", ")
        let pattern = escaped(query)
        let rows = SQLText(
            """
            SELECT \(names) FROM profiles
            WHERE ? AND (pl_like(username, ?, 0) OR pl_like(display_name, ?, 1))
            ORDER BY username = ? DESC, username LIMIT ?
            """,
            [
                .integer(query.unicodeScalars.count >= 2 ? 1 : 0), .text(pattern + "%"),
                .text("%" + pattern + "%"), .text(query), limit(arguments, standard: 20, most: 50),
            ])
        return Source(
            function: Function.searchProfiles.rawValue, columns: Table.profiles.columns, rows: rows,
            table: .profiles)
    }

    private static func escaped(_ text: String) -> String {
        var pattern = ""
        for character in text {
            if "\\%_".contains(character) { pattern.append("\\") }
            pattern.append(character)
        }
        return pattern
    }

    /// Words as in a search box; a last word of two letters or more also matches as a beginning.
    private static func messages(_ arguments: FunctionArguments, _ user: String) -> Source {
        let text = arguments.text("p_query") ?? ""
        let choices = TextSearch(text)
        let names = Table.messages.columns.map { "m." + $0.name }.joined(separator: ", ")
        var rows = SQLText("SELECT \(names) FROM messages m WHERE m.deleted_at IS NULL AND (")
        rows.add(Table.messages.policy(for: user, alias: "m"))
        rows.add(") AND ")
        rows.add(choices.condition)
        if let conversation = arguments.text("p_conversation_id") {
            rows.add(" AND m.conversation_id = ?", [.text(conversation)])
        }
        if let before = arguments.integer("p_before") {
            rows.add(" AND m.created_at < ?", [.integer(before)])
        }
        rows.add(
            " ORDER BY m.created_at DESC, m.id DESC LIMIT ?", [limit(arguments, standard: 50, most: 200)])
        return Source(
            function: Function.searchMessages.rawValue, columns: Table.messages.columns, rows: rows,
            table: .messages)
    }

    private static func conversations(_ arguments: FunctionArguments, _ user: String) -> Source {
        // The page first: what is counted per conversation is counted for those on it only.
        var page = SQLText(ConversationList.page, [.text(user)])
        if let before = arguments.integer("p_before") {
            let instant = SQLValue.integer(before)
            page.add(" AND (coalesce(c.last_message_at, c.created_at) < ?", [instant])
            if let id = arguments.text("p_before_id") {
                page.add(
                    " OR (coalesce(c.last_message_at, c.created_at) = ? AND c.id < ?)", [instant, .text(id)])
            }
            page.add(")")
        }
        page.add(
            " ORDER BY activity_at DESC, c.id DESC LIMIT ?", [limit(arguments, standard: 50, most: 200)])
        var rows = SQLText(ConversationList.select + "(")
        rows.add(page)
        rows.add(") page " + ConversationList.joins, [.text(user)])
        return Source(
            function: Function.listConversations.rawValue, columns: ConversationList.columns, rows: rows)
    }
}

/// A search in message texts: candidates from the index, then the exact look.
struct TextSearch {
    let condition: SQLText

    init(_ text: String) {
        // The web syntax takes any text.
        let exact = (try? TextQuery(text, .web)) ?? .nothing
        var choices: [SQLText] = []
        if exact != .nothing { choices.append(Self.condition(exact, text, .web)) }
        // Made of plain words, so it reads as operators.
        if let prefix = Self.prefix(text), let query = try? TextQuery(prefix, .operators), query != .nothing {
            choices.append(Self.condition(query, prefix, .operators))
        }
        condition = choices.isEmpty ? SQLText("0") : .joined([.joined(choices, by: " OR ")], by: "")
    }

    private static func condition(_ query: TextQuery, _ text: String, _ syntax: TextQuery.Syntax) -> SQLText {
        let exact = SQLText("pl_search(m.body, ?, ?)", [.text(text), .text(syntax.rawValue)])
        guard let candidates = query.candidates else { return exact }
        let known = SQLText(
            "m.position IN (SELECT rowid FROM messages_search WHERE messages_search MATCH ?)",
            [.text(candidates)])
        return .joined([known, exact], by: " AND ")
    }

    /// All words, the last as a beginning, in the operator syntax.
    private static func prefix(_ text: String) -> String? {
        guard !text.contains("\""), !text.contains("-"), let last = TextQuery.words(text).last,
            last.count >= 2, let end = text.last, end.isLetter || end.isNumber || end == "_"
        else { return nil }
        return TextQuery.words(text).map { "'\($0)'" }.joined(separator: " & ") + ":*"
    }
}
