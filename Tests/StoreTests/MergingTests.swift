import FoundationEssentials
import Models
import Store
import TestSupport
import Testing

@Suite struct MergingTests {
    private let room = UUID.example(100)

    private func bodies(_ store: MessageStore) async throws -> [String] {
        try await store.newestPage(in: room, limit: 100).messages.map(\.body)
    }

    @Test func equalPositionsAreOrderedByIdOnEveryPage() async throws {
        let store = try MessageStore.inMemory(for: .ana)
        let messages = (0..<70).map { Message.stored("m\($0)", in: room, at: 5) }
        try await store.merge(IncomingRows(messages: messages.shuffled()))
        let expected = messages.map(\.id).sorted()

        var paged: [UUID] = []
        var key = ThreadKey(position: .max, id: UUID())
        while true {
            let page = try await store.messages(in: room, before: key, limit: 20)
            guard let first = page.first.flatMap({ ThreadKey($0) }) else { break }
            paged = page.map(\.id) + paged
            key = first
        }

        #expect(paged == expected)
    }

    @Test func theLaterFormWinsWhateverTheOrder() async throws {
        let first = Message.stored("first", in: room, at: 1)
        var second = first
        second.body = "second"
        second.version = 2
        var gone = first
        gone.deletedAt = .exampleMorning
        gone.version = 3
        for order in [
            [first, second, gone], [gone, second, first], [second, gone, first], [gone, first, second],
        ] {
            let store = try MessageStore.inMemory(for: .ana)
            for message in order { try await store.merge(IncomingRows(messages: [message])) }
            let held = try await store.newestPage(in: room, limit: 10).messages
            #expect(held.count == 1)
            #expect(held.first?.isDeleted == true)
            #expect(held.first?.body == "")
        }
    }

    @Test func aDeletedMessageIsNotFound() async throws {
        let store = try MessageStore.inMemory(for: .ana)
        var message = Message.stored("the secret word", in: room, at: 1)
        try await store.merge(IncomingRows(messages: [message]))
        #expect(try await store.search("secret").count == 1)
        message.deletedAt = .exampleMorning
        message.version = 2
        try await store.merge(IncomingRows(messages: [message]))
        #expect(try await store.search("secret").isEmpty)
    }

    @Test func waitingMessagesStandLastInTheOrderTyped() async throws {
        let store = try MessageStore.inMemory(for: .ana)
        for body in ["one", "two"] { try await store.enqueue(.typed(body, in: room)) }
        try await store.merge(IncomingRows(messages: [.stored("late", in: room, at: 9)]))
        #expect(try await bodies(store) == ["late", "one", "two"])
    }

    @Test func marksMakeStatesThatOnlyMoveForward() async throws {
        let store = try MessageStore.inMemory(for: .ana)
        let own = (1...3).map { Message.stored("r\($0)", in: room, from: .ana, at: Int64($0)) }
        try await store.keep([Conversation(id: room, title: "", isGroup: false)])
        try await store.merge(IncomingRows(messages: own))
        func hear(delivered: Int64?, read: Int64?) async throws -> [DeliveryState] {
            let mark = MemberMark(
                conversationID: room, userID: .ben, deliveredPosition: delivered, readPosition: read)
            try await store.merge(IncomingRows(members: [mark]))
            return try await store.newestPage(in: room, limit: 10).messages.map(\.deliveryState)
        }
        #expect(try await hear(delivered: 3, read: nil) == [.delivered, .delivered, .delivered])
        #expect(try await hear(delivered: 3, read: 1) == [.read, .delivered, .delivered])
        #expect(try await hear(delivered: 1, read: nil) == [.read, .delivered, .delivered])
    }

    @Test func inAGroupTheSlowestDecides() async throws {
        let store = try MessageStore.inMemory(for: .ana)
        try await store.keep([Conversation(id: room, title: "", isGroup: true, memberCount: 3)])
        try await store.merge(IncomingRows(messages: [.stored("hi", in: room, from: .ana, at: 1)]))
        func hear(_ userID: UUID) async throws -> DeliveryState? {
            let mark = MemberMark(conversationID: room, userID: userID, deliveredPosition: 1, readPosition: 1)
            try await store.merge(IncomingRows(members: [mark]))
            return try await store.newestPage(in: room, limit: 1).messages.first?.deliveryState
        }
        #expect(try await hear(.ben) == .sent)
        #expect(try await hear(.cleo) == .read)
    }
}
