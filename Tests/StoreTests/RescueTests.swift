import FoundationEssentials
import Glibc
import Models
import SQLite
import Store
import TestSupport
import Testing

/// Stores of which pages are overwritten, and what is carried over.
@Suite(.serialized) struct RescueTests {
    private let directory = FileManager.default.temporaryDirectory.appending(path: "rescue-\(UUID())").path
    private let room = UUID.example(100)
    private var file: String { directory + "/store.sqlite" }

    private func cleanUp() {
        try? FileManager.default.removeItem(atPath: directory)  // a leftover harms nobody
    }

    /// A store with many confirmed messages, and each kind of operation waiting.
    private func fill() async throws -> (old: [Message], waiting: [Message]) {
        let store = try MessageStore.open(directory: directory, for: .ana)
        let old = (0..<400).map {
            Message.stored(
                "old-\($0)-" + String(repeating: "x", count: 60), in: room, from: .ana, at: Int64($0))
        }
        try await store.merge(IncomingRows(messages: old))
        var waiting: [Message] = []
        waiting.append(try await store.enqueue(.typed("first", in: room)))
        try await store.enqueue(.edit(messageID: old[0].id, body: "edited"), in: room)
        try await store.enqueue(.delete(messageID: old[1].id), in: room)
        try await store.enqueueReaction("heart", isOn: true, to: old[2].id, in: room)
        waiting.append(try await store.enqueue(.typed("second", in: room)))
        try await store.enqueue(.edit(messageID: waiting[0].id, body: "first, edited"), in: room)
        waiting.append(try await store.enqueue(.typed("refused", in: .example(101))))
        let refused = try #require(try await store.nextWaiting(in: .example(101)))
        try await store.refuse(refused, because: .notAMember)
        try await store.saveDraft("half", in: room)
        await store.close()
        return (old, waiting)
    }

