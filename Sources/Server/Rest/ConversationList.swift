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

    /// Up to the page it is made for. One member without a mark means: not everybody.
    static let select = """
        SELECT c.id, c.title, c.is_group, c.avatar_path, c.created_at, c.changed_at,
            page.activity_at,
            me.role, f.muted_until, f.pinned_at, f.archived_at,
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
        FROM
        """

    /// The conversations of one caller, up to its last condition.
    static let page = """
        SELECT c.id, coalesce(c.last_message_at, c.created_at) AS activity_at
        FROM conversation_members me JOIN conversations c ON c.id = me.conversation_id
        WHERE me.user_id = ? AND me.left_at IS NULL
        """

    /// What follows the page; one value, the caller.
    static let joins = """
        CROSS JOIN conversations c ON c.id = page.id
        CROSS JOIN conversation_members me ON me.conversation_id = page.id AND me.user_id = ?
        LEFT JOIN conversation_flags f ON f.conversation_id = page.id AND f.user_id = me.user_id
        LEFT JOIN profiles p ON c.is_group = 0 AND p.id = (SELECT o.user_id FROM conversation_members o
            WHERE o.conversation_id = c.id AND o.user_id <> me.user_id LIMIT 1)
        LEFT JOIN messages l ON l.position = (SELECT n.position FROM messages n
            WHERE n.conversation_id = c.id ORDER BY n.created_at DESC, n.id DESC LIMIT 1)
        ORDER BY page.activity_at DESC, page.id DESC
        """
}
