import FoundationEssentials
import Models
import SQLite

extension MessageStore {
    func loadCursor(_ conversationID: UUID) throws(SQLiteError) -> StoredCursor? {
        try connection.first("SELECT sort, token FROM cursors WHERE conversation_id = ?1", [conversationID]) {
            (row) throws(SQLiteError) in StoredCursor(order: try row.get(0), token: try row.get(1))
        }
    }

    func keep(_ cursor: StoredCursor, of conversationID: UUID) throws(SQLiteError) {
        try connection.run(
            """
            INSERT INTO cursors (conversation_id, sort, token) VALUES (?1, ?2, ?3)
            ON CONFLICT DO UPDATE SET sort = excluded.sort, token = excluded.token WHERE excluded.sort > sort
            """, [conversationID, cursor.order, cursor.token])
    }

    func loadGap(_ conversationID: UUID) throws(SQLiteError) -> Gap? {
        try loadGap(conversationID, isTail: false)
    }

    /// The tail; a conversation of which nothing was fetched is all tail, `nil` means its beginning is held.
    func loadTail(_ conversationID: UUID) throws(SQLiteError) -> Gap? {
        if let tail = try loadGap(conversationID, isTail: true) { return tail.upper == .start ? nil : tail }
        return Gap(isTail: true, upper: .end, lower: .start)
    }

    /// Where what is held without a hole begins. A message below it came alone, by an edit for one, and stands
    /// aside until the history that is scrolled up to reaches it. `nil`: at the beginning, or nothing was fetched.
    func wholeFrom(_ conversationID: UUID) throws(SQLiteError) -> ThreadKey? {
        try loadGap(conversationID, isTail: true)?.upper
    }

    private func loadGap(_ conversationID: UUID, isTail: Bool) throws(SQLiteError) -> Gap? {
        try connection.first(
            """
            SELECT upper_position, upper_id, lower_position, lower_id FROM gaps
            WHERE conversation_id = ?1 AND is_tail = ?2
            """, [conversationID, isTail]
        ) { (row) throws(SQLiteError) in
            Gap(
                isTail: isTail, upper: ThreadKey(position: try row.get(0), id: try row.get(1)),
                lower: ThreadKey(position: try row.get(2), id: try row.get(3)))
        }
    }

    func keepGap(upper: ThreadKey, lower: ThreadKey, of conversationID: UUID) throws(SQLiteError) {
        try replaceGap(Gap(isTail: false, upper: upper, lower: lower), of: conversationID)
    }

    /// Moves the tail's upper end; `nil` when the beginning is held. The beginning is a row too, with the upper end
    /// at the start: no row at all means that nothing was ever fetched.
    func keepTail(_ upper: ThreadKey?, of conversationID: UUID) throws(SQLiteError) {
        try replaceGap(Gap(isTail: true, upper: upper ?? .start, lower: .start), of: conversationID)
    }

    func dropGap(of conversationID: UUID) throws(SQLiteError) {
        try connection.run("DELETE FROM gaps WHERE conversation_id = ?1 AND is_tail = 0", [conversationID])
    }

    /// Whether no message after the position can be missing.
    func holdsEverything(of conversationID: UUID, after position: Int64) throws(SQLiteError) -> Bool {
        if let gap = try loadGap(conversationID), gap.upper.position > position { return false }
        guard let tail = try loadTail(conversationID) else { return true }
        return tail.upper.position <= position
    }

    private func replaceGap(_ gap: Gap, of conversationID: UUID) throws(SQLiteError) {
        try connection.run(
            "INSERT OR REPLACE INTO gaps VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            [
                conversationID, gap.isTail, gap.upper.position, gap.upper.id, gap.lower.position,
                gap.lower.id,
            ])
    }
}