    /// Brings what is in the log into the file itself.
    private func settle() throws {
        try SQLConnection(.file(file)).execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Overwrites the page that holds the text.
    private func damage(_ text: String) throws {
        try settle()
        var bytes = try Data(contentsOf: URL(filePath: file))
        let found = try #require(bytes.firstRange(of: Data(text.utf8)))
        let page = found.lowerBound / 4_096 * 4_096
        bytes.replaceSubrange(page..<page + 4_096, with: Data(repeating: 0x41, count: 4_096))
        try bytes.write(to: URL(filePath: file))
    }

    private func mark() throws { try Data().write(to: URL(filePath: directory + "/store.damaged")) }

    private func operations(_ store: MessageStore) async throws -> [StoredOperation] {
        var operations: [StoredOperation] = []
        while let row = try await store.nextWaiting(in: room) {
            operations.append(row.operation)
            try await store.finish(row, with: IncomingRows())
        }
        return operations
    }

    @Test func everyWaitingOperationOutlivesADamagedPageOfMessages() async throws {
        defer { cleanUp() }
        let (old, waiting) = try await fill()
        try damage("old-200-")
        // It is met when the page is read, which sets the mark.
        let met = try MessageStore.open(directory: directory, for: .ana)
        await #expect(throws: StoreError.damaged) {
            try await met.messages(
                in: room, before: ThreadKey(position: .max, id: UUID()), limit: 400)
        }
        await met.close()

        let (rebuilt, rescue) = try await MessageStore.openOrRebuild(directory: directory, for: .ana)

        #expect(rescue?.messages == 3)
        #expect(rescue?.changes == 4)
        #expect(rescue?.drafts == 1)
        #expect(try await rebuilt.draft(in: room) == "half")
        let failed = try await rebuilt.newestPage(in: .example(101), limit: 9).messages
        #expect(failed.map(\.failure) == [.notAMember])
        // The messages come from the server again, and look as the user wished at once.
        try await rebuilt.merge(IncomingRows(messages: Array(old.prefix(3))))
        let shown = try await rebuilt.newestPage(in: room, limit: 9).messages
        #expect(shown.first?.body == "edited")
        #expect(shown[1].isDeleted)
        #expect(shown[2].reactions == [Reaction(symbol: "heart", byMe: true)])
        #expect(shown.suffix(2).map(\.body) == ["first, edited", "second"])
        let order = try await operations(rebuilt)
        #expect(
            order.map(\.messageID) == [
                waiting[0].id, old[0].id, old[1].id, old[2].id, waiting[1].id, waiting[0].id,
            ])
        await rebuilt.close()
    }

    @Test func ofADamagedOutboxBothEndsAreCarriedOver() async throws {
        defer { cleanUp() }
        let store = try MessageStore.open(directory: directory, for: .ana)
        let old = (0..<300).map { Message.stored("old-\($0)", in: room, from: .ana, at: Int64($0)) }
        try await store.merge(IncomingRows(messages: old))
        for (number, message) in old.enumerated() {
            try await store.enqueue(
                .edit(messageID: message.id, body: "wish-\(number)-" + String(repeating: "y", count: 60)),
                in: room)
        }
        await store.close()
        try damage("wish-150-")
        try mark()

        let (rebuilt, rescue) = try await MessageStore.openOrRebuild(directory: directory, for: .ana)

        let carried = try #require(rescue?.changes)
        #expect((200..<300).contains(carried))
        let numbers = try await operations(rebuilt).compactMap(\.messageID).compactMap { id in
            old.firstIndex { $0.id == id }
        }
        #expect(numbers.count == carried)
        #expect(numbers == numbers.sorted())
        #expect(numbers.first == 0)
        #expect(numbers.last == 299)
        await rebuilt.close()
    }

    @Test func waitingMessagesWhoseOutboxCannotBeReadWaitAgain() async throws {
        defer { cleanUp() }
        let (_, waiting) = try await fill()
        try damage("first, edited")  // the one page of the outbox
        try mark()
        let (rebuilt, rescue) = try await MessageStore.openOrRebuild(directory: directory, for: .ana)
        #expect(rescue?.messages == 3)
        #expect(try await operations(rebuilt).map(\.messageID) == [waiting[0].id, waiting[1].id])
        #expect(try await rebuilt.nextWaiting(in: .example(101)) == nil)
        #expect(
            try await rebuilt.newestPage(in: .example(101), limit: 9).messages.map(\.failure) == [.notAMember]
        )
        await rebuilt.close()
    }

    @Test func aCrashBetweenSettingAsideAndTheNewStoreLosesNothing() async throws {
        defer { cleanUp() }
        _ = try await fill()
        try settle()
        // As it is when the old file was moved and the new one was not.
        #expect(rename(file, directory + "/store.rebuilt") == 0)
        try Data("an old log".utf8).write(to: URL(filePath: file + "-wal"))
        let again = try MessageStore.open(directory: directory, for: .ana)
        #expect(try await again.waitingCount() == 6)
        await again.close()
    }

    /// As the version before this table had more columns wrote it.
    @Test func theOutboxOfAnOlderStoreIsCarriedOverToo() async throws {
        defer { cleanUp() }
        _ = try await fill()
        try settle()
        let old = try SQLConnection(.file(file))
        for column in ["since", "tries", "tried_at", "trouble", "failure"] {
            try old.execute("ALTER TABLE outbox DROP COLUMN \(column)")
        }
        try old.execute("DROP TABLE marked_unread; PRAGMA user_version = 3")
        try mark()
        let (rebuilt, rescue) = try await MessageStore.openOrRebuild(directory: directory, for: .ana)
        #expect(rescue?.messages == 3)
        #expect(rescue?.changes == 4)
        #expect(try await rebuilt.outboxEntries().count == 7)
        await rebuilt.close()
    }

    @Test func whatTheOutboxTellsIsCarriedOver() async throws {
        defer { cleanUp() }
        let (old, _) = try await fill()
        let store = try MessageStore.open(directory: directory, for: .ana)
        try await store.merge(IncomingRows(messages: [.stored("kept", in: .example(102), from: .ana, at: 9)]))
        let kept = try #require(try await store.newestPage(in: .example(102), limit: 1).messages.first)
        try await store.enqueue(.edit(messageID: kept.id, body: "refused wording"), in: .example(102))
        let row = try #require(try await store.nextWaiting(in: .example(102)))
        try await store.noteTry(of: row, failingSince: nil, end: (.timedOut, at: .example(minutes: 3)))
        try await store.refuse(row, because: .notAMember)
        let before = try await store.outboxEntries()
        #expect(before.last?.failure == .notAMember && before.last?.tries == 1)
        await store.close()
        try mark()
        let (rebuilt, _) = try await MessageStore.openOrRebuild(directory: directory, for: .ana)
        #expect(try await rebuilt.outboxEntries() == before)
        #expect(old.count == 400)
        await rebuilt.close()
    }
}
