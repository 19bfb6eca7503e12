import FoundationEssentials
import Models
import SQLite

/// Files at the service that no message names any more. The wish to remove one is kept in the transaction in which
/// its message is lost, so that no crash lies between.
extension MessageStore {
    /// Keeps the wish to delete a message at the service, and whether its file has to follow it.
    func putDelete(of message: Message, at date: Date? = nil, _ notes: inout ChangeNotes)
        throws(SQLiteError)
    {
        try put(
            .delete(messageID: message.id), position: nil, in: message.conversationID,
            flag: message.attachment != nil, at: date, &notes)
    }

    /// The message that is about to be forgotten was never sent; its file may be at the service all the same.
    func putRemoval(for message: Message, _ notes: inout ChangeNotes) throws(SQLiteError) {
        guard let attachment = message.attachment else { return }
        let isThere = !attachment.path.isEmpty
        let wasTried = try loadUpload(of: message.id)?.wasTried ?? false
        guard isThere || wasTried else { return }
        try putRemoval(of: message.id, in: message.conversationID, isUnsure: !isThere, &notes)
    }

    /// A delete has come to its end. Its row tells whether there was a file: the message itself may be blank by now,
    /// when its echo was here before the answer.
    func putRemoval(after row: OutboxRow, _ notes: inout ChangeNotes) throws(SQLiteError) {
        guard case .delete(let messageID) = row.operation else { return }
        let hadFile = try connection.first("SELECT flag FROM outbox WHERE seq = ?1", [row.sequence]) {
            (row) throws(SQLiteError) in try row.get(0, as: Bool?.self)
        }
        guard hadFile == true else { return }
        try putRemoval(of: messageID, in: row.conversationID, isUnsure: false, &notes)
    }

    /// What was there is removed; another look will settle it.
    package func noteFirstLook(of removal: OutboxRow) throws(StoreError) {
        try write { (_) throws(SQLiteError) in
            try connection.run("UPDATE outbox SET flag = 0 WHERE seq = ?1", [removal.sequence])
        }
    }

    func putRemoval(
        of messageID: UUID, in conversationID: UUID, isUnsure: Bool, _ notes: inout ChangeNotes
    ) throws(SQLiteError) {
        try put(
            .removeFiles(messageID: messageID, conversationID: conversationID, isUnsure: isUnsure),
            position: nil, in: userID, &notes)
    }
}
