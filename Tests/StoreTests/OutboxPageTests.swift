import FoundationEssentials
import Models
import SQLite
import Store
import TestSupport
import Testing

/// What the page of the outbox tells, and what the user decides there.
@Suite struct OutboxPageTests {
    private let room = UUID.example(100)

    private func store(_ stored: Message...) async throws -> MessageStore {
        let store = try MessageStore.inMemory(for: .ana, spoolFolder: "/nowhere")
        try await store.merge(IncomingRows(messages: stored))
        return store
    }

    @Test func everyKindOfOperationTellsWhatWhereAndSinceWhen() async throws {
        let old = Message.stored("old", in: room, from: .ana, at: 1)
        let store = try await store(old, .stored("theirs", in: room, at: 2))
        let date = Date.example(minutes: 5)
        let typed = try await store.enqueue(.typed("hello", in: room))
        try await store.enqueue(.edit(messageID: old.id, body: "better"), in: room, at: date)
        try await store.enqueueReaction("❤", isOn: true, to: old.id, in: room, at: date)
        try await store.enqueue(.delete(messageID: old.id), in: room, at: date)

        let entries = try await store.outboxEntries()

        let kinds: [OutboxEntry.Kind] = [
            .markDelivered, .send, .edit, .react(symbol: "❤", isOn: true), .delete,
        ]
        #expect(entries.map(\.kind) == kinds)
        #expect(entries.map(\.text) == ["", "hello", "better", "", ""])
        #expect(entries.map(\.since) == [nil, .exampleMorning, date, date, date])
        #expect(entries.dropFirst().map(\.messageID) == [typed.id, old.id, old.id, old.id])
        #expect(Set(entries.map(\.conversationID)) == [room])
        #expect(entries.allSatisfy { $0.tries == 0 && $0.trouble == nil && $0.failure == nil })
    }

    @Test func triesAreCountedWithTheirLastTrouble() async throws {
        let store = try await store()
        try await store.enqueue(.typed("hello", in: room))
        let row = try #require(try await store.nextWaiting(in: room))
        try await store.noteTry(of: row, failingSince: nil)  // about to be made
        try await store.noteTry(of: row, failingSince: nil, end: (.timedOut, at: .example(minutes: 1)))
        try await store.forgetTries(of: row, failingSince: nil, end: (.offline, at: .example(minutes: 2)))
        try await store.noteEnd(of: row, .signedOut, at: .example(minutes: 3))

        let entry = try #require(try await store.outboxEntries().first)
        #expect(entry.tries == 3)
        #expect(entry.trouble == .signedOut)
        #expect(entry.triedAt == .example(minutes: 3))
    }

