import FoundationEssentials
import Models
import Store
import TestSupport
import Testing

@Suite struct GapTests {
    private let room = UUID.example(100)

    private func messages(_ positions: ClosedRange<Int64>) -> IncomingRows {
        IncomingRows(messages: positions.map { .stored("k\($0)", in: room, at: $0) })
    }

    private func key(_ position: Int64, _ store: MessageStore) async throws -> ThreadKey {
        let all = try await store.newestPage(in: room, limit: 1_000).messages
        return try #require(all.first { $0.position == position }.flatMap { ThreadKey($0) })
    }

    @Test func belowTheFirstPageIsTheTail() async throws {
        let store = try MessageStore.inMemory(for: .ana)
        try await store.keepFirstPage(
            of: room, messages(11...20), cursor: StoredCursor(order: 20, token: "t"))
        #expect(try await store.gapPosition(in: room) == nil)
        let key = try await key(11, store)
        #expect(try await store.gap(below: key, in: room)?.isTail == true)
        try await store.keepOlderPage(of: room, messages(1...10), below: key)
        let bottom = try await self.key(1, store)
        #expect(try await store.gap(below: bottom, in: room)?.upper == bottom)
        try await store.keepOlderPage(of: room, IncomingRows(), below: bottom)
        #expect(try await store.gap(below: bottom, in: room) == nil)
    }

    @Test func theNewestPageStandsAboveAGapUntilAllIsCaughtUp() async throws {
        let store = try MessageStore.inMemory(for: .ana)
        try await store.keepFirstPage(of: room, messages(1...5), cursor: StoredCursor(order: 5, token: "t5"))
        try await store.keepNewestPage(of: room, messages(90...99))
        #expect(try await store.gapPosition(in: room) == 90)
        try await store.keepChanges(of: room, messages(6...50))
        #expect(try await store.gapPosition(in: room) == 90)
        #expect(try await store.cursor(of: room)?.order == 5)
        try await store.completeCatchUp(
            of: room, messages(51...89), cursor: StoredCursor(order: 99, token: "t99"))
        #expect(try await store.gapPosition(in: room) == nil)
        #expect(try await store.cursor(of: room)?.token == "t99")
        #expect(try await store.newestPage(in: room, limit: 200).messages.count == 99)
    }

    @Test func scrollingFillsTheGapFromAbove() async throws {
        let store = try MessageStore.inMemory(for: .ana)
        try await store.keepFirstPage(of: room, messages(1...5), cursor: StoredCursor(order: 5, token: "t5"))
        try await store.keepNewestPage(of: room, messages(20...29))
        try await store.keepOlderPage(of: room, messages(10...19), below: try await key(20, store))
        #expect(try await store.gapPosition(in: room) == 10)
        try await store.keepOlderPage(of: room, messages(3...9), below: try await key(10, store))
        #expect(try await store.gapPosition(in: room) == nil)
        #expect(try await store.gap(below: try await key(3, store), in: room)?.isTail == true)
    }

    @Test func aLiveMessageBeforeTheCatchUpStandsAboveAGap() async throws {
        let store = try MessageStore.inMemory(for: .ana)
        try await store.keepFirstPage(of: room, messages(1...5), cursor: StoredCursor(order: 5, token: "t5"))
        try await store.merge(messages(9...9), unsure: [room])
        #expect(try await store.gapPosition(in: room) == 9)
        try await store.completeCatchUp(
            of: room, messages(6...8), cursor: StoredCursor(order: 9, token: "t9"))
        #expect(try await store.gapPosition(in: room) == nil)
    }

    @Test func aCursorNeverMovesBack() async throws {
        let store = try MessageStore.inMemory(for: .ana)
        try await store.completeCatchUp(of: room, IncomingRows(), cursor: StoredCursor(order: 9, token: "t9"))
        try await store.completeCatchUp(of: room, IncomingRows(), cursor: StoredCursor(order: 5, token: "t5"))
        #expect(try await store.cursor(of: room)?.token == "t9")
    }
}
