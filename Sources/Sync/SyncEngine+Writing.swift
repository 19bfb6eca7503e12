import Backend
import FoundationEssentials
import Models
import Store

extension SyncEngine {
    @discardableResult
    package func send(_ body: String, in conversationID: UUID, replyTo: UUID?, file: OutgoingFile?)
        async throws(ChatError) -> Message
    {
        try check(body, hasFile: file != nil)
        let body = body.isBlank ? "" : body
        receive(.wrote(conversationID))
        let message = Message(
            id: makeID(), conversationID: conversationID, senderID: backend.userID, body: body,
            createdAt: clock.wallTime(), deliveryState: .sending, replyTo: replyTo)
        let kept = try await keeping { () async throws(StoreError) in
            try await self.store.enqueue(message, file: file)
        }
        await wake(conversationID)
        return kept
    }

    package func edit(_ messageID: UUID, in conversationID: UUID, body: String) async throws(ChatError) {
        try check(body)
        try await wish(.edit(messageID: messageID, body: body), in: conversationID)
    }

    package func delete(_ messageID: UUID, in conversationID: UUID) async throws(ChatError) {
        try await wish(.delete(messageID: messageID), in: conversationID)
    }

    package func react(to messageID: UUID, in conversationID: UUID, symbol: String, isOn: Bool?)
        async throws(ChatError)
    {
        let isHere = try await keeping { () async throws(StoreError) in
            try await self.store.enqueueReaction(
                symbol, isOn: isOn, to: messageID, in: conversationID, at: self.clock.wallTime())
        }
        // What is shown from memory, as the store could not keep it, takes no wish.
        guard isHere else { throw ChatError(refused: .messageGone) }
        await wake(conversationID)
    }

    package func markRead(upTo messageID: UUID, in conversationID: UUID) async throws(ChatError) {
        let moved = try await keeping { () async throws(StoreError) in
            try await self.store.markRead(upTo: messageID, in: conversationID)
        }
        if moved { await wake(conversationID) }
    }

    package func markUnread(_ conversationID: UUID) async throws(ChatError) {
        try await keeping { () async throws(StoreError) in try await self.store.markUnread(conversationID) }
    }

    package func setTyping(_ isTyping: Bool, in conversationID: UUID) {
        guard backend.capabilities.showsTyping else { return }
        receive(.typed(conversationID, isTyping: isTyping))
    }

    package func draft(in conversationID: UUID) async -> String {
        do throws(StoreError) { return try await store.draft(in: conversationID) } catch {
            tellTrouble(error)
            return ""
        }
    }

    package func saveDraft(_ text: String, in conversationID: UUID) async throws(ChatError) {
        try await keeping { () async throws(StoreError) in
            try await self.store.saveDraft(text, in: conversationID)
        }
    }

    private func wish(_ operation: StoredOperation, in conversationID: UUID) async throws(ChatError) {
        let isHere = try await keeping { () async throws(StoreError) in
            try await self.store.enqueue(operation, in: conversationID, at: self.clock.wallTime())
        }
        guard isHere else { throw ChatError(refused: .messageGone) }
        await wake(conversationID)
    }

    /// What waits is on the disk; now it may go.
    func wake(_ conversationID: UUID) async {
        if !core.isConnected { await connection.enqueue(conversationID) }
        receive(.enqueued(conversationID))
    }

    private func check(_ body: String, hasFile: Bool = false) throws(ChatError) {
        guard hasFile || !body.isBlank else { throw ChatError(refused: .empty) }
        let limit = backend.capabilities.bodyLimit
        guard body.unicodeScalars.count <= limit else { throw ChatError(refused: .tooLong(limit: limit)) }
    }

    /// Does what the store is asked for; its trouble is told to everybody, not only to the caller.
    func keeping<Result: Sendable>(
        _ work: () async throws(StoreError) -> Result
    ) async throws(ChatError) -> Result {
        do {
            return try await work()
        } catch {
            tellTrouble(error)
            throw .store(error)
        }
    }
}

extension ChatError {
    init(_ error: BackendError) {
        var pause: Duration?
        if case .busy(let asked) = error { pause = asked ?? .seconds(5) }
        self = .service(
            ServiceFailure(userCopy: error.userCopy, isTransient: error.isTransient, retryAfter: pause))
    }

    init(refused error: SendError) {
        self = .service(ServiceFailure(userCopy: error.userCopy, isTransient: false))
    }
}
