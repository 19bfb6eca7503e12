import Backend
import FoundationEssentials
import Models
import SQLite
import Store
import Sync
import TestSupport
import Testing

/// A disk that fails for a while: what failed is done once it does not.
@Suite(.timeLimit(.minutes(1))) struct StoreTroubleTests {
    private let server = FakeServer()
    private let room: UUID
    private let store: MessageStore
    /// Another way to the store's tables: where one is missing, whatever needs it fails.
    private let disk: SQLConnection

    init() throws {
        room = server.addConversation(of: [.ana, .ben])
        let name = "trouble-\(UUID())"
        store = try .inMemory(for: .ana, named: name)
        disk = try SQLConnection(.sharedMemory(name))
    }

    private func hide(_ table: String) throws { try disk.execute("ALTER TABLE \(table) RENAME TO hidden") }
    private func showAgain(_ table: String) throws {
        try disk.execute("ALTER TABLE hidden RENAME TO \(table)")
    }

    /// Lets time pass until something has happened.
    private func passing(_ clock: TestClock, until happened: () async -> Void) async {
        let time = Task {
            while !Task.isCancelled {
                clock.advance(by: .seconds(10))
                await Task.yield()
            }
        }
        await happened()
        time.cancel()
    }

    private func world() throws -> World { try World(server: server, store: store, room: room) }

    @Test func aListThatCouldNotBeReadIsReadLater() async throws {
        let head = Conversation(id: room, title: "room", isGroup: false, activityAt: 1, memberCount: 2)
        try await store.keep([head])
        let world = try world()
        world.backend.refuseConnects(.offline(.signedOut))
        try hide("conversations")
        await world.engine.start()
        await world.engine.list { $0.isEmpty }
        try showAgain("conversations")
        let room = room
        await passing(world.clock) {
            await world.engine.list { [room] list in list.map(\.id) == [room] }
        }
        await world.engine.stop()
    }

    @Test func whatWaitsIsLookedForUntilItCanBeRead() async throws {
        try await store.enqueue(.typed("waits", in: room))
        let world = try world()
        try hide("outbox")
        await world.connect()
        try showAgain("outbox")
        let stream = await world.engine.messageStream(for: room)
        await passing(world.clock) { _ = await thread(stream) { $0.first?.deliveryState == .sent } }
        #expect(server.messages(in: room).map(\.body) == ["waits"])
        await world.engine.stop()
    }

    @Test func aThreadThatCouldNotBeReadFillsLater() async throws {
        try await store.enqueue(.typed("first", in: room))
        let world = try world()
        world.backend.refuseConnects(.offline(.signedOut))
        await world.engine.start()
        try hide("messages")
        let opened = await world.engine.openThread(room)
        #expect(opened.page.isEmpty)
        try showAgain("messages")
        await passing(world.clock) {
            for await case .message(let message) in opened.changes where message.body == "first" { break }
        }
        await world.engine.stop()
    }

    @Test func aReactionToWhatCouldNotBeKeptIsRefused() async throws {
        let world = try world()
        await world.connect()
        let opened = await world.engine.openThread(room)
        try hide("reactions")
        let said = server.say("hi", in: room, from: .ben)
        for await case .message(let message) in opened.changes where message.id == said.id { break }
        world.server.cutLinks(because: .signedOut)
        await world.engine.reaches(.disconnected)  // else the next round may keep it after all
        try showAgain("reactions")
        await #expect(throws: ChatError.self) {
            try await world.engine.react(to: said.id, in: room, symbol: "❤", isOn: true)
        }
        await world.engine.stop()
    }

    @Test func aRemovalOfWhatCouldNotBeKeptTakesItOffTheScreen() async throws {
        let world = try world()
        await world.connect()
        let opened = await world.engine.openThread(room)
        try hide("reactions")
        let said = server.say("goes", in: room, from: .ben)
        var changes = opened.changes.makeAsyncIterator()
        while let change = await changes.next(), change.message?.id != said.id {}
        try showAgain("reactions")
        server.emit(.messageRemoved(said.id), to: .ana)
        while let change = await changes.next(), change != .gone(said.id) {}
        await world.engine.stop()
    }

    @Test func whatWasRemovedDoesNotComeBackFromMemory() async throws {
        let world = try world()
        await world.connect()
        let opened = await world.engine.openThread(room)
        let said = server.say("goes", in: room, from: .ben)
        var changes = opened.changes.makeAsyncIterator()
        while let change = await changes.next(), change.message?.id != said.id {}
        server.emit(.messageRemoved(said.id), to: .ana)
        while let change = await changes.next(), change != .gone(said.id) {}
        try hide("reactions")
        server.emit(.message(MessageChange(message: said, reactions: [])), to: .ana)
        let other = server.say("stays", in: room, from: .ben)
        var shown: [UUID] = []
        while let change = await changes.next() {
            if let id = change.message?.id { shown.append(id) }
            if change.message?.id == other.id { break }
        }
        #expect(shown == [other.id])
        await world.engine.stop()
    }

    /// The store can be read and takes nothing: what it has already must not be shown in a form of before.
    @Test func noOlderFormIsShownFromMemoryAndNoneWithoutItsReactions() async throws {
        let world = try world()
        await world.connect()
        let opened = await world.engine.openThread(room)
        var changes = opened.changes.makeAsyncIterator()
        let said = server.say("before", in: room, from: .ben)
        _ = server.perform(.edit(messageID: said.id, conversationID: room, body: "after"), as: .ben)
        _ = server.perform(
            .react(messageID: said.id, conversationID: room, symbol: "👍", isOn: true), as: .ben)
        while let change = await changes.next(), change.message?.reactions.isEmpty ?? true {}
        try disk.execute(
            """
            CREATE TRIGGER full BEFORE UPDATE ON messages BEGIN SELECT raise(ABORT, 'full'); END;
            CREATE TRIGGER full_too BEFORE INSERT ON messages BEGIN SELECT raise(ABORT, 'full'); END
            """)
        server.emit(.message(MessageChange(message: said, reactions: [])), to: .ana)
        _ = server.perform(.edit(messageID: said.id, conversationID: room, body: "at last"), as: .ben)
        var shown: [Message] = []
        while shown.last?.body != "at last", let change = await changes.next() {
            if let message = change.message { shown.append(message) }
        }
        #expect(!shown.contains { $0.body == "before" })
        #expect(shown.last?.reactions.map(\.symbol) == ["👍"])
        await world.engine.stop()
    }

    @Test func aRemovalThatCouldNotBeKeptIsKeptLater() async throws {
        let world = try world()
        await world.connect()
        let said = server.say("goes", in: room, from: .ben)
        _ = await thread(await world.engine.messageStream(for: room)) { !$0.isEmpty }
        let opened = await world.engine.openThread(room)
        let notices = world.engine.notices()
        try hide("reactions")
        server.emit(.messageRemoved(said.id), to: .ana)
        for await case .storeTrouble in notices { break }
        try showAgain("reactions")
        await passing(world.clock) {
            for await change in opened.changes where change == .gone(said.id) { break }
        }
        await world.engine.stop()
    }
}

extension ThreadChange {
    fileprivate var message: Message? {
        guard case .message(let message) = self else { return nil }
        return message
    }
}
