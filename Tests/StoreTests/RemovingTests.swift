import FoundationEssentials
import Models
import Store
import TestSupport
import Testing

@Suite struct RemovingTests {
    private let room = UUID.example(100)

    private func store(_ messages: [Message]) async throws -> MessageStore {
        let store = try MessageStore.inMemory(for: .ana)
        try await store.keep([Conversation(id: room, title: "Room", isGroup: false)])
        try await store.merge(IncomingRows(messages: messages))
        return store
    }

    private func bodies(_ store: MessageStore) async throws -> [String] {
        try await store.newestPage(in: room, limit: 100).messages.map(\.body)
    }

    @Test func aRemovedMessageGoesAndTheOthersStayInTheirOrder() async throws {
        let messages = (1...3).map { Message.stored("word\($0)", in: room, at: Int64($0)) }
        let store = try await store(messages)
        var changes = store.changes.makeAsyncIterator()
        for _ in 0..<2 { _ = await changes.next() }

        try await store.merge(IncomingRows(removed: [messages[1].id]))

        #expect(try await bodies(store) == ["word1", "word3"])
        #expect(await changes.next()?.dropped.map(\.id) == [messages[1].id])
        #expect(try await store.search("word2").isEmpty)
        #expect(try await store.conversations().first?.unreadCount == 2)
    }

    @Test func aRemovedMessageDoesNotComeBackWithAPageReadBefore() async throws {
        let message = Message.stored("gone", in: room, at: 1)
        let store = try await store([message])
        try await store.merge(IncomingRows(messages: [message], removed: [message.id]))
        try await store.merge(IncomingRows(messages: [message]))
        #expect(try await bodies(store).isEmpty)
        // One that was removed before it was ever seen, too.
        let unseen = Message.stored("unseen", in: room, at: 2)
        try await store.merge(IncomingRows(removed: [unseen.id]))
        try await store.merge(IncomingRows(messages: [unseen]))
        #expect(try await bodies(store).isEmpty)
    }

    @Test func aRemovedMessageIsNotTheLastOnTheList() async throws {
        let message = Message.stored("gone", in: room, at: 2)
        let store = try await store([.stored("stays", in: room, at: 1), message])
        try await store.keep([
            Conversation(id: room, title: "Room", isGroup: false, lastMessage: message)
        ])
        try await store.merge(IncomingRows(removed: [message.id]))
        #expect(try await store.conversations().first?.lastMessage?.body == "stays")
        // Nor is one of which only the list's short form was held.
        let other = UUID.example(101)
        let far = Message.stored("far", in: other, at: 9)
        try await store.keep([Conversation(id: other, title: "Other", isGroup: false, lastMessage: far)])
        try await store.merge(IncomingRows(messages: [far], removed: [far.id]))
        #expect(try await store.conversations().first { $0.id == other }?.lastMessage == nil)
    }

    @Test func whatWaitsIsNotRemoved() async throws {
        let store = try await store([])
        let typed = try await store.enqueue(.typed("mine", in: room))
        try await store.merge(IncomingRows(removed: [typed.id]))
        #expect(try await bodies(store) == ["mine"])
        #expect(try await store.waitingCount() == 1)
    }

    @Test func wishesAboutARemovedMessageGoAndMarksStandForTheOneBelow() async throws {
        let messages = (1...2).map { Message.stored("m\($0)", in: room, at: Int64($0)) }
        let store = try await store(messages)
        try await store.enqueueReaction("heart", isOn: true, to: messages[1].id, in: room)
        try await store.markRead(upTo: messages[1].id, in: room)

        try await store.merge(IncomingRows(removed: [messages[1].id]))

        #expect(try await store.waitingCount() == 0)
        var waiting: [StoredOperation] = []
        while let row = try await store.nextWaiting(in: room) {
            waiting.append(row.operation)
            try await store.finish(row, with: IncomingRows())
        }
        #expect(
            Set(waiting)
                == [.markDelivered(messageID: messages[0].id), .markRead(messageID: messages[0].id)])
        #expect(try await store.conversations().first?.unreadCount == 0)
    }
}
