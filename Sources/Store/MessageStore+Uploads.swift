import FoundationEssentials
import Glibc
import Models
import SQLite

/// A file that has to reach the service before its message is sent.
package struct WaitingUpload: Sendable, Hashable {
    /// The copy's name in the spool.
    package let copy: String
    /// Of its content, lower-case hexadecimal.
    package let sha256: String
    /// Whether a try was begun: the service may have it.
    package let wasTried: Bool
}

/// Files of waiting messages. A message's file is in one of three states, and a crash leaves it in one of them: it
/// waits (a row here, and the attachment's path is empty), it is uploaded (the path is set), or it is done (the
/// message is confirmed or forgotten: the row goes, and the copy right after the commit).
extension MessageStore {
    /// The file that is to be uploaded before the message can be sent.
    /// - Returns: `nil` when the message is gone or confirmed, has no file, or its file is at the service already.
    package func waitingUpload(of messageID: UUID) throws(StoreError) -> WaitingUpload? {
        try read { () throws(SQLiteError) in
            guard let (message, _) = try storedMessage(messageID), message.position == nil,
                message.attachment?.path.isEmpty == true
            else { return nil }
            return try loadUpload(of: messageID)
        }
    }

    /// An upload is about to begin.
    package func noteUploadTry(of messageID: UUID) throws(StoreError) {
        try write { (_) throws(SQLiteError) in
            try connection.run("UPDATE uploads SET was_tried = 1 WHERE message_id = ?1", [messageID])
        }
    }

    /// The file is at the service.
    /// - Parameter path: Where; the message names it from now on.
    /// - Returns: `false` when the message was forgotten or confirmed meanwhile. Of one that was forgotten the file is
    ///   removed now that it is known to be whole there, whatever was looked for before.
    package func noteUploaded(_ messageID: UUID, in conversationID: UUID, at path: String)
        throws(StoreError) -> Bool
    {
        try write { (notes) throws(SQLiteError) in
            guard var (message, _) = try storedMessage(messageID) else {
                try putRemoval(of: messageID, in: conversationID, isUnsure: false, &notes)
                return false
            }
            guard message.position == nil else { return false }
            message.attachment?.path = path
            try MessageRow.update(message, on: connection)
            return true
        }
    }

    /// Names of the copies that are still needed; the spool may remove all others.
    package func neededCopies() throws(StoreError) -> Set<String> {
        try read { () throws(SQLiteError) in
            Set(
                try connection.query("SELECT copy FROM uploads") { (row) throws(SQLiteError) in
                    try row.get(0, as: String.self)
                })
        }
    }

    func keepUpload(_ file: OutgoingFile, for messageID: UUID, wasTried: Bool = false) throws(SQLiteError) {
        try connection.run(
            "INSERT INTO uploads (message_id, copy, sha256, was_tried) VALUES (?1, ?2, ?3, ?4)",
            [messageID, file.copy, file.sha256, wasTried])
    }

    /// The message needs no copy any more.
    func forgetUpload(of messageID: UUID, _ notes: inout ChangeNotes) throws(SQLiteError) {
        guard let upload = try loadUpload(of: messageID) else { return }
        try connection.run("DELETE FROM uploads WHERE message_id = ?1", [messageID])
        notes.spentCopies.append(upload.copy)
    }

    /// After the commit: a crash before it keeps the copy, one after it leaves a file that the spool sweeps away.
    func removeCopies(_ names: [String]) {
        guard let spoolFolder else { return }
        for name in names { unlink(spoolFolder + "/" + name) }  // gone already is as good
    }

    func loadUpload(of messageID: UUID) throws(SQLiteError) -> WaitingUpload? {
        try connection.first(
            "SELECT copy, sha256, was_tried FROM uploads WHERE message_id = ?1", [messageID]
        ) { (row) throws(SQLiteError) in
            WaitingUpload(copy: try row.get(0), sha256: try row.get(1), wasTried: try row.get(2))
        }
    }
}
