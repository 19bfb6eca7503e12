import FoundationEssentials
import Models
import SQLite

/// Some messages with the revision they were read at.
package struct MessagePage: Sendable {
    /// Oldest first; waiting ones last.
    package let messages: [Message]
    package let revision: Int64

    package init(messages: [Message], revision: Int64) {
        self.messages = messages
        self.revision = revision
    }
}

extension MessageStore {
    /// The newest confirmed messages and everything that waits.
    /// - Parameter limit: Most confirmed messages.
    package func newestPage(in conversationID: UUID, limit: Int) throws(StoreError) -> MessagePage {
        try read { () throws(SQLiteError) in
            let beginning = try wholeFrom(conversationID) ?? .start
            let confirmed = try confirmedRows(in: conversationID, before: .end, limit: limit).filter {
                ThreadKey($0).map { $0 >= beginning } ?? false
            }
            let waiting = try connection.query(
                """
                SELECT \(MessageRow.columns) FROM messages WHERE conversation_id = ?1 AND position IS NULL
                ORDER BY typed_order
                """, [conversationID], read: MessageRow.read)
            return MessagePage(messages: try dress(confirmed.reversed() + waiting), revision: revision)
        }
    }

    /// Confirmed messages before `key`, oldest first, whether or not any are missing between them.
    package func messages(in conversationID: UUID, before key: ThreadKey, limit: Int)
        throws(StoreError) -> [Message]
    {
        try read { () throws(SQLiteError) in
            try dress(try confirmedRows(in: conversationID, before: key, limit: limit).reversed())
        }
    }

    /// The messages around one that is stored and confirmed, oldest first, as far as none is missing between them but
    /// what the gap between held parts says. Empty when it is not here, or stands alone below a hole.
    package func messages(around id: UUID, in conversationID: UUID, limit: Int)
        throws(StoreError) -> [Message]
    {
        try read { () throws(SQLiteError) in
            guard let (message, _) = try storedMessage(id), let key = ThreadKey(message),
                message.conversationID == conversationID
            else { return [] }
            let beginning = try wholeFrom(conversationID) ?? .start
            guard key >= beginning else { return [] }
            let older = try confirmedRows(in: conversationID, before: key, limit: limit / 2).filter {
                ThreadKey($0).map { $0 >= beginning } ?? false
            }
            let newer = try connection.query(
                """
                SELECT \(MessageRow.columns) FROM messages
                WHERE conversation_id = ?1 AND (position, id) >= (?2, ?3)\(withoutUnclear)
                ORDER BY position, id LIMIT ?4
                """, [conversationID, key.position, key.id, max(limit - older.count, 1)],
                read: MessageRow.read)
            return try dress(older.reversed() + newer)
        }
    }

    /// One message as it is now; `nil` when it is not here.
    package func message(_ id: UUID) throws(StoreError) -> Message? {
        try read { () throws(SQLiteError) in try loadMessages([id]).first }
    }

    /// Own confirmed messages in (`lower`, `upper`], oldest first, at most 500 of the newest: those whose marks
    /// changed when a watermark moved.
    func ownMessageIDs(in conversationID: UUID, after lower: Int64, upTo upper: Int64)
        throws(SQLiteError) -> [UUID]
    {
        try connection.query(
            """
            SELECT id FROM messages WHERE conversation_id = ?1 AND position > ?2 AND position <= ?3
              AND sender_id = ?4 ORDER BY position DESC LIMIT 500
            """, [conversationID, lower, upper, userID]
        ) { (row) throws(SQLiteError) in try row.get(0, as: UUID.self) }.reversed()
    }

    func confirmedRows(in conversationID: UUID, before key: ThreadKey, limit: Int)
        throws(SQLiteError) -> [Message]
    {
        try connection.query(
            """
            SELECT \(MessageRow.columns) FROM messages
            WHERE conversation_id = ?1 AND (position, id) < (?2, ?3)\(withoutUnclear)
            ORDER BY position DESC, id DESC LIMIT ?4
            """, [conversationID, key.position, key.id, limit], read: MessageRow.read)
    }

    func loadMessages(_ ids: [UUID]) throws(SQLiteError) -> [Message] {
        var messages: [Message] = []
        messages.reserveCapacity(ids.count)
        for id in ids where !isUnclear(id) {
            if let (message, _) = try storedMessage(id) { messages.append(message) }
        }
        return try dress(messages)
    }

    /// Adds what is not in a message's own row: reactions, how far it came, and the user's wishes that still wait.
    func dress(_ messages: [Message]) throws(SQLiteError) -> [Message] {
        guard !messages.isEmpty else { return [] }
        let wishes = try loadWishes()
        let kept = try loadReactions(to: messages.map(\.id))
        var marks: [UUID: Marks] = [:]
        var dressed: [Message] = []
        dressed.reserveCapacity(messages.count)
        for var message in messages {
            var reactions = kept[message.id] ?? []
            for wish in wishes[message.id] ?? [] { apply(wish, to: &message, &reactions) }
            message.reactions = message.isDeleted ? [] : ReactionGroups.groups(of: reactions, me: userID)
            if message.senderID == userID, let position = message.position {
                let mark: Marks
                if let known = marks[message.conversationID] {
                    mark = known
                } else {
                    mark = try loadMarks(message.conversationID)
                }
                marks[message.conversationID] = mark
                message.deliveryState = mark.state(of: position)
            }
            dressed.append(message)
        }
        return dressed
    }

    func loadReactions(to messageID: UUID) throws(SQLiteError) -> [ReactionRow] {
        try connection.query(
            "SELECT user_id, symbol, version FROM reactions WHERE message_id = ?1 AND is_on = 1", [messageID]
        ) { (row) throws(SQLiteError) in
            ReactionRow(
                messageID: messageID, userID: UUID(sqlValue: row.value(0)), symbol: try row.get(1),
                isOn: true,
                version: try row.get(2))
        }
    }

    /// The reactions to many messages, by message, in few queries.
    private func loadReactions(to messageIDs: [UUID]) throws(SQLiteError) -> [UUID: [ReactionRow]] {
        let size = 64
        let places = (1...size).map { "?\($0)" }.joined(separator: ", ")
        var reactions: [UUID: [ReactionRow]] = [:]
        for start in stride(from: 0, to: messageIDs.count, by: size) {
            let some = messageIDs[start..<min(start + size, messageIDs.count)].map(Optional.some)
            let rows = try connection.query(
                """
                SELECT user_id, symbol, version, message_id FROM reactions
                WHERE is_on = 1 AND message_id IN (\(places))
                """, some + Array(repeating: nil, count: size - some.count)
            ) { (row) throws(SQLiteError) in
                ReactionRow(
                    messageID: try row.get(3), userID: UUID(sqlValue: row.value(0)), symbol: try row.get(1),
                    isOn: true, version: try row.get(2))
            }
            for row in rows { reactions[row.messageID, default: []].append(row) }
        }
        return reactions
    }

    private func apply(_ wish: StoredOperation, to message: inout Message, _ reactions: inout [ReactionRow]) {
        switch wish {
        case .edit(_, let body):
            message.body = body
            message.editedAt = message.editedAt ?? message.createdAt
        case .delete:
            message.blank()
            message.deletedAt = message.deletedAt ?? message.createdAt
        case .react(let id, let symbol, let isOn):
            reactions.removeAll { $0.userID == userID && $0.symbol == symbol }
            if isOn {
                reactions.append(
                    ReactionRow(messageID: id, userID: userID, symbol: symbol, isOn: true, version: .max))
            }
        case .send, .markRead, .markDelivered, .removeFiles: break
        }
    }
}
