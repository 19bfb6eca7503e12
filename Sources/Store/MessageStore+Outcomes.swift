import FoundationEssentials
import Models
import SQLite

extension MessageStore {
    /// An operation was done: its row goes, unless a newer wish took its place, and the service's row is merged.
    ///
    /// - Parameter rows: What the service has now; empty when it did not say. Then the wish itself is taken as the
    ///   stored state, at the version held, so that what the service tells later still wins.
    package func finish(_ operation: OutboxRow, with rows: IncomingRows) throws(StoreError) {
        try write { (notes) throws(SQLiteError) in
            if case .send(let message) = operation.operation, let name = rows.messages.first?.id {
                try rename(NameChange(from: message.id, to: name), &notes)
            }
            if case .send(let message) = operation.operation {
                try showUnclear(after: message.id, isDecided: true, &notes)
                guard try storedMessage(message.id) != nil else {
                    // Dropped while it was on its way: what arrived is taken back, under the name that it has here.
                    let arrived = message.named(try ownName(of: message.id))
                    try putDelete(of: arrived, &notes)
                    notes.touch(message: arrived.id, in: message.conversationID)
                    return
                }
            }
            try mergeAll(rows, areNews: false, &notes)
            if rows.isEmpty { try assume(operation.operation, &notes) }
            try putRemoval(after: operation, &notes)
            try remove(operation, &notes)
        }
    }

    /// The service will not do it. A message becomes `failed` and keeps its place; of an edit the text is kept for
    /// its writer; any other wish is forgotten. What it was about looks as the service has it. A message that was
    /// confirmed meanwhile stays confirmed.
    /// What else was wished of a refused message happens to it here: it was never anywhere else.
    package func refuse(_ operation: OutboxRow, because reason: SendError) throws(StoreError) {
        try write { (notes) throws(SQLiteError) in
            guard case .send(let message) = operation.operation else {
                // A message that never got there may have left its file.
                if reason == .messageGone { try putRemoval(after: operation, &notes) }
                if case .edit = operation.operation {
                    try keepRefused(operation, reason, &notes)
                } else {
                    try remove(operation, &notes)
                }
                return
            }
            try showUnclear(after: message.id, isDecided: true, &notes)
            let changed = try connection.run(
                "UPDATE messages SET failure = ?2 WHERE id = ?1 AND position IS NULL",
                [message.id, SendErrorText.write(reason)])
            guard changed > 0 else { return }
            try connection.run("UPDATE outbox SET is_refused = 1 WHERE seq = ?1", [operation.sequence])
            notes.touch(message: message.id, in: message.conversationID)
            notes.outbox = true
            if reason.isCertain { try fulfilHere(of: message.id, &notes) }
        }
    }

    /// Whoever typed it decides what becomes of it; a newer wish that took its place waits on.
    private func keepRefused(_ edit: OutboxRow, _ reason: SendError, _ notes: inout ChangeNotes)
        throws(SQLiteError)
    {
        let changed = try connection.run(
            "UPDATE outbox SET is_refused = 1, failure = ?3 WHERE seq = ?1 AND revision = ?2",
            [edit.sequence, edit.revision, SendErrorText.write(reason)])
        guard changed > 0, let id = edit.operation.messageID else { return }
        notes.touch(message: id, in: edit.conversationID)
        notes.outbox = true
    }

    /// Does here what waits to be done to a message that the service does not have.
    private func fulfilHere(of id: UUID, _ notes: inout ChangeNotes) throws(SQLiteError) {
        guard let (message, num) = try storedMessage(id), let wishes = try loadWishes()[id] else { return }
        for wish in wishes {
            switch wish {
            case .delete:
                try putRemoval(for: message, &notes)
                try forget(message, num, &notes)
                return
            case .edit(_, let body):
                try reindex(num, from: message.body, to: body)
                try connection.run("UPDATE messages SET body = ?2 WHERE id = ?1", [id, body])
            case .send, .react, .markRead, .markDelivered, .removeFiles: break
            }
        }
        try connection.run("DELETE FROM outbox WHERE message_id = ?1 AND kind IN ('edit', 'react')", [id])
    }

    /// Notes a try that ended without an answer. A message that was dropped meanwhile may have arrived all the same: it
    /// is deleted again.
    /// - Parameters:
    ///   - failingSince: Since when the server fails on it; `nil` when it does not.
    ///   - end: How it ended and when; `nil`: it only begins.
    package func noteTry(
        of operation: OutboxRow, failingSince: Int64?, end: (OutboxTrouble, at: Date)? = nil
    ) throws(StoreError) {
        try write { (notes) throws(SQLiteError) in
            try connection.run(
                "UPDATE outbox SET attempts = attempts + 1, failing_since = ?2 WHERE seq = ?1",
                [operation.sequence, failingSince])
            if end != nil, case .send(let message) = operation.operation {
                try showUnclear(after: message.id, isDecided: false, &notes)
                if try storedMessage(message.id) == nil {
                    try putDelete(of: message.named(try ownName(of: message.id)), &notes)
                }
            }
            try note(end, of: operation, &notes)
        }
    }

