import Backend
import FoundationEssentials
import Models
import Store

/// Messages asked for by their id, however far back.
extension SyncEngine {
    /// Pages fetched at most on the way to one message.
    private static let pagesToReach = 50
    private static let reachingPage = 200

    package func message(_ id: UUID, in conversationID: UUID) async throws(ChatError) -> Message? {
        let held = try await keeping { () async throws(StoreError) in try await self.store.message(id) }
        if let held { return held.conversationID == conversationID ? held : nil }
        return try await asked(for: id, in: conversationID)
    }

    package func messages(around messageID: UUID, in conversationID: UUID, limit: Int)
        async throws(ChatError) -> [Message]
    {
        let held = try await whole(around: messageID, in: conversationID, limit)
        guard held.isEmpty, let wanted = try await message(messageID, in: conversationID),
            let key = ThreadKey(wanted)
        else { return held }
        try await reach(key, in: conversationID)
        return try await whole(around: messageID, in: conversationID, limit)
    }

    private func whole(around messageID: UUID, in conversationID: UUID, _ limit: Int)
        async throws(ChatError) -> [Message]
    {
        try await keeping { () async throws(StoreError) in
            try await self.store.messages(around: messageID, in: conversationID, limit: limit)
        }
    }

    private func asked(for id: UUID, in conversationID: UUID) async throws(ChatError) -> Message? {
        do {
            return try await backend.message(id, in: conversationID).message
        } catch {
            switch error {
            case .notFound, .notAllowed, .unsupported: return nil
            default: throw ChatError(error)
            }
        }
    }

    /// Fetches page after page downwards, so that nothing is missing above the place.
    private func reach(_ key: ThreadKey, in conversationID: UUID) async throws(ChatError) {
        for _ in 0..<Self.pagesToReach {
            let end = try await keeping { () async throws(StoreError) in
                try await self.store.wholeEnd(of: conversationID)
            }
            // Before the first page there is no end to go on from; at the beginning there is nothing below.
            guard let end, key < end else { return }
            let anchor = try await self.anchor(at: end)
            let page = try await asking { () async throws(BackendError) in
                try await self.backend.history(of: conversationID, before: anchor, limit: Self.reachingPage)
            }
            try await keeping { () async throws(StoreError) in
                try await self.store.keepOlderPage(of: conversationID, IncomingRows(page), below: end)
            }
        }
    }
}
