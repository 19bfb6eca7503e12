import FoundationEssentials
import Models
import SQLite

extension MessageStore {
    /// All conversations this account is in, newest activity first.
    package func conversations() throws(StoreError) -> [Conversation] {
        try read { () throws(SQLiteError) in
            let ids = try connection.query(
                "SELECT id FROM conversations WHERE has_left = 0 ORDER BY activity_at DESC, id DESC"
            ) { (row) throws(SQLiteError) in try row.get(0, as: UUID.self) }
            var conversations: [Conversation] = []
            for id in ids {
                if let conversation = try loadConversation(id) { conversations.append(conversation) }
            }
            return conversations
        }
    }

    /// Keeps rows of the service's conversation list. Marks only move forward; counts are taken as of the row's
    /// own newest message.
    /// - Returns: The cursors held for them.
    @discardableResult
    package func keep(_ heads: [Conversation]) throws(StoreError) -> [UUID: StoredCursor] {
        try write { (notes) throws(SQLiteError) in
            var cursors: [UUID: StoredCursor] = [:]
            for head in heads {
                try keep(head, &notes)
                cursors[head.id] = try loadCursor(head.id)
            }
            return cursors
        }
    }

    /// Takes conversations off the list: this account is no longer in them. Their messages stay.
    package func markLeft(_ conversationIDs: Set<UUID>) throws(StoreError) {
        try write { (notes) throws(SQLiteError) in
            for id in conversationIDs { try markLeft(id, &notes) }
        }
    }

    func markLeft(_ id: UUID, _ notes: inout ChangeNotes) throws(SQLiteError) {
        let changed = try connection.run(
            "UPDATE conversations SET has_left = 1 WHERE id = ?1 AND has_left = 0", [id])
        if changed > 0 { notes.left.insert(id) }
    }

    private func keep(_ head: Conversation, _ notes: inout ChangeNotes) throws(SQLiteError) {
        let before = try loadConversation(head.id)
        if let peer = head.peer { try keep(peer) }
        try connection.run(
            """
            INSERT INTO conversations (id, title, is_group, activity_at, member_count, peer_id, is_managed,
              is_pinned, is_archived, muted_until, preview)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
            ON CONFLICT DO UPDATE SET title = excluded.title, is_group = excluded.is_group,
              activity_at = max(activity_at, excluded.activity_at), member_count = excluded.member_count,
              peer_id = coalesce(excluded.peer_id, peer_id), is_managed = excluded.is_managed,
              is_pinned = excluded.is_pinned, is_archived = excluded.is_archived,
              muted_until = excluded.muted_until, preview = excluded.preview, has_left = 0
            """,
            [
                head.id, head.title, head.isGroup, head.activityAt, head.memberCount, head.peer?.id,
                head.isManagedByMe, head.isPinned, head.isArchived, head.mutedUntil?.microseconds,
                head.lastMessage.flatMap { JSONText.write($0) },
            ])
        try keepMarks(of: head, &notes)
        if try loadConversation(head.id) != before { notes.conversations.insert(head.id) }
    }

    private func keepMarks(of head: Conversation, _ notes: inout ChangeNotes) throws(SQLiteError) {
        let held = try loadMarks(head.id)
        var marks = held
        marks.counted = head.unreadCount
        marks.countedAfter = head.readPosition
        marks.countedTo = head.lastMessage?.position ?? head.activityAt
        marks.raise(ownRead: head.readPosition)
        try keep(marks, of: head.id)
        if marks.wasRead(since: held) { try forgetMarkedUnread(head.id, &notes) }
        try raiseOthers(
            of: head.id, delivered: head.othersDeliveredPosition, read: head.othersReadPosition, &notes)
    }

    func loadConversation(_ id: UUID) throws(SQLiteError) -> Conversation? {
        let found = try connection.first(
            """
            SELECT c.title, c.is_group, c.activity_at, c.member_count, c.peer_id, c.is_managed, c.is_pinned,
              c.is_archived, c.muted_until, c.preview, p.username, p.display_name,
              EXISTS (SELECT 1 FROM marked_unread m WHERE m.conversation_id = c.id)
            FROM conversations c LEFT JOIN people p ON p.id = c.peer_id WHERE c.id = ?1 AND c.has_left = 0
            """, [id]
        ) { (row) throws(SQLiteError) in
            var conversation = Conversation(
                id: id, title: try row.get(0), isGroup: try row.get(1), activityAt: try row.get(2),
                memberCount: try row.get(3), isManagedByMe: try row.get(5), isPinned: try row.get(6),
                isArchived: try row.get(7),
                mutedUntil: try row.get(8, as: Int64?.self).map { Date(microseconds: $0) },
                isMarkedUnread: try row.get(12))
            if let peer = try row.get(4, as: UUID?.self) {
                conversation.peer = Person(
                    id: peer, username: try row.get(10, as: String?.self) ?? "",
                    displayName: try row.get(11, as: String?.self) ?? "")
            }
            let preview: Message? = try row.get(9, as: String?.self).flatMap { JSONText.read($0) }
            return (conversation, preview)
        }
        guard let (row, preview) = found else { return nil }
        var conversation = row
        let marks = try loadMarks(id)
        conversation.readPosition = marks.ownRead
        conversation.othersDeliveredPosition = marks.othersDelivered
        conversation.othersReadPosition = marks.othersRead
        conversation.unreadCount = try countUnread(in: id, marks)
        conversation.lastMessage = try loadLastMessage(in: id, preview: preview)
        return conversation
    }

    /// The last message of the thread: what waits, else the newest held, else the service's own preview of one that
    /// is not held yet.
    private func loadLastMessage(in id: UUID, preview: Message?) throws(SQLiteError) -> Message? {
        let waiting = try connection.first(
            """
            SELECT \(MessageRow.columns) FROM messages WHERE conversation_id = ?1 AND position IS NULL
            ORDER BY typed_order DESC LIMIT 1
            """, [id], read: MessageRow.read)
        if let waiting { return try dress([waiting]).first }
        let held = try confirmedRows(in: id, before: .end, limit: 1).first
        if let preview, let position = preview.position, position > (held?.position ?? .min) {
            return preview
        }
        return try held.flatMap { (message) throws(SQLiteError) in try dress([message]).first }
    }

    /// Messages of others past the own read mark.
    ///
    /// Counted here when everything past the mark is held. Else the service's count stands in for what is not: it
    /// counted up to its newest message then; what was read since is taken off, what came later is added.
    private func countUnread(in id: UUID, _ marks: Marks) throws(SQLiteError) -> Int {
        let read = marks.ownRead ?? .min
        guard let countedTo = marks.countedTo, read < countedTo, try !holdsEverything(of: id, after: read)
        else { return try countOthers(in: id, after: read, upTo: .max) }
        let readSince = try countOthers(in: id, after: marks.countedAfter ?? .min, upTo: read)
        let since = try countOthers(in: id, after: countedTo, upTo: .max)
        return max(marks.counted - readSince, 0) + since
    }

    private func countOthers(in id: UUID, after lower: Int64, upTo upper: Int64) throws(SQLiteError) -> Int {
        guard lower < upper else { return 0 }
        return try connection.first(
            """
            SELECT count(*) FROM (SELECT 1 FROM messages WHERE conversation_id = ?1 AND position > ?2
              AND position <= ?3 AND sender_id IS NOT ?4 AND deleted_at IS NULL LIMIT 1000)
            """, [id, lower, upper, userID]
        ) { (row) throws(SQLiteError) in try row.get(0) } ?? 0
    }
}
