import FoundationEssentials
import Models
import TestSupport
import Testing

@testable import Store

/// Messages that the service calls otherwise than we do.
@Suite struct NameTests {
    private let room = UUID.example(100)
    private let temporary = UUID.example(9_001)
    private let final = UUID.example(1_048_576)

    private func sent(_ id: UUID, at position: Int64 = 7) -> Message {
        .stored("only one row", id: id, in: room, from: .ana, at: position)
    }

    private func held(_ store: MessageStore) async throws -> [Message] {
        try await store.newestPage(in: room, limit: 100).messages
    }

    /// One step of what is heard about a message on its way.
    enum Step: CaseIterable { case called, pending, renamed, row, answer }

    private static var orders: [[Step]] {
        func permutations(_ steps: [Step]) -> [[Step]] {
            guard steps.count > 1 else { return [steps] }
            return steps.indices.flatMap { index -> [[Step]] in
                var rest = steps
                let first = rest.remove(at: index)
                return permutations(rest).map { [first] + $0 }
            }
        }
        return permutations(Step.allCases)
    }

    private func take(_ step: Step, of typed: Message, _ send: OutboxRow, _ store: MessageStore) async throws
    {
        switch step {
        case .called:
            try await store.merge(IncomingRows(renamed: [NameChange(from: typed.id, to: temporary)]))
        case .pending:
            let page = IncomingRows(messages: [.typed("only one row", id: temporary, in: room)])
            try await store.keepNewestPage(of: room, page)
            try await store.merge(page)
        case .renamed:
            try await store.merge(IncomingRows(renamed: [NameChange(from: temporary, to: final)]))
        case .row: try await store.merge(IncomingRows(messages: [sent(final)]))
        case .answer: try await store.finish(send, with: IncomingRows(messages: [sent(final)]))
        }
    }

    @Test(arguments: 0..<orders.count)
    func t09InAnyOrderItIsOneRowAndWhatNamesItNamesTheFinalOne(_ number: Int) async throws {
        let store = try MessageStore.inMemory(for: .ana)
        let typed = try await store.enqueue(.typed("only one row", in: room))
        let send = try #require(try await store.nextWaiting(in: room))
        try await store.enqueueReaction("👍", isOn: true, to: typed.id, in: room)
        var reply = Message.typed("and an answer to it", in: room)
        reply.replyTo = typed.id
        try await store.enqueue(reply)
        // Everything once in this order, and once more in the order in which it really happens.
        for step in Self.orders[number] { try await take(step, of: typed, send, store) }
        for step in Step.allCases { try await take(step, of: typed, send, store) }

        let shown = try await held(store)
        #expect(shown.map(\.id) == [typed.id, reply.id])
        #expect(shown.first?.position == 7 && shown.first?.deliveryState == .sent)
        #expect(shown.first?.reactions == [Reaction(symbol: "👍", byMe: true)])
        #expect(shown.last?.replyTo == typed.id)
        #expect(try await store.search("only").count == 1)
        #expect(try await store.serviceName(of: typed.id) == final)

        let reaction = try #require(try await store.nextWaiting(in: room))
        #expect(reaction.operation == .react(messageID: typed.id, symbol: "👍", isOn: true))
        #expect(reaction.serviceNames == [typed.id: final])
        try await store.finish(reaction, with: IncomingRows())
        let answer = try #require(try await store.nextWaiting(in: room))
        #expect(answer.operation.messageID == reply.id)
        #expect(answer.serviceNames == [typed.id: final])
    }

    @Test func whatNamedARowThatBecomesAnotherMovesWithIt() async throws {
        let store = try MessageStore.inMemory(for: .ana)
        let typed = try await store.enqueue(.typed("only one row", in: room))
        var reply = Message.stored("yes", in: room, from: .ana, at: 9)
        reply.replyTo = final
        let like = ReactionRow(messageID: final, userID: .ben, symbol: "👍", isOn: true, version: 1)
        try await store.merge(IncomingRows(messages: [reply, sent(final)], reactions: [like]))
        try await store.enqueue(.edit(messageID: final, body: "edited"), in: room)
        #expect(try await held(store).count == 3)

        try await store.merge(IncomingRows(renamed: [NameChange(from: typed.id, to: final)]))

        let shown = try await held(store)
        #expect(shown.map(\.id) == [typed.id, reply.id])
        #expect(shown.first?.body == "edited")
        #expect(shown.first?.reactions.map(\.count) == [1])
        #expect(shown.last?.replyTo == typed.id)
        let edit = try #require(try await store.nextWaiting(in: room))
        #expect(edit.operation == .edit(messageID: typed.id, body: "edited"))
        #expect(edit.serviceNames == [typed.id: final])
        // A second edit takes the place of the first, under whichever name it was wished.
        try await store.enqueue(.edit(messageID: typed.id, body: "again"), in: room)
        #expect(try await store.waitingCount() == 1)
    }

