import FoundationEssentials
import Models
import Store
import TestSupport
import Testing

/// A conversation that the user marked as unread.
@Suite struct MarkedUnreadTests {
    private let room = UUID.example(100)
    private let messages = (1...3).map { Message.stored("\($0)", in: .example(100), at: Int64($0)) }

    private func head(read: Int64?, unread: Int = 0) -> Conversation {
        Conversation(
            id: room, title: "Ben", isGroup: false, lastMessage: messages[2], unreadCount: unread,
            activityAt: messages[2].createdAt.microseconds, readPosition: read)
    }

    /// A store whose user has read everything, and wants to come back to it.
    private func marked() async throws -> MessageStore {
        let store = try MessageStore.inMemory(for: .ana)
        try await store.keep([head(read: 3)])
        try await store.merge(IncomingRows(messages: messages))
        try await store.markUnread(room)
        return store
    }

    private func conversation(_ store: MessageStore) async throws -> Conversation {
        try #require(try await store.conversations().first)
    }

    @Test func theCountStaysWhatTheServiceSays() async throws {
        let marked = try await conversation(try await marked())
        #expect(marked.isMarkedUnread)
        #expect(marked.isUnread)
        #expect(marked.unreadCount == 0)
    }

    @Test func readingItEndsTheMarkAlsoWhenNothingIsNew() async throws {
        let store = try await marked()
        #expect(try await store.markRead(upTo: messages[2].id, in: room) == false)
        #expect(try await conversation(store).isUnread == false)
    }

    @Test func theSameListRowAndANewMessageLeaveTheMark() async throws {
        let store = try await marked()
        try await store.keep([head(read: 3)])
        try await store.merge(IncomingRows(messages: [.stored("4", in: room, at: 4)]))
        #expect(try await conversation(store).isMarkedUnread)
        #expect(try await conversation(store).unreadCount == 1)
    }

    @Test(arguments: [true, false])
    func readingOnAnotherDeviceEndsTheMark(byTheList: Bool) async throws {
        let store = try await marked()
        if byTheList {
            try await store.keep([head(read: 4)])
        } else {
            let mark = MemberMark(conversationID: room, userID: .ana, readPosition: 4)
            try await store.merge(IncomingRows(members: [mark]))
        }
        #expect(try await conversation(store).isMarkedUnread == false)
    }

    @Test func theMarkOutlivesARestartAndARebuiltStore() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "unread-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: directory) }  // a leftover harms nobody
        let store = try MessageStore.open(directory: directory, for: .ana)
        try await store.keep([head(read: 3)])
        try await store.markUnread(room)
        await store.close()
        let again = try MessageStore.open(directory: directory, for: .ana)
        #expect(try await conversation(again).isMarkedUnread)
        await again.close()

        try Data().write(to: URL(filePath: directory + "/store.damaged"))
        let (rebuilt, rescue) = try await MessageStore.openOrRebuild(directory: directory, for: .ana)
        #expect(rescue != nil)
        try await rebuilt.keep([head(read: 3)])
        #expect(try await conversation(rebuilt).isMarkedUnread)
        await rebuilt.close()
    }
}
