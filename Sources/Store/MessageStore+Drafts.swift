import FoundationEssentials
import Models
import SQLite

extension MessageStore {
    /// The text left in a composer; empty when there is none.
    package func draft(in conversationID: UUID) throws(StoreError) -> String {
        try read { () throws(SQLiteError) in
            try connection.first("SELECT text FROM drafts WHERE conversation_id = ?1", [conversationID]) {
                (row) throws(SQLiteError) in try row.get(0)
            } ?? ""
        }
    }

    /// Keeps the text; an empty one forgets the draft.
    package func saveDraft(_ text: String, in conversationID: UUID) throws(StoreError) {
        try write { (_) throws(SQLiteError) in
            if text.isEmpty {
                try connection.run("DELETE FROM drafts WHERE conversation_id = ?1", [conversationID])
            } else {
                try connection.run("INSERT OR REPLACE INTO drafts VALUES (?1, ?2)", [conversationID, text])
            }
        }
    }
}
