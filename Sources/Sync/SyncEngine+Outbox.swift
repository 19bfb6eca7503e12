import Backend
import FoundationEssentials
import Models
import Store

/// What waits and what was refused, and what the user decides about it.
extension SyncEngine {
    package func outboxEntries() async -> AsyncStream<[OutboxEntry]> {
        if outboxStreams == nil {
            outboxStreams = Broadcast(state: nil) { [weak self] in
                Task { await self?.forgetOutboxStreams() }
            }
        }
        let stream = outboxStreams?.subscribe() ?? AsyncStream { $0.finish() }
        tellOutbox()
        return stream
    }

    package func retry(_ messageID: UUID) async throws(ChatError) {
        let conversationID = try await keeping { () async throws(StoreError) in
            try await self.store.retry(messageID)
        }
        if let conversationID { await wake(conversationID) }
    }

    package func drop(_ messageID: UUID) async throws(ChatError) {
        let mayHaveArrived = await outbox.mayHaveSent(messageID)
        let conversationID = try await keeping { () async throws(StoreError) in
            try await self.store.drop(messageID, mayHaveArrived: mayHaveArrived)
        }
        await outbox.cancelUpload(of: messageID)
        if let conversationID { await wake(conversationID) }
    }

    package func takeBack(_ messageID: UUID) async throws(ChatError) -> TakenBack? {
        let mayHaveArrived = await outbox.mayHaveSent(messageID)
        let back = try await keeping { () async throws(StoreError) in
            try await self.store.takeBack(messageID, mayHaveArrived: mayHaveArrived)
        }
        guard let back else { return nil }
        await outbox.cancelUpload(of: messageID)
        await wake(back.conversationID)
        return back.taken
    }

    package func cancel(_ operation: OutboxEntry.ID) async throws(ChatError) -> Bool {
        try await keeping { () async throws(StoreError) in try await self.store.cancel(operation) }
    }

    package func retryFailed() async throws(ChatError) -> Int {
        // What may have been sent is for its writer to look for first.
        let failed = try await refused().filter { $0.failure != .mayHaveBeenSent }
        for entry in failed { try await retry(entry.messageID) }
        return failed.count
    }

    package func dropFailed() async throws(ChatError) -> [String] {
        let failed = try await refused()
        for entry in failed { try await drop(entry.messageID) }
        return failed.map(\.text).filter { !$0.isEmpty }
    }

    private func refused() async throws(ChatError) -> [OutboxEntry] {
        try await keeping { () async throws(StoreError) in
            try await self.store.outboxEntries().filter { $0.failure != nil }
        }
    }

    // MARK: The stream

    /// Whether anybody does; for tests of leaks.
    package var followsOutbox: Bool { outboxStreams != nil }

    private func forgetOutboxStreams() {
        if outboxStreams?.subscriberCount == 0 { outboxStreams = nil }
    }

    /// Tells who follows the outbox what is in it now. Nothing is read while nobody does.
    func tellOutbox() {
        guard outboxStreams != nil else { return }
        guard !isTellingOutbox else {
            hasOutboxChanged = true
            return
        }
        isTellingOutbox = true
        run { engine in
            repeat {
                engine.hasOutboxChanged = false
                await engine.readOutbox()
            } while engine.hasOutboxChanged
            engine.isTellingOutbox = false
        }
    }

    private func readOutbox() async {
        do throws(StoreError) {
            let entries = try await store.outboxEntries()
            outboxStreams?.send(timed(entries))
        } catch {
            tellTrouble(error)
        }
    }

    /// With the time of the next try, for the first of each line. What follows by itself comes and goes within
    /// moments while the link stands: only what got stuck is of interest then.
    private func timed(_ entries: [OutboxEntry]) -> [OutboxEntry] {
        var begun: Set<UUID> = []
        let (now, wallTime) = (clock.uptime(), clock.wallTime())
        return entries.compactMap { entry in
            var entry = entry
            let line = entry.kind == .removeFiles ? backend.userID : entry.conversationID
            if entry.failure == nil, begun.insert(line).inserted, let due = core.nextTry(in: line) {
                let left = max(due - now, .zero).components
                entry.nextTryAt = wallTime.addingTimeInterval(
                    Double(left.seconds) + Double(left.attoseconds) / 1e18)
            }
            guard entry.kind.isTheUsers || entry.tries > 0 || !core.isConnected else { return nil }
            return entry
        }
    }
}
