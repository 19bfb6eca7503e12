import FoundationEssentials
import Models
import Store
import TestSupport
import Testing

/// Reactions that are doubled or written in several ways, as they were reported of other messengers.
@Suite struct ReactionTrialTests {
    /// Rows as a service of those others had them; `u-1` is Ana.
    private struct Input: Decodable {
        struct Said: Decodable {
            var id: UUID
            var body: String
        }
        struct Row: Decodable {
            var message: UUID
            var user: String?
            var emoji: String?

            enum CodingKeys: String, CodingKey {
                case emoji
                case message = "message_id"
                case user = "user_id"
            }
        }
        var messages: [Said]
        var reactions: [Row]
    }

    private let room = UUID.example(100)

    private func person(_ name: String) -> UUID {
        name == "u-1" ? .ana : .example(UInt32(50 + (Int(name.dropFirst(2)) ?? 0)))
    }

    /// - Returns: A store with the file's rows, and the message they are about.
    private func open(_ file: [UInt8], shuffled seed: UInt64? = nil) async throws -> (MessageStore, UUID) {
        let input = try JSONDecoder().decode(Input.self, from: Data(file))
        let said = try #require(input.messages.first)
        let store = try MessageStore.inMemory(for: .ana)
        var rows = input.reactions.enumerated().compactMap { number, row in
            row.emoji.map {
                ReactionRow(
                    messageID: row.message, userID: row.user.map(person), symbol: $0, isOn: true,
                    version: Int64(number + 1))
            }
        }
        if let seed {
            var random = SeededRandom(seed: seed)
            rows.shuffle(using: &random)
        }
        for row in rows { try await store.merge(IncomingRows(reactions: [row])) }
        try await store.merge(IncomingRows(messages: [.stored(said.body, id: said.id, in: room, at: 1)]))
        return (store, said.id)
    }

    private func shown(_ store: MessageStore, _ id: UUID) async throws -> [Reaction] {
        try await store.message(id)?.reactions ?? []
    }

    /// What goes out, in its order; each is answered with nothing more than that it was done.
    private func sent(_ store: MessageStore) async throws -> [StoredOperation] {
        var sent: [StoredOperation] = []
        while let row = try await store.nextWaiting(in: room) {
            try await store.finish(row, with: IncomingRows())
            if case .react = row.operation { sent.append(row.operation) }
        }
        return sent
    }

    // MARK: The same person three times

    @Test(arguments: [nil, 1, 2] as [UInt64?])
    func t30CountsArePeopleAndNobodysSignIsNone(_ order: UInt64?) async throws {
        let (store, id) = try await open(PackageResources.T30_reactdup_json, shuffled: order)
        // u-2 three times, u-3 once, Ana twice; and somebody whose account is gone.
        #expect(
            Set(try await shown(store, id)) == [
                Reaction(symbol: "👍", byMe: true, count: 3), Reaction(symbol: "🎉", byMe: false, count: 1),
            ])
    }

    @Test func t30AnUnknownMessageIsNotMadeUp() async throws {
        let (store, id) = try await open(PackageResources.T30_reactdup_json)
        #expect(try await store.newestPage(in: room, limit: 10).messages.map(\.id) == [id])
    }

    @Test func t30TakingOffRemovesEveryOwnCopy() async throws {
        let (store, id) = try await open(PackageResources.T30_reactdup_json)
        // The same sign once more in another form: two rows that a service may well have.
        let copy = ReactionRow(messageID: id, userID: .ana, symbol: "👍\u{FE0F}", isOn: true, version: 50)
        try await store.merge(IncomingRows(reactions: [copy]))
        try await store.enqueueReaction("👍", isOn: false, to: id, in: room)
        #expect(try await shown(store, id).first == Reaction(symbol: "👍", byMe: false, count: 2))
        #expect(
            Set(try await sent(store)) == [
                .react(messageID: id, symbol: "👍", isOn: false),
                .react(messageID: id, symbol: "👍\u{FE0F}", isOn: false),
            ])
        #expect(try await shown(store, id).first == Reaction(symbol: "👍", byMe: false, count: 2))
    }

    // MARK: One sign, written in two ways

    @Test func t31FormsOfOneSignAreOneGroupAndSkinTonesAreNot() async throws {
        for order in [nil, 1, 2, 3] as [UInt64?] {
            let (store, id) = try await open(PackageResources.T31_reactvs_json, shuffled: order)
            let shown = try await shown(store, id)
            #expect(shown.map(\.count) == [6, 2, 1])
            #expect(shown.map(\.byMe) == [true, false, false])
            #expect(shown.last?.symbol == "👍🏽")
        }
    }

    @Test(arguments: ["👍", "👍\u{FE0F}", "👍\u{FE0E}", "hand.thumbsup", "hand.thumbsup.fill"])
    func t31TheOwnOneGoesInTheFormItWasStored(_ picked: String) async throws {
        let (store, id) = try await open(PackageResources.T31_reactvs_json)
        try await store.enqueueReaction(picked, isOn: false, to: id, in: room)
        #expect(try await shown(store, id).map(\.count) == [5, 2, 1])
        #expect(try await sent(store) == [.react(messageID: id, symbol: "👍", isOn: false)])
        #expect(try await shown(store, id).map(\.byMe) == [false, false, false])
    }

    @Test func t31AnotherFormJoinsTheOneThatIsThere() async throws {
        let (store, id) = try await open(PackageResources.T31_reactvs_json)
        try await store.enqueueReaction("heart.fill", isOn: true, to: id, in: room)
        #expect(try await shown(store, id).map(\.count) == [6, 3, 1])
        #expect(try await sent(store) == [.react(messageID: id, symbol: "❤", isOn: true)])
    }
}
