import FoundationEssentials
import Models
import SQLite

extension MessageStore {
    /// Finds held messages in which every word of `query` occurs, in any case and with or without accents; the
    /// last word may be a beginning.
    ///
    /// - Parameters:
    ///   - conversationID: Where to look; `nil` for everywhere.
    ///   - limit: Most messages to return.
    /// - Returns: Newest first; empty also when the query has no word.
    package func search(_ query: String, in conversationID: UUID? = nil, limit: Int = 50)
        throws(StoreError) -> [Message]
    {
        guard let match = SearchText.query(query) else { return [] }
        return try read { () throws(SQLiteError) in
            // Numbers rise with time, and the index answers by number: no sorting of a common word's many rows.
            let found = try connection.query(
                """
                SELECT \(MessageRow.columns) FROM messages WHERE num IN (
                  SELECT s.rowid FROM message_search s WHERE s.text MATCH ?1 AND (?2 IS NULL OR EXISTS (
                    SELECT 1 FROM messages m WHERE m.num = s.rowid AND m.conversation_id = ?2))
                  ORDER BY s.rowid DESC LIMIT ?3)
                ORDER BY num DESC
                """, [match, conversationID, limit], read: MessageRow.read)
            return try dress(found.filter { !isUnclear($0.id) })
        }
    }
}