    /// Notes that no earlier try can have reached the service.
    package func forgetTries(
        of operation: OutboxRow, failingSince: Int64?, end: (OutboxTrouble, at: Date)? = nil
    ) throws(StoreError) {
        try write { (notes) throws(SQLiteError) in
            try connection.run(
                "UPDATE outbox SET attempts = 0, failing_since = ?2 WHERE seq = ?1",
                [operation.sequence, failingSince])
            if let id = operation.operation.messageID {
                try showUnclear(after: id, isDecided: true, &notes)
            }
            try note(end, of: operation, &notes)
        }
    }

    /// Notes how a try ended that the service did not look at.
    package func noteEnd(of operation: OutboxRow, _ trouble: OutboxTrouble, at date: Date) throws(StoreError)
    {
        try write { (notes) throws(SQLiteError) in
            if let id = operation.operation.messageID {
                try showUnclear(after: id, isDecided: true, &notes)
            }
            try note((trouble, at: date), of: operation, &notes)
        }
    }

    private func note(
        _ end: (trouble: OutboxTrouble, at: Date)?, of operation: OutboxRow, _ notes: inout ChangeNotes
    ) throws(SQLiteError) {
        guard let end else { return }
        try connection.run(
            "UPDATE outbox SET tries = tries + 1, tried_at = ?2, trouble = ?3 WHERE seq = ?1",
            [operation.sequence, end.at.microseconds, end.trouble.rawValue])
        notes.outbox = true
    }

    /// - Parameter kept: Places of the outbox that stay, at most one.
    func forget(_ message: Message, _ num: Int64, sparing kept: [Int64] = [], _ notes: inout ChangeNotes)
        throws(SQLiteError)
    {
        try reindex(num, from: message.body, to: "")
        try connection.run("DELETE FROM messages WHERE id = ?1", [message.id])
        try connection.run(
            "DELETE FROM outbox WHERE message_id = ?1 AND kind <> 'removeFiles' AND seq IS NOT ?2",
            [message.id, kept.first])
        try forgetUpload(of: message.id, &notes)
        notes.forget(message: message.id, in: message.conversationID)
        notes.outbox = true
    }

    /// The message is confirmed, by whatever road: its send must not be tried again.
    func removeSend(of messageID: UUID, _ notes: inout ChangeNotes) throws(SQLiteError) {
        try connection.run("DELETE FROM outbox WHERE message_id = ?1 AND kind = 'send'", [messageID])
        try showUnclear(after: messageID, isDecided: true, &notes)
        try forgetUpload(of: messageID, &notes)
        notes.outbox = true
    }

    private func remove(_ operation: OutboxRow, _ notes: inout ChangeNotes) throws(SQLiteError) {
        let removed = try connection.run(
            "DELETE FROM outbox WHERE seq = ?1 AND revision = ?2", [operation.sequence, operation.revision])
        guard removed > 0 else {
            // A newer wish took the row, and was not tried itself.
            try connection.run(
                "UPDATE outbox SET attempts = 0, failing_since = NULL WHERE seq = ?1", [operation.sequence])
            return
        }
        notes.outbox = true
        guard let id = operation.operation.messageID, operation.operation.isShown else { return }
        notes.touch(message: id, in: operation.conversationID)
    }

    private func assume(_ operation: StoredOperation, _ notes: inout ChangeNotes) throws(SQLiteError) {
        switch operation {
        case .react(let id, let symbol, let isOn):
            try connection.run(
                """
                INSERT INTO reactions (message_id, user_id, symbol, is_on, version) VALUES (?1, ?2, ?3, ?4, 0)
                ON CONFLICT DO UPDATE SET is_on = excluded.is_on
                """, [id, userID, symbol, isOn])
        case .edit(let id, let body):
            guard let (held, num) = try storedMessage(id), !held.isDeleted else { return }
            try reindex(num, from: held.body, to: body)
            var message = held
            message.body = body
            message.editedAt = message.editedAt ?? message.createdAt
            try MessageRow.update(message, on: connection)
        case .delete(let id):
            guard let (held, num) = try storedMessage(id), !held.isDeleted else { return }
            try reindex(num, from: held.body, to: "")
            var message = held
            message.blank()
            message.deletedAt = message.createdAt
            try MessageRow.update(message, on: connection)
        case .send, .markRead, .markDelivered, .removeFiles: break
        }
    }
}

extension SendError {
    /// Whether the service is known not to have the message.
    fileprivate var isCertain: Bool {
        switch self {
        case .mayHaveBeenSent, .serverFailing: false
        case .tooLong, .empty, .notAMember, .messageGone, .fileTooLarge, .quotaUsedUp, .serviceFull,
            .fileUnreadable,
            .refused:
            true
        }
    }
}

extension StoredOperation {
    /// Whether it changes how a message looks while it waits.
    fileprivate var isShown: Bool {
        switch self {
        case .send, .edit, .delete, .react: true
        case .markRead, .markDelivered, .removeFiles: false
        }
    }
}
