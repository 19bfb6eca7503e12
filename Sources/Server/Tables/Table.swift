/// The type of a column, by the name PostgreSQL gives it on the wire.
enum ColumnKind: String, Sendable {
    case uuid, text, bool, int4, int8, timestamptz
}

struct Column: Sendable, Equatable {
    let name: String
    let kind: ColumnKind
    var isNullable = false
}

/// A table of the public schema: what can be selected, and how it hangs together with the others.
enum Table: String, Sendable, CaseIterable {
    case profiles
    case conversations
    case conversationMembers = "conversation_members"
    case conversationFlags = "conversation_flags"
    case messages
    case reactions

    var columns: [Column] {
        switch self {
        case .profiles: Self.profileColumns
        case .conversations: Self.conversationColumns
        case .conversationMembers: Self.memberColumns
        case .conversationFlags: Self.flagColumns
        case .messages: Self.messageColumns
        case .reactions: Self.reactionColumns
        }
    }

    var primaryKey: [String] {
        switch self {
        case .profiles, .conversations, .messages: ["id"]
        case .conversationMembers, .conversationFlags: ["conversation_id", "user_id"]
        case .reactions: ["message_id", "user_id", "symbol"]
        }
    }

    func column(_ name: String) -> Column? { columns.first { $0.name == name } }

    /// Where a column stands in a row.
    func index(_ name: String) -> Int? { columns.firstIndex { $0.name == name } }

    private static func column(_ name: String, _ kind: ColumnKind, nullable: Bool = false) -> Column {
        Column(name: name, kind: kind, isNullable: nullable)
    }

    private static let profileColumns: [Column] = [
        column("id", .uuid), column("username", .text), column("display_name", .text), column("about", .text),
        column("avatar_path", .text, nullable: true), column("created_at", .timestamptz),
        column("updated_at", .timestamptz),
    ]

    private static let conversationColumns: [Column] = [
        column("id", .uuid), column("title", .text, nullable: true), column("is_group", .bool),
        column("direct_key", .text, nullable: true), column("avatar_path", .text, nullable: true),
        column("created_by", .uuid, nullable: true), column("last_message_at", .timestamptz, nullable: true),
        column("changed_at", .timestamptz), column("created_at", .timestamptz),
    ]

    private static let memberColumns: [Column] = [
        column("conversation_id", .uuid), column("user_id", .uuid), column("role", .text),
        column("joined_at", .timestamptz), column("left_at", .timestamptz, nullable: true),
        column("last_read_at", .timestamptz, nullable: true),
        column("last_delivered_at", .timestamptz, nullable: true),
    ]

    /// What a member set for themselves. Apart from the membership, which every member reads.
    private static let flagColumns: [Column] = [
        column("conversation_id", .uuid), column("user_id", .uuid),
        column("muted_until", .timestamptz, nullable: true),
        column("pinned_at", .timestamptz, nullable: true),
        column("archived_at", .timestamptz, nullable: true),
    ]

    private static let messageColumns: [Column] = [
        column("id", .uuid), column("conversation_id", .uuid), column("sender_id", .uuid, nullable: true),
        column("body", .text), column("image_path", .text, nullable: true),
        column("attachment_name", .text, nullable: true), column("attachment_mime", .text, nullable: true),
        column("attachment_size", .int8, nullable: true), column("attachment_width", .int4, nullable: true),
        column("attachment_height", .int4, nullable: true), column("reply_to", .uuid, nullable: true),
        column("edited_at", .timestamptz, nullable: true), column("deleted_at", .timestamptz, nullable: true),
        column("created_at", .timestamptz), column("updated_at", .timestamptz),
    ]

    private static let reactionColumns: [Column] = [
        column("message_id", .uuid), column("user_id", .uuid), column("symbol", .text),
        column("conversation_id", .uuid), column("removed_at", .timestamptz, nullable: true),
        column("created_at", .timestamptz), column("updated_at", .timestamptz),
    ]
}