    @Test func aRefusedEditKeepsWhatWasTypedForItsWriter() async throws {
        let old = Message.stored("old", in: room, from: .ana, at: 1)
        let store = try await store(old)
        try await store.enqueue(.edit(messageID: old.id, body: "a long new wording"), in: room)
        let row = try #require(try await store.nextWaiting(in: room))
        try await store.refuse(row, because: .tooLong(limit: 10))

        // The message looks as the service has it, and nothing waits.
        #expect(try await store.message(old.id)?.body == "old")
        #expect(try await store.nextWaiting(in: room) == nil)
        #expect(try await store.waitingCount() == 0)
        let entry = try #require(try await store.outboxEntries().first)
        #expect(entry.text == "a long new wording")
        #expect(entry.failure == .tooLong(limit: 10))

        #expect(try await store.retry(old.id) == room)
        #expect(try await store.message(old.id)?.body == "a long new wording")
        try await store.refuse(try #require(try await store.nextWaiting(in: room)), because: .messageGone)
        let taken = try #require(try await store.takeBack(old.id, mayHaveArrived: false))
        #expect(taken.taken == TakenBack(text: "a long new wording"))
        #expect(try await store.draft(in: room) == "a long new wording")
        #expect(try await store.outboxEntries().isEmpty)
    }

    @Test func aNewerEditTakesThePlaceOfARefusedOne() async throws {
        let old = Message.stored("old", in: room, from: .ana, at: 1)
        let store = try await store(old)
        try await store.enqueue(.edit(messageID: old.id, body: "one"), in: room)
        let first = try #require(try await store.nextWaiting(in: room))
        try await store.enqueue(.edit(messageID: old.id, body: "two"), in: room)
        // The refusal was of the older wish.
        try await store.refuse(first, because: .messageGone)
        let second = try #require(try await store.nextWaiting(in: room))
        #expect(second.operation == .edit(messageID: old.id, body: "two"))
        try await store.refuse(second, because: .messageGone)
        try await store.enqueue(.edit(messageID: old.id, body: "three"), in: room)
        #expect(try await store.outboxEntries().map(\.text) == ["three"])
        #expect(try await store.outboxEntries().first?.failure == nil)
        #expect(try await store.nextWaiting(in: room)?.operation == .edit(messageID: old.id, body: "three"))
    }

    @Test func anEditOfAMessageThatIsRemovedOutrightKeepsItsText() async throws {
        let old = Message.stored("old", in: room, from: .ana, at: 1)
        let store = try await store(old)
        try await store.enqueue(.edit(messageID: old.id, body: "typed offline"), in: room)
        try await store.merge(IncomingRows(removed: [old.id]))
        #expect(try await store.message(old.id) == nil)
        let entry = try #require(try await store.outboxEntries().first)
        #expect(entry.text == "typed offline")
        #expect(entry.failure == .messageGone)
        #expect(try await store.takeBack(old.id, mayHaveArrived: false)?.taken.text == "typed offline")
    }

    @Test func aFailedMessageThatIsTakenBackBecomesTheDraftInOneStep() async throws {
        let file = OutgoingFile(
            copy: "copy-1", attachment: Attachment(path: "", name: "cat.png", size: 3), sha256: "abc")
        let store = try await store()
        try await store.saveDraft("half a thought", in: room)
        let kept = try await store.enqueue(.typed("look", in: room), file: file)
        #expect(try await store.noteUploaded(kept.id, in: room, at: "there/cat.png"))
        try await store.refuse(try #require(try await store.nextWaiting(in: room)), because: .notAMember)

        let back = try #require(try await store.takeBack(kept.id, mayHaveArrived: false))

        #expect(back.conversationID == room)
        #expect(back.taken == TakenBack(text: "look", file: file))
        #expect(try await store.draft(in: room) == "look\nhalf a thought")
        #expect(try await store.message(kept.id) == nil)
        // The file that is at the service already is taken away there.
        #expect(try await store.outboxEntries().map(\.kind) == [.removeFiles])
        #expect(try await store.takeBack(kept.id, mayHaveArrived: false) == nil)
    }

    @Test func aMessageTakenBackComesInTheWordingItWasGivenLast() async throws {
        let store = try await store()
        let kept = try await store.enqueue(.typed("helo", in: room))
        try await store.enqueue(.edit(messageID: kept.id, body: "hello"), in: room)
        #expect(try await store.takeBack(kept.id, mayHaveArrived: true)?.taken.text == "hello")
        // It may be there: it is deleted at the service.
        #expect(try await store.outboxEntries().map(\.kind) == [.delete])
    }

    @Test func aWishThatIsTakenBackLeavesTheMessageAsTheServiceHasIt() async throws {
        let old = Message.stored("old", in: room, from: .ana, at: 1)
        let store = try await store(old)
        try await store.enqueue(.delete(messageID: old.id), in: room)
        let entry = try #require(try await store.outboxEntries().first)
        #expect(try await store.cancel(entry.id))
        #expect(try await store.message(old.id)?.isDeleted == false)
        #expect(try await store.cancel(entry.id) == false)
        // A message is dropped as a message, not by its place.
        try await store.enqueue(.typed("hello", in: room))
        let send = try #require(try await store.outboxEntries().first)
        #expect(try await store.cancel(send.id) == false)
    }
}