    @Test func theScreenIsToldThatTheOtherRowIsGone() async throws {
        let store = try MessageStore.inMemory(for: .ana)
        let typed = try await store.enqueue(.typed("only one row", in: room))
        try await store.merge(IncomingRows(messages: [sent(final)]))
        try await store.merge(IncomingRows(renamed: [NameChange(from: typed.id, to: final)]))
        await store.close()
        var last: StoreChange?
        for await change in store.changes { last = change }
        #expect(last?.dropped.map(\.id) == [final])
        #expect(last?.messages.map(\.id) == [typed.id])
        #expect(last?.messages.first?.deliveryState == .sent)
        #expect(last?.waitingCount == 0)
    }

    @Test func theEdgesOfAHoleFollow() async throws {
        let store = try MessageStore.inMemory(for: .ana)
        let own = UUID.example(200)  // sorts before the service's name
        let cursor = StoredCursor(order: 1, token: "t")
        let old = IncomingRows(messages: [.stored("old", in: room, at: 1)])
        try await store.keepFirstPage(of: room, old, cursor: cursor)
        try await store.enqueue(.typed("only one row", id: own, in: room))
        try await store.keepNewestPage(of: room, IncomingRows(messages: [sent(final, at: 50)]))
        try await store.merge(IncomingRows(renamed: [NameChange(from: own, to: final)]))
        let end = ThreadKey(position: .max, id: own)
        let gap = try #require(try await store.gap(below: end, in: room))
        let newest = try #require(try await held(store).last.flatMap { ThreadKey($0) })
        #expect(gap.upper == newest)
        // The page below it joins it, whatever the service calls its end.
        try await store.keepOlderPage(of: room, old, below: newest)
        #expect(try await store.gapPosition(in: room) == nil)
    }

    @Test(arguments: [true, false])
    func whatTheServiceRemovesUnderItsOwnNameIsGone(_ isRemovedFirst: Bool) async throws {
        let store = try MessageStore.inMemory(for: .ana)
        let typed = try await store.enqueue(.typed("only one row", in: room))
        let name = IncomingRows(renamed: [NameChange(from: typed.id, to: final)])
        let row = IncomingRows(messages: [sent(final)])
        let removal = IncomingRows(removed: [final])
        for rows in isRemovedFirst ? [removal, name, row] : [row, name, removal, row] {
            try await store.merge(rows)
        }
        #expect(try await held(store).isEmpty)
        #expect(try await store.waitingCount() == 0)
    }

    @Test func whatWasDroppedOnItsWayIsTakenBackUnderTheServicesName() async throws {
        let store = try MessageStore.inMemory(for: .ana)
        let typed = try await store.enqueue(.typed("only one row", in: room))
        let send = try #require(try await store.nextWaiting(in: room))
        _ = try await store.drop(typed.id, mayHaveArrived: true)
        try await store.finish(send, with: IncomingRows(messages: [sent(final)]))
        let delete = try #require(try await store.nextWaiting(in: room))
        #expect(delete.operation == .delete(messageID: typed.id))
        #expect(delete.serviceNames == [typed.id: final])
    }

    @Test func namesOutliveARestartAndADamagedStore() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "names-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }  // a leftover harms nobody
        let store = try MessageStore.open(directory: folder, for: .ana)
        let typed = try await store.enqueue(.typed("only one row", in: room))
        try await store.merge(
            IncomingRows(messages: [sent(final)], renamed: [NameChange(from: typed.id, to: final)]))
        try await store.enqueueReaction("👍", isOn: true, to: typed.id, in: room)
        await store.close()

        let again = try MessageStore.open(directory: folder, for: .ana)
        try await again.merge(IncomingRows(messages: [sent(final)]))
        #expect(try await held(again).map(\.id) == [typed.id])
        await again.close()

        try Data().write(to: URL(filePath: folder + "/store.damaged"))
        let rebuilt = try await MessageStore.openOrRebuild(directory: folder, for: .ana)
        #expect(rebuilt.rescue?.changes == 1)
        let reaction = try #require(try await rebuilt.store.nextWaiting(in: room))
        #expect(reaction.operation.messageID == typed.id)
        #expect(reaction.serviceNames == [typed.id: final])
        try await rebuilt.store.merge(IncomingRows(messages: [sent(final)]))
        #expect(try await held(rebuilt.store).map(\.id) == [typed.id])
        await rebuilt.store.close()
    }
}
