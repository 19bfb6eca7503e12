import FoundationEssentials
import Models
import SQLite

/// How far a conversation was received and read, as positions. Each only moves forward.
struct Marks: Equatable {
    var ownRead: Int64?
    var ownDelivered: Int64?
    var othersDelivered: Int64?
    var othersRead: Int64?
    /// The service's unread count, of messages after `countedAfter` up to `countedTo`.
    var counted = 0
    var countedAfter: Int64?
    var countedTo: Int64?

    /// The state of an own confirmed message.
    func state(of position: Int64) -> DeliveryState {
        if let othersRead, position <= othersRead { return .read }
        if let othersDelivered, position <= othersDelivered { return .delivered }
        return .sent
    }

    mutating func raise(ownRead: Int64? = nil, ownDelivered: Int64? = nil) {
        self.ownRead = Self.greater(self.ownRead, ownRead)
        // What was read was received.
        self.ownDelivered = Self.greater(self.ownDelivered, Self.greater(ownDelivered, self.ownRead))
    }

    /// Whether this account read on, on another device. What is heard of a conversation first, as after the store was
    /// built anew, is no news.
    func wasRead(since held: Marks) -> Bool { held.countedTo != nil && ownRead != held.ownRead }

    static func greater(_ left: Int64?, _ right: Int64?) -> Int64? {
        guard let left, let right else { return left ?? right }
        return max(left, right)
    }
}

extension MessageStore {
    /// Moves the own read mark up to the message, in the store and in the outbox. It never moves back; a message
    /// that waits or is not here stands for the newest confirmed one.
    /// What the user marked as unread is read now, also when the mark stands there already.
    /// - Returns: Whether the mark moved.
    @discardableResult
    package func markRead(upTo messageID: UUID, in conversationID: UUID) throws(StoreError) -> Bool {
        try write { (notes) throws(SQLiteError) in
            try forgetMarkedUnread(conversationID, &notes)
            guard let key = try confirmedKey(messageID, in: conversationID) else { return false }
            var marks = try loadMarks(conversationID)
            guard marks.ownRead.map({ $0 < key.position }) ?? true else { return false }
            marks.raise(ownRead: key.position)
            try keep(marks, of: conversationID)
            notes.conversations.insert(conversationID)
            try enqueueMark(.markRead(messageID: key.id), at: key.position, in: conversationID, &notes)
            return true
        }
    }

    /// Keeps that the user wants to come back to a conversation, until it is read, here or on another device.
    package func markUnread(_ conversationID: UUID) throws(StoreError) {
        try write { (notes) throws(SQLiteError) in
            try connection.run(
                "INSERT OR IGNORE INTO marked_unread (conversation_id) VALUES (?1)", [conversationID])
            notes.conversations.insert(conversationID)
        }
    }

    func forgetMarkedUnread(_ conversationID: UUID, _ notes: inout ChangeNotes) throws(SQLiteError) {
        let gone = try connection.run(
            "DELETE FROM marked_unread WHERE conversation_id = ?1", [conversationID])
        if gone > 0 { notes.conversations.insert(conversationID) }
    }

    /// Notes that a message of somebody else was stored here, to be told to the service.
    func noteReceipt(of key: ThreadKey, in conversationID: UUID, _ notes: inout ChangeNotes)
        throws(SQLiteError)
    {
        let held = try loadMarks(conversationID)
        guard held.ownDelivered.map({ $0 < key.position }) ?? true else { return }
        var marks = held
        marks.raise(ownDelivered: key.position)
        try keep(marks, of: conversationID)
        try enqueueMark(.markDelivered(messageID: key.id), at: key.position, in: conversationID, &notes)
    }

    /// The list's order follows the newest confirmed message, by the service's time.
    func raiseActivity(of conversationID: UUID, to messageID: UUID) throws(SQLiteError) {
        try connection.run(
            """
            UPDATE conversations SET activity_at =
              max(activity_at, (SELECT created_at FROM messages WHERE id = ?2)) WHERE id = ?1
            """, [conversationID, messageID])
    }

    private func confirmedKey(_ id: UUID, in conversationID: UUID) throws(SQLiteError) -> ThreadKey? {
        if let (message, _) = try storedMessage(id), let key = ThreadKey(message) { return key }
        return try confirmedRows(in: conversationID, before: .end, limit: 1).first.flatMap {
            ThreadKey($0)
        }
    }

    func loadMarks(_ conversationID: UUID) throws(SQLiteError) -> Marks {
        try connection.first(
            """
            SELECT own_read, own_delivered, others_delivered, others_read, counted, counted_after, counted_to
            FROM marks WHERE conversation_id = ?1
            """, [conversationID]
        ) { (row) throws(SQLiteError) in
            Marks(
                ownRead: try row.get(0), ownDelivered: try row.get(1), othersDelivered: try row.get(2),
                othersRead: try row.get(3), counted: try row.get(4), countedAfter: try row.get(5),
                countedTo: try row.get(6))
        } ?? Marks()
    }

    func keep(_ marks: Marks, of conversationID: UUID) throws(SQLiteError) {
        try connection.run(
            """
            INSERT OR REPLACE INTO marks (conversation_id, own_read, own_delivered, others_delivered, others_read,
              counted, counted_after, counted_to) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """,
            [
                conversationID, marks.ownRead, marks.ownDelivered, marks.othersDelivered, marks.othersRead,
                marks.counted, marks.countedAfter, marks.countedTo,
            ])
    }

    /// Moves the marks of everybody else forward and touches the own messages they pass.
    func raiseOthers(
        of conversationID: UUID, delivered: Int64?, read: Int64?, _ notes: inout ChangeNotes
    ) throws(SQLiteError) {
        let held = try loadMarks(conversationID)
        var marks = held
        marks.othersRead = Marks.greater(marks.othersRead, read)
        marks.othersDelivered = Marks.greater(
            marks.othersDelivered, Marks.greater(delivered, marks.othersRead))
        guard marks != held else { return }
        try keep(marks, of: conversationID)
        notes.conversations.insert(conversationID)
        // From the lower of the two old marks: everything above it may have changed its state.
        let lower = min(held.othersRead ?? .min, held.othersDelivered ?? .min)
        let upper = max(marks.othersRead ?? .min, marks.othersDelivered ?? .min)
        for id in try ownMessageIDs(in: conversationID, after: lower, upTo: upper) {
            notes.touch(message: id, in: conversationID)
        }
    }
}
