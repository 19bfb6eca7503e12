import Backend
import Diagnostics
import FoundationEssentials
import Models
import Store

extension SyncEngine {
    /// Pages that one step back in a thread may take to fill a hole above it.
    private static let pagesAtOnce = 20

    package func people(matching query: String) async throws(ChatError) -> [Person] {
        try await asking { () async throws(BackendError) in try await self.backend.people(matching: query) }
    }

    package func startConversation(with people: [UUID], title: String?, isGroup: Bool)
        async throws(ChatError) -> UUID
    {
        let id = try await asking { () async throws(BackendError) in
            try await self.backend.createConversation(
                id: self.makeID(), with: people, title: title, isGroup: isGroup)
        }
        await refreshList()
        return id
    }

    package func addMembers(_ people: [UUID], to conversationID: UUID) async throws(ChatError) {
        try await asking { () async throws(BackendError) in
            try await self.backend.addMembers(people, to: conversationID)
        }
        perform(.fetchMembers(conversationID))
        receive(.listDoubted)
    }

    package func leaveConversation(_ conversationID: UUID) async throws(ChatError) {
        try await asking { () async throws(BackendError) in
            try await self.backend.leaveConversation(conversationID)
        }
        try await keeping { () async throws(StoreError) in try await self.store.markLeft([conversationID]) }
    }

    package func olderMessages(in conversationID: UUID, before anchor: Message, limit: Int)
        async throws(ChatError) -> HistoryPage
    {
        let key = ThreadKey(anchor) ?? ThreadKey(position: .max, id: anchor.id)
        let limit = min(max(limit, 1), 200)
        guard let gap = try await gap(below: key, in: conversationID) else {
            return try await stored(before: key, after: nil, in: conversationID, limit)
        }
        let held = try await stored(before: key, after: gap, in: conversationID, limit)
        guard held.messages.isEmpty || gap.holdsNothing else { return held }
        return try await fill(gap, before: key, in: conversationID, limit)
    }

    /// Fetches what is missing below an anchor. One that stands alone in the hole is reached from the hole's upper end.
    private func fill(_ gap: Gap, before key: ThreadKey, in conversationID: UUID, _ limit: Int)
        async throws(ChatError) -> HistoryPage
    {
        var hole = gap
        for _ in 0..<Self.pagesAtOnce {
            let top = hole.holdsNothing ? key : max(key, hole.upper)
            let anchor = try await self.anchor(at: top)
            let page = try await asking { () async throws(BackendError) in
                try await self.backend.history(of: conversationID, before: anchor, limit: limit)
            }
            try await keeping { () async throws(StoreError) in
                try await self.store.keepOlderPage(of: conversationID, IncomingRows(page), below: top)
            }
            guard let next = try await self.gap(below: key, in: conversationID) else {
                return try await stored(before: key, after: nil, in: conversationID, limit)
            }
            let isBelow = next.holdsNothing || next.upper <= key || next == hole
            hole = next
            if isBelow { break }
        }
        return try await stored(before: key, after: hole, in: conversationID, limit)
    }

    /// Stored messages below `key` and above the gap; the beginning is reached when there is no gap and no more.
    private func stored(before key: ThreadKey, after gap: Gap?, in conversationID: UUID, _ limit: Int)
        async throws(ChatError) -> HistoryPage
    {
        let held = try await keeping { () async throws(StoreError) in
            try await self.store.messages(in: conversationID, before: key, limit: limit)
        }
        if let gap, gap.holdsNothing { return HistoryPage(messages: held, reachedBeginning: false) }
        guard let gap else { return HistoryPage(messages: held, reachedBeginning: held.count < limit) }
        let complete = held.filter { ThreadKey($0).map { $0 >= gap.upper } ?? false }
        return HistoryPage(messages: complete, reachedBeginning: false)
    }

    /// The place in the service's own words; `nil` is the newest end.
    func anchor(at key: ThreadKey) async throws(ChatError) -> MessageAnchor? {
        guard key.position != .max else { return nil }
        let id = try await keeping { () async throws(StoreError) in
            try await self.store.serviceName(of: key.id)
        }
        return MessageAnchor(position: key.position, id: id)
    }

    func gap(below key: ThreadKey, in conversationID: UUID) async throws(ChatError) -> Gap? {
        try await keeping { () async throws(StoreError) in
            try await self.store.gap(below: key, in: conversationID)
        }
    }

    /// Brings the top of the list up to date, so that a conversation just begun is on it.
    private func refreshList() async {
        do throws(BackendError) {
            let heads = try await backend.conversations(before: nil)
            do throws(StoreError) { try await store.keep(heads.map(\.conversation)) } catch {
                tellTrouble(error)
            }
        } catch {
            log.info("list not refreshed", ["transient": .flag(error.isTransient)])
        }
        receive(.listDoubted)
    }

    func asking<Result: Sendable>(
        _ work: () async throws(BackendError) -> Result
    ) async throws(ChatError) -> Result {
        do { return try await work() } catch { throw ChatError(error) }
    }
}
