import Backend
import FoundationEssentials
import Models
import Store

/// The file of a message goes to the service before the message, in its place in the line.
extension Outbox {
    /// What has become of a row whose file had to be brought first.
    enum FileStep {
        case ready(OutboxRow)
        /// As `attempt` returns.
        case ended(Delivery?)
    }

    /// Brings the row's file to the service, unless it has none or it is there already.
    func bringFile(of row: OutboxRow) async throws(StoreError) -> FileStep {
        guard case .send(let message) = row.operation, let attachment = message.attachment,
            attachment.path.isEmpty
        else { return .ready(row) }
        guard let upload = try await store.waitingUpload(of: message.id), let folder = store.spoolFolder
        else {
            return try await refuseFile(of: row)
        }
        if !upload.wasTried { try await store.noteUploadTry(of: message.id) }
        let file = FileUpload(
            messageID: message.id, conversationID: message.conversationID,
            localPath: folder + "/" + upload.copy, name: attachment.name ?? "file",
            mimeType: attachment.mimeType ?? "application/octet-stream", size: attachment.size ?? 0,
            sha256: upload.sha256, wasTried: upload.wasTried)
        switch await bring(file) {
        case .stored(let path):
            guard try await store.noteUploaded(message.id, in: message.conversationID, at: path) else {
                return .ended(nil)
            }
            guard let next = try await store.nextWaiting(in: row.conversationID),
                next.sequence == row.sequence
            else { return .ended(nil) }
            return .ready(next)
        case .wait(let delay, let reason):
            // Before the store is asked, which may fail.
            keepQuiet(row.conversationID, for: delay)
            // Dropped by the user, which also ends the upload: then the next may go on.
            guard try await store.waitingUpload(of: message.id) != nil else {
                return .ended(delay.map { .wait(after: $0, because: reason) })
            }
            return .ended(try await keepWaitingForFile(row, delay, reason))
        case .waitForSignIn: return .ended(try await noteSignedOut(row))
        case .refused(let reason):
            try await refuse(row, because: reason)
            return .ended(nil)
        }
    }

    /// Ends the upload of a message that was dropped.
    package func cancelUpload(of messageID: UUID) { uploads[messageID]?.cancel() }

    /// It may have been dropped or confirmed since it was read; then there is nothing to refuse.
    private func refuseFile(of row: OutboxRow) async throws(StoreError) -> FileStep {
        try await refuse(row, because: .fileUnreadable)
        return .ended(nil)
    }

    private func bring(_ file: FileUpload) async -> UploadOutcome {
        let (id, total) = (file.messageID, file.size)
        onTransfer(id, TransferProgress(moved: 0, total: total))
        let task = Task { [backend, onTransfer] in
            await backend.upload(file) { onTransfer(id, TransferProgress(moved: $0, total: total)) }
        }
        uploads[id] = task
        let outcome = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        uploads[id] = nil
        onTransfer(id, nil)
        return outcome
    }
}
