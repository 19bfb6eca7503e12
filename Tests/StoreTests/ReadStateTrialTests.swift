import FoundationEssentials
import Models
import Store
import TestSupport
import Testing

/// Receipts that come late, twice or in another order, as they were reported of other messengers.
@Suite struct ReadStateTrialTests {
    private let room = UUID.example(100)
    private let folder = FileManager.default.temporaryDirectory.appending(path: "read-\(UUID())").path

    private func states(_ store: MessageStore) async throws -> [DeliveryState] {
        try await store.newestPage(in: room, limit: 10).messages.map(\.deliveryState)
    }

    private func own(_ number: Int) -> Message {
        .stored("r\(number)", id: .example(UInt32(number)), in: room, from: .ana, at: Int64(number))
    }

    /// Ana wrote r1, r2 and r3, at the positions 1 to 3.
    private func fill(_ store: MessageStore, members: Int) async throws {
        try await store.keep([
            Conversation(id: room, title: "", isGroup: members > 2, memberCount: members)
        ])
        try await store.merge(IncomingRows(messages: (1...3).map(own)))
    }

    private func hear(
        _ store: MessageStore, _ person: UUID = .ben, delivered: Int64? = nil, read: Int64? = nil
    ) async throws {
        let mark = MemberMark(
            conversationID: room, userID: person, deliveredPosition: delivered, readPosition: read)
        try await store.merge(IncomingRows(members: [mark]))
    }

    @Test func t28NoReceiptTakesAnotherBackAndARestartTakesNone() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }  // a leftover harms nobody
        let store = try MessageStore.open(directory: folder, for: .ana)
        try await fill(store, members: 2)
        #expect(try await states(store) == [.sent, .sent, .sent])
        try await hear(store, delivered: 3)
        #expect(try await states(store) == [.delivered, .delivered, .delivered])
        try await hear(store, read: 1)
        #expect(try await states(store) == [.read, .delivered, .delivered])
        try await hear(store, delivered: 2)
        try await hear(store, delivered: 1)
        // A list that was asked for before all this, and a row of the message from then.
        try await store.keep([Conversation(id: room, title: "", isGroup: false)])
        try await store.merge(IncomingRows(messages: [own(1)]))
        #expect(try await states(store) == [.read, .delivered, .delivered])
        await store.close()

        let again = try MessageStore.open(directory: folder, for: .ana)
        #expect(try await states(again) == [.read, .delivered, .delivered])
        try await hear(again, delivered: 1)
        #expect(try await states(again) == [.read, .delivered, .delivered])
        await again.close()
    }

    /// Whatever comes in whatever order, each state is at least what it was.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func t28StatesOnlyRise(_ seed: UInt64) async throws {
        func rank(_ state: DeliveryState) -> Int {
            [.sent, .delivered, .read].firstIndex(of: state) ?? -1
        }
        var random = SeededRandom(seed: seed)
        let store = try MessageStore.inMemory(for: .ana)
        let others: [UUID] = [.ben, .cleo, .example(4)]
        try await fill(store, members: 4)
        var before = try await states(store).map(rank)
        for _ in 0..<60 {
            let person = others.randomElement(using: &random) ?? .ben
            try await hear(
                store, person, delivered: [nil, 1, 2, 3].randomElement(using: &random) ?? nil,
                read: [nil, 1, 2, 3].randomElement(using: &random) ?? nil)
            let now = try await states(store).map(rank)
            #expect(zip(before, now).allSatisfy { $0 <= $1 })
            // What is read before another one was written is read at least as far.
            #expect(zip(now, now.dropFirst()).allSatisfy { $0 >= $1 })
            before = now
        }
    }

    @Test func t28InAGroupEachReaderIsKnownAndAllOfThemMakeItRead() async throws {
        let store = try MessageStore.inMemory(for: .ana)
        try await fill(store, members: 3)
        for person in [UUID.ben, .cleo] { try await hear(store, person, delivered: 3) }
        try await hear(store, .ben, delivered: 3, read: 2)
        #expect(try await states(store) == [.delivered, .delivered, .delivered])
        func readers() async throws -> [UUID] {
            try await store.members(of: room).filter { $0.readPosition ?? .min >= 2 }.map(\.id)
        }
        #expect(try await readers() == [.ben])
        try await hear(store, .cleo, delivered: 2, read: 2)
        #expect(Set(try await readers()) == [.ben, .cleo])
        #expect(try await states(store) == [.read, .read, .delivered])
        try await hear(store, .ben, delivered: 1, read: 1)
        #expect(try await states(store) == [.read, .read, .delivered])
    }
}
