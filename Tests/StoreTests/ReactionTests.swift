import FoundationEssentials
import Models
import Store
import TestSupport
import Testing

@Suite struct ReactionTests {
    private let room = UUID.example(100)
    private let message = Message.stored("look", id: .example(7), in: .example(100), at: 1)

    private func store(_ rows: [(UUID?, String)]) async throws -> MessageStore {
        let store = try MessageStore.inMemory(for: .ana)
        let reactions = rows.enumerated().map { number, row in
            ReactionRow(
                messageID: message.id, userID: row.0, symbol: row.1, isOn: true, version: Int64(number + 1))
        }
        try await store.merge(IncomingRows(messages: [message], reactions: reactions))
        return store
    }

    private func shown(_ store: MessageStore) async throws -> [Reaction] {
        try await store.message(message.id)?.reactions ?? []
    }

    @Test func peopleAreCountedAndNotRows() async throws {
        let store = try await store([(.ben, "👍"), (.ben, "👍"), (.ben, "👍\u{FE0F}"), (nil, "👍")])
        #expect(try await shown(store) == [Reaction(symbol: "👍", byMe: false, count: 2)])
    }

    @Test func variationSelectorsDoNotSplitAGroupAndSkinTonesDo() async throws {
        let people = (1...5).map { (UUID?.some(.example($0 + 50)), "👍") }
        let store = try await store(
            people + [
                (.example(60), "👍\u{FE0F}"), (.example(61), "❤"), (.example(62), "❤\u{FE0F}"),
                (.example(63), "👍🏽"),
            ])
        #expect(try await shown(store).map(\.count) == [6, 2, 1])
    }

    @Test func anOwnReactionIsTakenOffInTheFormItWasStored() async throws {
        let store = try await store([(.ana, "👍"), (.ben, "👍")])
        try await store.enqueueReaction("👍\u{FE0F}", isOn: false, to: message.id, in: room)
        #expect(try await shown(store) == [Reaction(symbol: "👍", byMe: false, count: 1)])
        let row = try #require(try await store.nextWaiting(in: room))
        #expect(row.operation == .markDelivered(messageID: message.id))
        try await store.finish(row, with: IncomingRows())
        let off = try await store.nextWaiting(in: room)?.operation
        #expect(off == .react(messageID: message.id, symbol: "👍", isOn: false))
    }

    @Test func fifteenTogglesAreOneWishAndTheCountNeverFallsBelowOthers() async throws {
        let store = try await store([(.ben, "❤")])
        for press in 1...15 {
            try await store.enqueueReaction("❤", isOn: press % 2 == 1, to: message.id, in: room)
            #expect(try await shown(store).first?.count == (press % 2 == 1 ? 2 : 1))
        }
        #expect(try await store.waitingCount() == 1)
    }

    @Test func aWishDoneWithoutARowStaysShownAndTheServiceStillWins() async throws {
        let store = try await store([])
        try await store.enqueueReaction("❤", isOn: true, to: message.id, in: room)
        while let row = try await store.nextWaiting(in: room) {
            try await store.finish(row, with: IncomingRows())
        }
        #expect(try await shown(store) == [Reaction(symbol: "❤", byMe: true)])
        let off = ReactionRow(messageID: message.id, userID: .ana, symbol: "❤", isOn: false, version: 9)
        try await store.merge(IncomingRows(reactions: [off]))
        #expect(try await shown(store).isEmpty)
    }

    @Test func aReactionMayComeBeforeItsMessage() async throws {
        let store = try MessageStore.inMemory(for: .ana)
        let early = ReactionRow(messageID: message.id, userID: .ben, symbol: "👍", isOn: true, version: 2)
        try await store.merge(IncomingRows(reactions: [early]))
        #expect(try await store.message(message.id) == nil)
        try await store.merge(IncomingRows(messages: [message]))
        #expect(try await shown(store) == [Reaction(symbol: "👍", byMe: false)])
    }
}
