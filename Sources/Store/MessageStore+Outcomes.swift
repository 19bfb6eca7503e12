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
            if case .send(let message) = operation.operation, try storedMessage(message.id) == nil {
                // Dropped while it was on its way: what arrived is taken back.
                try putDelete(of: message, &notes)
                return
            }
            try mergeAll(rows, areNews: false, &notes)
            if rows.messages.isEmpty { try assume(operation.operation, &notes) }
            try putRemoval(after: operation, &notes)
            try remove(operation, &notes)
        }
    }

    /// The service will not do it. A message becomes `failed` and keeps its place; any other wish is forgotten and
    /// what it was about looks as the service has it. A message that was confirmed meanwhile stays confirmed.
    /// What else was wished of a refused message happens to it here: it was never anywhere else.
    package func refuse(_ operation: OutboxRow, because reason: SendError) throws(StoreError) {
        try write { (notes) throws(SQLiteError) in
            guard case .send(let message) = operation.operation else {
                // A message that never got there may have left its file.
                if reason == .messageGone { try putRemoval(after: operation, &notes) }
                try remove(operation, &notes)
                return
            }
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

    /// Notes a try that ended without an answer.
    /// - Parameter failingSince: Since when the server fails on it; `nil` when it does not.
    package func noteTry(of operation: OutboxRow, failingSince: Int64?) throws(StoreError) {
        try write { (_) throws(SQLiteError) in
            try connection.run(
                "UPDATE outbox SET attempts = attempts + 1, failing_since = ?2 WHERE seq = ?1",
                [operation.sequence, failingSince])
        }
    }

    /// Notes that no earlier try can have reached the service.
    package func forgetTries(of operation: OutboxRow, failingSince: Int64?) throws(StoreError) {
        try write { (_) throws(SQLiteError) in
            try connection.run(
                "UPDATE outbox SET attempts = 0, failing_since = ?2 WHERE seq = ?1",
                [operation.sequence, failingSince])
        }
    }

    /// Puts a failed message back among the waiting, in its old place and under its id.
    /// - Returns: Its conversation; `nil` when it did not fail.
    package func retry(_ messageID: UUID) throws(StoreError) -> UUID? {
        try write { (notes) throws(SQLiteError) in
            guard let (message, _) = try storedMessage(messageID), message.position == nil,
                message.failure != nil
            else { return nil }
            try connection.run("UPDATE messages SET failure = NULL WHERE id = ?1", [messageID])
            try connection.run(
                """
                UPDATE outbox SET is_refused = 0, attempts = 0, failing_since = NULL
                WHERE message_id = ?1 AND kind = 'send'
                """, [messageID])
            notes.touch(message: messageID, in: message.conversationID)
            notes.enqueued.insert(message.conversationID)
            notes.outbox = true
            return message.conversationID
        }
    }

    /// Forgets a message that is not confirmed.
    ///
    /// - Parameter mayHaveArrived: It was tried: a wish to delete it takes its place, for the service may have it.
    /// - Returns: Its conversation; `nil` when there is no such waiting message.
    package func drop(_ messageID: UUID, mayHaveArrived: Bool) throws(StoreError) -> UUID? {
        try write { (notes) throws(SQLiteError) in
            guard let (message, num) = try storedMessage(messageID), message.position == nil else {
                return nil
            }
            let attempts = try connection.first(
                "SELECT attempts FROM outbox WHERE message_id = ?1 AND kind = 'send'", [messageID]
            ) { (row) throws(SQLiteError) in try row.get(0, as: Int.self) }
            let isInDoubt = mayHaveArrived || (attempts ?? 0) > 0
            if !isInDoubt { try putRemoval(for: message, &notes) }
            try forget(message, num, &notes)
            if isInDoubt { try putDelete(of: message, &notes) }
            return message.conversationID
        }
    }

    func forget(_ message: Message, _ num: Int64, _ notes: inout ChangeNotes) throws(SQLiteError) {
        try reindex(num, from: message.body, to: "")
        try connection.run("DELETE FROM messages WHERE id = ?1", [message.id])
        try connection.run(
            "DELETE FROM outbox WHERE message_id = ?1 AND kind <> 'removeFiles'", [message.id])
        try forgetUpload(of: message.id, &notes)
        notes.forget(message: message.id, in: message.conversationID)
        notes.outbox = true
    }

    /// The message is confirmed, by whatever road: its send must not be tried again.
    func removeSend(of messageID: UUID, _ notes: inout ChangeNotes) throws(SQLiteError) {
        try connection.run("DELETE FROM outbox WHERE message_id = ?1 AND kind = 'send'", [messageID])
        try forgetUpload(of: messageID, &notes)
        notes.outbox = true
    }

    private func remove(_ operation: OutboxRow, _ notes: inout ChangeNotes) throws(SQLiteError) {
        let removed = try connection.run(
            "DELETE FROM outbox WHERE seq = ?1 AND revision = ?2", [operation.sequence, operation.revision])
        guard removed > 0 else { return }
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
