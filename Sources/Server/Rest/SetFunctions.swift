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
        var rows = SQLText(ConversationList.select, [.text(user)])
        if let before = arguments.integer("p_before") {
            let instant = SQLValue.integer(before)
            rows.add(" AND (coalesce(c.last_message_at, c.created_at) < ?", [instant])
            if let id = arguments.text("p_before_id") {
                rows.add(
                    " OR (coalesce(c.last_message_at, c.created_at) = ? AND c.id < ?)", [instant, .text(id)])
            }
            rows.add(")")
        }
        rows.add(
            " ORDER BY coalesce(c.last_message_at, c.created_at) DESC, c.id DESC LIMIT ?",
            [limit(arguments, standard: 50, most: 200)])
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

/// `list_conversations`: each conversation of the caller with its last message, unread count, the other side of a
/// pair, and how far everybody else has received and read.
enum ConversationList {
    static let columns: [Column] = [
        Column(name: "id", kind: .uuid), Column(name: "title", kind: .text, isNullable: true),
        Column(name: "is_group", kind: .bool), Column(name: "avatar_path", kind: .text, isNullable: true),
        Column(name: "created_at", kind: .timestamptz), Column(name: "changed_at", kind: .timestamptz),
        Column(name: "activity_at", kind: .timestamptz), Column(name: "role", kind: .text),
        Column(name: "muted_until", kind: .timestamptz, isNullable: true),
        Column(name: "pinned_at", kind: .timestamptz, isNullable: true),
        Column(name: "archived_at", kind: .timestamptz, isNullable: true),
        Column(name: "member_count", kind: .int4), Column(name: "peer_id", kind: .uuid, isNullable: true),
        Column(name: "peer_username", kind: .text, isNullable: true),
        Column(name: "peer_display_name", kind: .text, isNullable: true),
        Column(name: "last_read_at", kind: .timestamptz, isNullable: true),
        Column(name: "last_delivered_at", kind: .timestamptz, isNullable: true),
        Column(name: "others_read_at", kind: .timestamptz, isNullable: true),
        Column(name: "others_delivered_at", kind: .timestamptz, isNullable: true),
        Column(name: "unread_count", kind: .int4),
        Column(name: "last_message_id", kind: .uuid, isNullable: true),
        Column(name: "last_message_sender_id", kind: .uuid, isNullable: true),
        Column(name: "last_message_body", kind: .text, isNullable: true),
        Column(name: "last_message_image_path", kind: .text, isNullable: true),
        Column(name: "last_message_deleted_at", kind: .timestamptz, isNullable: true),
        Column(name: "last_message_created_at", kind: .timestamptz, isNullable: true),
    ]

    /// Up to its last condition; one value, the caller. One member without a mark means: not everybody.
    static let select = """
        SELECT c.id, c.title, c.is_group, c.avatar_path, c.created_at, c.changed_at,
            coalesce(c.last_message_at, c.created_at) AS activity_at,
            me.role, me.muted_until, me.pinned_at, me.archived_at,
            (SELECT count(*) FROM conversation_members o
                WHERE o.conversation_id = c.id AND o.left_at IS NULL) AS member_count,
            p.id AS peer_id, p.username AS peer_username, p.display_name AS peer_display_name,
            me.last_read_at, me.last_delivered_at,
            (SELECT CASE WHEN count(*) = count(o.last_read_at) THEN min(o.last_read_at) END
                FROM conversation_members o WHERE o.conversation_id = c.id AND o.left_at IS NULL
                AND o.user_id <> me.user_id) AS others_read_at,
            (SELECT CASE WHEN count(*) = count(o.last_delivered_at) THEN min(o.last_delivered_at) END
                FROM conversation_members o WHERE o.conversation_id = c.id AND o.left_at IS NULL
                AND o.user_id <> me.user_id) AS others_delivered_at,
            (SELECT count(*) FROM (SELECT 1 FROM messages u
                WHERE u.conversation_id = c.id AND u.created_at > coalesce(me.last_read_at, -1)
                AND u.sender_id IS NOT me.user_id AND u.deleted_at IS NULL LIMIT 1000)) AS unread_count,
            l.id AS last_message_id, l.sender_id AS last_message_sender_id, l.body AS last_message_body,
            l.image_path AS last_message_image_path, l.deleted_at AS last_message_deleted_at,
            l.created_at AS last_message_created_at
        FROM conversation_members me
        JOIN conversations c ON c.id = me.conversation_id
        LEFT JOIN profiles p ON c.is_group = 0 AND p.id = (SELECT o.user_id FROM conversation_members o
            WHERE o.conversation_id = c.id AND o.user_id <> me.user_id LIMIT 1)
        LEFT JOIN messages l ON l.position = (SELECT n.position FROM messages n
            WHERE n.conversation_id = c.id ORDER BY n.created_at DESC, n.id DESC LIMIT 1)
        WHERE me.user_id = ? AND me.left_at IS NULL
        """
}
