import FoundationEssentials
import Models
import Store
import TestSupport
import Testing

@Suite struct OutboxStoreTests {
    private let room = UUID.example(100)

    private func confirmed(_ message: Message, at position: Int64) -> Message {
        var row = message
        row.position = position
        row.version = position
        row.deliveryState = .sent
        row.createdAt = Date(microseconds: position)
        return row
    }

    @Test func aMessageAndItsPlaceInTheOutboxAreKeptTogether() async throws {
        let store = try MessageStore.inMemory(for: .ana)
        let kept = try await store.enqueue(.typed("hello", in: room))

        #expect(kept.deliveryState == .sending)
        #expect(try await store.nextWaiting(in: room)?.operation == .send(kept))
        #expect(try await store.newestPage(in: room, limit: 10).messages == [kept])
        #expect(try await store.waitingCount() == 1)
    }

    @Test func theDraftAMessageWasGoesInTheSameStep() async throws {
        let store = try MessageStore.inMemory(for: .ana)
        try await store.saveDraft("see you at ei", in: room)
        try await store.enqueue(.typed("see you at eight", in: room))
        #expect(try await store.draft(in: room) == "")

        try await store.saveDraft("something else", in: room)
        try await store.enqueue(.typed("yes", in: room))
        #expect(try await store.draft(in: room) == "something else")
    }

    /// The echo and the answer in either order, twice, and with a restart between any two of them.
    @Test(arguments: [
        ["answer", "echo"], ["echo", "answer"], ["echo", "echo", "answer", "answer"],
        ["answer", "restart", "echo"], ["echo", "restart", "answer"], ["restart", "echo"],
        ["restart", "answer", "restart", "echo", "restart"], ["refusal", "echo"],
        ["refusal", "restart", "echo"],
        ["echo", "refusal"],
    ])
    func allRoadsEndInOneSentRow(_ road: [String]) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "road-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: directory) }  // a leftover harms nobody
        var store = try MessageStore.open(directory: directory, for: .ana)
        let kept = try await store.enqueue(.typed("  padded  ", in: room))
        let underWay = try #require(try await store.nextWaiting(in: room))
        var row = confirmed(kept, at: 77)
        row.body = "padded"

        for step in road {
            switch step {
            case "answer": try await store.finish(underWay, with: IncomingRows(messages: [row]))
            case "echo": try await store.merge(IncomingRows(messages: [row]))
            case "refusal": try await store.refuse(underWay, because: .refused(code: "late"))
            default:
                await store.close()
                store = try MessageStore.open(directory: directory, for: .ana)
            }
        }

        let held = try await store.newestPage(in: room, limit: 10).messages
        #expect(held.map(\.body) == ["padded"])
        #expect(held.first?.deliveryState == .sent)
        #expect(held.first?.createdAt == row.createdAt)
        #expect(held.first?.position == 77)
        #expect(held.first?.failure == nil)
        #expect(try await store.nextWaiting(in: room) == nil)
        #expect(try await store.waitingCount() == 0)
        await store.close()
    }

    @Test func aRefusedMessageKeepsItsPlaceAndItsId() async throws {
        let store = try MessageStore.inMemory(for: .ana)
        let messages = [
            try await store.enqueue(.typed("one", in: room)),
            try await store.enqueue(.typed("two", in: room)),
        ]
        let first = try #require(try await store.nextWaiting(in: room))
        try await store.refuse(first, because: .tooLong(limit: 8_000))
        #expect(try await store.nextWaiting(in: room)?.operation == .send(messages[1]))
        var held = try await store.newestPage(in: room, limit: 10).messages
        #expect(held.map(\.deliveryState) == [.failed, .sending])
        #expect(held.first?.failure == .tooLong(limit: 8_000))

        #expect(try await store.retry(messages[0].id) == room)
        #expect(try await store.retry(messages[0].id) == nil)
        held = try await store.newestPage(in: room, limit: 10).messages
        #expect(held.map(\.id) == messages.map(\.id))
        #expect(try await store.nextWaiting(in: room)?.operation == .send(messages[0]))
    }

    @Test func whatIsDroppedIsGoneAndIsNotSent() async throws {
        let store = try MessageStore.inMemory(for: .ana)
        let message = try await store.enqueue(.typed("never mind", in: room))
        #expect(try await store.drop(message.id, mayHaveArrived: false) == room)
        #expect(try await store.nextWaiting(in: room) == nil)
        #expect(try await store.newestPage(in: room, limit: 10).messages.isEmpty)
        #expect(try await store.search("never").isEmpty)
    }

    @Test func whatIsDroppedAfterATryIsTakenBackAtTheService() async throws {
        let store = try MessageStore.inMemory(for: .ana)
        let message = try await store.enqueue(.typed("never mind", in: room))
        let row = try #require(try await store.nextWaiting(in: room))
        try await store.noteTry(of: row, failingSince: nil)
        _ = try await store.drop(message.id, mayHaveArrived: false)
        #expect(try await store.nextWaiting(in: room)?.operation == .delete(messageID: message.id))
    }

    @Test func aRefusedEditShowsWhatTheServiceHas() async throws {
        let store = try MessageStore.inMemory(for: .ana)
        let message = Message.stored("as sent", in: room, from: .ana, at: 1)
        try await store.merge(IncomingRows(messages: [message]))
        try await store.enqueue(.edit(messageID: message.id, body: "as wished"), in: room)
        #expect(try await store.message(message.id)?.body == "as wished")
        let row = try #require(try await store.nextWaiting(in: room))
        try await store.refuse(row, because: .messageGone)
        #expect(try await store.message(message.id)?.body == "as sent")
        #expect(try await store.nextWaiting(in: room) == nil)
    }

    @Test func anotherWishOfTheSameKindReplacesTheFirst() async throws {
        let store = try MessageStore.inMemory(for: .ana)
        let message = Message.stored("a", in: room, from: .ana, at: 1)
        try await store.merge(IncomingRows(messages: [message]))
        for body in ["b", "c"] { try await store.enqueue(.edit(messageID: message.id, body: body), in: room) }
        #expect(try await store.waitingCount() == 1)
        #expect(try await store.nextWaiting(in: room)?.operation == .edit(messageID: message.id, body: "c"))
    }
}
