import FoundationEssentials
import Models
import Store
import TestSupport
import Testing

/// Edits and deletes that overtake each other, as they were reported of other messengers.
@Suite struct EditTrialTests {
    private let room = UUID.example(100)
    private let said = Message.stored("the plain word", id: .example(7), in: .example(100), at: 1)

    private func edited(_ body: String, second: Int, from message: Message? = nil) -> Message {
        var edited = message ?? said
        edited.body = body
        edited.editedAt = .exampleMorning.addingTimeInterval(Double(second))
        edited.version = 1 + Int64(second) * 1_000_000
        return edited
    }

    private var deleted: Message {
        var gone = edited("", second: 9)
        gone.editedAt = nil
        gone.deletedAt = .exampleMorning.addingTimeInterval(9)
        return gone
    }

    private func store() async throws -> MessageStore {
        let store = try MessageStore.inMemory(for: .ana)
        try await store.keep([Conversation(id: room, title: "Ben", isGroup: false, lastMessage: said)])
        return store
    }

    @Test(arguments: 0..<24) func t32ADeletedMessageStaysDeletedWhateverComesAfterIt(_ order: Int)
        async throws
    {
        let forms = [said, edited("first edit", second: 3), edited("second edit", second: 5), deleted]
        let store = try await store()
        for form in forms.permutation(order) { try await store.merge(IncomingRows(messages: [form])) }
        let held = try await store.newestPage(in: room, limit: 10).messages
        #expect(held.map(\.isDeleted) == [true])
        #expect(held.map(\.body) == [""])
        for word in ["plain", "first", "second", "edit"] {
            #expect(try await store.search(word).isEmpty, "\(word)")
        }
        // The list's own short form of it is as old as the list.
        try await store.keep([Conversation(id: room, title: "Ben", isGroup: false, lastMessage: said)])
        let preview = try await store.conversations().first?.lastMessage
        #expect(preview?.isDeleted == true && preview?.body == "")
    }

    @Test func t32TheLaterEditWinsWhicheverComesFirst() async throws {
        for edits in [[5, 3], [3, 5]] {
            let store = try await store()
            try await store.merge(IncomingRows(messages: [said]))
            for second in edits {
                try await store.merge(
                    IncomingRows(messages: [edited("at 10:00:0\(second)", second: second)]))
            }
            #expect(try await store.message(said.id)?.body == "at 10:00:05")
            #expect(try await store.search("10:00:03").isEmpty)
            #expect(try await store.conversations().first?.lastMessage?.body == "at 10:00:05")
        }
    }

    @Test func t32WhatIsDeletedAtTheServiceTakesNoEditThatStillWaits() async throws {
        let store = try MessageStore.inMemory(for: .ana)
        let own = Message.stored("typo", id: .example(8), in: room, from: .ana, at: 1)
        try await store.merge(IncomingRows(messages: [own]))
        try await store.enqueue(.edit(messageID: own.id, body: "corrected"), in: room)
        try await store.enqueueReaction("👍", isOn: true, to: own.id, in: room)
        var gone = own
        gone.deletedAt = .exampleMorning
        gone.version = 2
        try await store.merge(IncomingRows(messages: [gone]))
        let shown = try #require(try await store.message(own.id))
        #expect(shown.isDeleted && shown.body == "" && shown.editedAt == nil && shown.reactions.isEmpty)
        // The wishes have nothing to be about any more; what was typed is its writer's to throw away.
        #expect(try await store.nextWaiting(in: room) == nil)
        #expect(try await store.waitingCount() == 0)
        #expect(try await store.takeBack(own.id, mayHaveArrived: false)?.taken.text == "corrected")
    }

    /// A service that does not tell the row of what it deleted.
    @Test func t32WhatWasDeletedHereTakesNoEditFromBeforeThatComesLate() async throws {
        let store = try MessageStore.inMemory(for: .ana)
        let own = Message.stored("typo", id: .example(8), in: room, from: .ana, at: 1)
        try await store.merge(IncomingRows(messages: [own]))
        try await store.enqueue(.delete(messageID: own.id), in: room)
        let delete = try #require(try await store.nextWaiting(in: room))
        try await store.finish(delete, with: IncomingRows())
        try await store.merge(IncomingRows(messages: [edited("on another device", second: 3, from: own)]))
        let held = try #require(try await store.message(own.id))
        #expect(held.isDeleted && held.body == "")
        #expect(try await store.search("another").isEmpty)
    }

    @Test func t32AReactionOfBeforeDoesNotComeBackWhateverIsToldLate() async throws {
        let store = try await store()
        try await store.merge(IncomingRows(messages: [said]))
        func row(_ isOn: Bool, _ version: Int64) -> ReactionRow {
            ReactionRow(messageID: said.id, userID: .ben, symbol: "👍", isOn: isOn, version: version)
        }
        for (isOn, version) in [(true, 5), (false, 7), (true, 5), (true, 6), (false, 7)] as [(Bool, Int64)] {
            try await store.merge(IncomingRows(reactions: [row(isOn, version)]))
        }
        #expect(try await store.message(said.id)?.reactions == [])
    }

    @Test func t32DeletingAgainChangesNothing() async throws {
        let store = try MessageStore.inMemory(for: .ana)
        let own = Message.stored("gone twice", id: .example(8), in: room, from: .ana, at: 1)
        try await store.merge(IncomingRows(messages: [own]))
        #expect(try await store.enqueue(.delete(messageID: own.id), in: room))
        #expect(try await store.message(own.id)?.isDeleted == true)
        var again = own
        again.body = "edited elsewhere"
        again.version = 2
        try await store.merge(IncomingRows(messages: [again]))
        #expect(try await store.message(own.id)?.isDeleted == true)
        #expect(try await store.message(own.id)?.body == "")
        try await store.enqueue(.delete(messageID: own.id), in: room)
        #expect(try await store.waitingCount() == 1)
    }
}

extension Array {
    /// One of the orders of four things, by its number.
    fileprivate func permutation(_ number: Int) -> [Element] {
        var (rest, number, order): ([Element], Int, [Element]) = (self, number, [])
        while !rest.isEmpty {
            order.append(rest.remove(at: number % rest.count))
            number /= Swift.max(rest.count + 1, 1)
        }
        return order
    }
}
