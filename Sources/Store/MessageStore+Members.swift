import FoundationEssentials
import Models
import SQLite

extension MessageStore {
    /// Everybody who is or was in the conversation, as far as known; by display name, then id.
    package func members(of conversationID: UUID) throws(StoreError) -> [Member] {
        try read { () throws(SQLiteError) in
            try connection.query(
                """
                SELECT m.user_id, m.is_manager, m.has_left, m.delivered, m.read, p.username, p.display_name
                FROM members m LEFT JOIN people p ON p.id = m.user_id WHERE m.conversation_id = ?1
                ORDER BY p.display_name, m.user_id
                """, [conversationID]
            ) { (row) throws(SQLiteError) in
                let person = Person(
                    id: try row.get(0), username: try row.get(5, as: String?.self) ?? "",
                    displayName: try row.get(6, as: String?.self) ?? "")
                return Member(
                    conversationID: conversationID, person: person, isManager: try row.get(1),
                    hasLeft: try row.get(2), deliveredPosition: try row.get(3), readPosition: try row.get(4))
            }
        }
    }

    /// Takes the service's full list of a conversation's people.
    package func replaceMembers(of conversationID: UUID, with members: [Member]) throws(StoreError) {
        try write { (notes) throws(SQLiteError) in
            let ids = Set(members.map(\.id))
            for held in try memberIDs(of: conversationID) where !ids.contains(held) {
                try connection.run(
                    "DELETE FROM members WHERE conversation_id = ?1 AND user_id = ?2", [conversationID, held])
                notes.members.insert(conversationID)
            }
            for member in members {
                if try keep(member.person) { notes.members.insert(conversationID) }
                let mark = MemberMark(
                    conversationID: conversationID, userID: member.id, isManager: member.isManager,
                    hasLeft: member.hasLeft, deliveredPosition: member.deliveredPosition,
                    readPosition: member.readPosition)
                try mergeMember(mark, &notes)
            }
        }
    }

    /// The names of a person, as last heard; `nil` when never.
    package func person(_ id: UUID) throws(StoreError) -> Person? {
        try read { () throws(SQLiteError) in
            try connection.first("SELECT username, display_name FROM people WHERE id = ?1", [id]) {
                (row) throws(SQLiteError) in
                Person(id: id, username: try row.get(0), displayName: try row.get(1))
            }
        }
    }

    package func keep(person: Person) throws(StoreError) {
        try write { (_) throws(SQLiteError) in try keep(person) }
    }

    /// - Returns: Whether the names are new.
    @discardableResult
    func keep(_ person: Person) throws(SQLiteError) -> Bool {
        try connection.run(
            """
            INSERT INTO people (id, username, display_name) VALUES (?1, ?2, ?3)
            ON CONFLICT DO UPDATE SET username = excluded.username, display_name = excluded.display_name
            WHERE username <> excluded.username OR display_name <> excluded.display_name
            """, [person.id, person.username, person.displayName]) > 0
    }

    func mergeMember(_ member: MemberMark, _ notes: inout ChangeNotes) throws(SQLiteError) {
        let changed = try connection.run(
            """
            INSERT INTO members (conversation_id, user_id, is_manager, has_left, delivered, read)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT DO UPDATE SET is_manager = excluded.is_manager, has_left = excluded.has_left,
              delivered = nullif(max(ifnull(delivered, \(Int64.min)), ifnull(excluded.delivered, \(Int64.min))),
                \(Int64.min)),
              read = nullif(max(ifnull(read, \(Int64.min)), ifnull(excluded.read, \(Int64.min))), \(Int64.min))
            WHERE is_manager <> excluded.is_manager OR has_left <> excluded.has_left
              OR ifnull(excluded.delivered, \(Int64.min)) > ifnull(delivered, \(Int64.min))
              OR ifnull(excluded.read, \(Int64.min)) > ifnull(read, \(Int64.min))
            """,
            [
                member.conversationID, member.userID, member.isManager, member.hasLeft,
                member.deliveredPosition, member.readPosition,
            ])
        guard changed > 0 else { return }
        notes.members.insert(member.conversationID)
        if member.userID == userID {
            try takeOwn(member, &notes)
        } else {
            try takeOthersMarks(of: member.conversationID, &notes)
        }
    }

    /// The own membership: another device may have read, and somebody may have taken us out.
    private func takeOwn(_ member: MemberMark, _ notes: inout ChangeNotes) throws(SQLiteError) {
        let held = try loadMarks(member.conversationID)
        var marks = held
        marks.raise(ownRead: member.readPosition, ownDelivered: member.deliveredPosition)
        if marks != held {
            try keep(marks, of: member.conversationID)
            notes.conversations.insert(member.conversationID)
        }
        if marks.wasRead(since: held) { try forgetMarkedUnread(member.conversationID, &notes) }
        if member.hasLeft { try markLeft(member.conversationID, &notes) }
    }

    /// Everybody else's marks follow from the members when all of them are known; one without a mark means: not
    /// everybody.
    private func takeOthersMarks(of conversationID: UUID, _ notes: inout ChangeNotes) throws(SQLiteError) {
        let found = try connection.first(
            """
            SELECT count(*), min(ifnull(delivered, \(Int64.min))), min(ifnull(read, \(Int64.min))),
              (SELECT member_count FROM conversations WHERE id = ?1)
            FROM members WHERE conversation_id = ?1 AND user_id <> ?2 AND has_left = 0
            """, [conversationID, userID]
        ) { (row) throws(SQLiteError) in
            (
                known: try row.get(0, as: Int.self), delivered: try row.get(1, as: Int64?.self),
                read: try row.get(2, as: Int64?.self), all: try row.get(3, as: Int?.self)
            )
        }
        guard let found, let all = found.all, found.known > 0, found.known >= all - 1 else { return }
        try raiseOthers(
            of: conversationID, delivered: found.delivered.flatMap { $0 == .min ? nil : $0 },
            read: found.read.flatMap { $0 == .min ? nil : $0 }, &notes)
    }

    private func memberIDs(of conversationID: UUID) throws(SQLiteError) -> [UUID] {
        try connection.query("SELECT user_id FROM members WHERE conversation_id = ?1", [conversationID]) {
            (row) throws(SQLiteError) in try row.get(0, as: UUID.self)
        }
    }
}
