import FoundationEssentials
import Models
import Store
import TestSupport
import Testing

/// Threads without an end, as they were reported of other messengers.
@Suite struct SizeTrialTests {
    private let room = UUID.example(100)

    /// A thread of so many messages of Ben's, all but the last three read, and with a reaction on every tenth.
    private func store(_ count: Int) async throws -> MessageStore {
        let store = try MessageStore.inMemory(for: .ana)
        let all = (1...count).map { number in
            Message.stored(
                "message \(number)", id: .example(UInt32(number)), in: room,
                from: number % 4 == 0 ? .ana : .ben,
                at: Int64(number))
        }
        let reactions = all.filter { ($0.position ?? 0) % 10 == 0 }.map {
            ReactionRow(messageID: $0.id, userID: .cleo, symbol: "👍", isOn: true, version: 1)
        }
        try await store.keepFirstPage(
            of: room, IncomingRows(messages: all, reactions: reactions),
            cursor: StoredCursor(order: Int64(count), token: "t"))
        try await store.keepOlderPage(
            of: room, IncomingRows(), below: ThreadKey(position: 1, id: .example(1)))
        try await store.keep([
            Conversation(id: room, title: "Long", isGroup: true, lastMessage: all.last, memberCount: 3)
        ])
        try await store.markRead(upTo: .example(UInt32(count - 3)), in: room)
        return store
    }

    /// Everything that opening, scrolling and writing ask of the store, with the steps that each of them takes.
    private func work(_ store: MessageStore, _ count: Int) async throws -> [String: Int64] {
        var steps: [String: Int64] = [:]
        func measure(_ name: String, _ deed: () async throws -> Int) async throws {
            _ = try await deed()  // the statements of the first time are prepared on the way
            let before = await store.stepCount
            let rows = try await deed()
            steps[name] = await store.stepCount - before
            #expect(rows <= 100, "\(name)")
        }
        let middle = ThreadKey(position: Int64(count / 2), id: .example(UInt32(count / 2)))
        try await measure("list") { try await store.conversations().count }
        try await measure("open") { try await store.newestPage(in: room, limit: 100).messages.count }
        try await measure("page") { try await store.messages(in: room, before: middle, limit: 100).count }
        try await measure("top") {
            try await store.messages(in: room, before: ThreadKey(position: 50, id: .example(50)), limit: 100)
                .count
        }
        try await measure("jump") {
            try await store.messages(around: .example(UInt32(count / 3)), in: room, limit: 100).count
        }
        try await measure("gap") { try await store.gap(below: middle, in: room) == nil ? 0 : 1 }
        try await measure("write") {
            try await store.enqueue(.typed("mine", in: room))
            return 1
        }
        try await measure("react") {
            try await store.enqueueReaction("👍", isOn: nil, to: .example(UInt32(count / 2)), in: room)
            return 1
        }
        var last = Int64(count)
        try await measure("arrival") {
            last += 1
            try await store.merge(IncomingRows(messages: [.stored("live", in: room, at: last)]))
            return 1
        }
        try await measure("receipt") {
            last += 1
            let marks = [UUID.ben, .cleo].map {
                MemberMark(conversationID: room, userID: $0, deliveredPosition: last, readPosition: last)
            }
            try await store.merge(IncomingRows(members: marks))
            return 1
        }
        try await measure("read") {
            try await store.markRead(upTo: .example(UInt32(count)), in: room)
            return 1
        }
        return steps
    }

    @Test func t34TheWorkOfAThreadDoesNotGrowWithItsHistory() async throws {
        let (few, many) = (400, 20_000)
        let short = try await work(store(few), few)
        let long = try await work(store(many), many)
        #expect(short.count == 11)
        for (name, steps) in long {
            let bound = (short[name] ?? 0) * 3 / 2 + 200
            #expect(
                steps <= bound,
                "\(name): \(steps) steps with \(many) messages, \(short[name] ?? 0) with \(few)")
        }
    }
}
