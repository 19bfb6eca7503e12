import FoundationEssentials
import Models
import Store
import TestSupport
import Testing

@Suite struct UnreadTests {
    private let room = UUID.example(100)

    private func store(unread: Int = 0, upTo last: Message? = nil, read: Int64? = nil) async throws
        -> MessageStore
    {
        let store = try MessageStore.inMemory(for: .ana)
        var head = Conversation(
            id: room, title: "Room", isGroup: false, lastMessage: last, unreadCount: unread)
        head.readPosition = read
        try await store.keep([head])
        return store
    }

    private func unread(_ store: MessageStore) async throws -> Int? {
        try await store.conversations().first?.unreadCount
    }

    @Test func t27ReplaysAndOwnMessagesNeverCount() async throws {
        let store = try await store()
        let bens = Message.stored("hi", in: room, at: 1)
        for _ in 0..<5 { try await store.merge(IncomingRows(messages: [bens])) }
        try await store.merge(IncomingRows(messages: [.stored("me, elsewhere", in: room, from: .ana, at: 2)]))
        #expect(try await unread(store) == 1)
    }

    @Test func t27AnOwnMessageThatIsConfirmedDoesNotCount() async throws {
        let store = try await store()
        var own = try await store.enqueue(.typed("hello", in: room))
        own.position = 7
        own.version = 7
        try await store.merge(IncomingRows(messages: [own]))
        #expect(try await unread(store) == 0)
    }

    @Test func t26ALateAnswerDoesNotBringTheCountBack() async throws {
        let store = try await store()
        let messages = (1...3).map { Message.stored("m\($0)", in: room, at: Int64($0)) }
        try await store.merge(IncomingRows(messages: messages))
        try await store.markRead(upTo: messages[2].id, in: room)
        #expect(try await unread(store) == 0)
        // The list as the service had it before it heard of the mark.
        var stale = Conversation(
            id: room, title: "Room", isGroup: false, lastMessage: messages[2], unreadCount: 3)
        stale.readPosition = nil
        try await store.keep([stale])
        #expect(try await unread(store) == 0)
        #expect(try await store.markRead(upTo: messages[0].id, in: room) == false)
    }

    @Test func whatIsNotHeldIsCountedByTheService() async throws {
        let last = Message.stored("newest", in: room, at: 50)
        let store = try await store(unread: 30, upTo: last, read: 10)
        #expect(try await unread(store) == 30)
        try await store.merge(IncomingRows(messages: [.stored("live", in: room, at: 51)]))
        #expect(try await unread(store) == 31)
        try await store.markRead(upTo: last.id, in: room)
        #expect(try await unread(store) == 0)
    }

    @Test func readingOnAnotherDeviceLowersIt() async throws {
        let store = try await store()
        try await store.merge(
            IncomingRows(messages: (1...3).map { .stored("m\($0)", in: room, at: Int64($0)) }))
        let mark = MemberMark(conversationID: room, userID: .ana, readPosition: 2)
        try await store.merge(IncomingRows(members: [mark]))
        #expect(try await unread(store) == 1)
    }

    @Test func marksShareOneRowThatNeverMovesBack() async throws {
        let store = try await store()
        let messages = (1...3).map { Message.stored("m\($0)", in: room, at: Int64($0)) }
        try await store.merge(IncomingRows(messages: [messages[0]]))
        try await store.merge(IncomingRows(messages: [messages[2]]))
        try await store.merge(IncomingRows(messages: [messages[1]]))
        let row = try #require(try await store.nextWaiting(in: room))
        #expect(row.operation == .markDelivered(messageID: messages[2].id))
        try await store.finish(row, with: IncomingRows())
        #expect(try await store.nextWaiting(in: room) == nil)
        #expect(try await store.waitingCount() == 0)
    }

    @Test func aMarkThatMovedDuringItsTryStaysForAnother() async throws {
        let store = try await store()
        let messages = (1...2).map { Message.stored("m\($0)", in: room, at: Int64($0)) }
        try await store.merge(IncomingRows(messages: [messages[0]]))
        let underWay = try #require(try await store.nextWaiting(in: room))
        try await store.merge(IncomingRows(messages: [messages[1]]))
        try await store.finish(underWay, with: IncomingRows())
        #expect(try await store.nextWaiting(in: room)?.operation == .markDelivered(messageID: messages[1].id))
    }
}
