import FoundationEssentials
import Models
import Sync

/// What is decided about the outbox.
extension FakeChatService {
    @MainActor package func outboxEntries() async -> AsyncStream<[OutboxEntry]> { outboxRelay.stream() }

    @MainActor package func retry(_ messageID: UUID) async throws(ChatError) {
        try check()
        retried.append(messageID)
    }

    @MainActor package func drop(_ messageID: UUID) async throws(ChatError) {
        try check()
        deleted.append(messageID)
    }

    @MainActor package func takeBack(_ messageID: UUID) async throws(ChatError) -> TakenBack? {
        try check()
        return takeable.removeValue(forKey: messageID)
    }

    @MainActor package func cancel(_ operation: OutboxEntry.ID) async throws(ChatError) -> Bool {
        try check()
        cancelled.append(operation)
        return true
    }

    @MainActor package func retryFailed() async throws(ChatError) -> Int {
        try check()
        defer { refusedTexts = [] }
        return refusedTexts.count
    }

    @MainActor package func dropFailed() async throws(ChatError) -> [String] {
        try check()
        defer { refusedTexts = [] }
        return refusedTexts
    }

    @MainActor package func markUnread(_ conversationID: UUID) async throws(ChatError) {
        try check()
        markedUnread.append(conversationID)
    }
}
