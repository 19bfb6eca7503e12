import Backend
import FoundationEssentials
import Models
import Store
import Sync
import TestSupport
import Testing

/// Reactions that are toggled faster than they are answered, as it was reported of other messengers.
@Suite(.timeLimit(.minutes(1))) struct ReactionTrialTests {
    /// A world with a message of Cleo's that Ben has a heart on, as Ana sees it.
    private func world() async throws -> (World, UUID) {
        let world = try World()
        let said = world.server.say("look", in: world.room, from: .ben)
        _ = world.server.perform(heart(true, on: said.id, in: world.room), as: .ben)
        return (world, said.id)
    }

    private func heart(_ isOn: Bool, on id: UUID, in room: UUID) -> OutgoingOperation {
        .react(messageID: id, conversationID: room, symbol: "❤️", isOn: isOn)
    }

    private func press(_ world: World, _ id: UUID) async throws {
        try await world.engine.react(to: id, in: world.room, symbol: "heart.fill", isOn: nil)
    }

    private func reactions(_ world: World) -> [OutgoingOperation] {
        world.backend.performed.filter { if case .react = $0 { true } else { false } }
    }

    private func rest(_ world: World) async throws {
        while try await world.store.waitingCount() > 0 { await Task.yield() }
    }

    /// Reads what is shown of the message, one state after the other.
    private func watch(_ world: World, _ id: UUID) async -> AsyncStream<Message> {
        let stream = await world.engine.messageStream(for: world.room)
        let (shown, sink) = AsyncStream<Message>.makeStream()
        let reader = Task {
            for await message in stream where message.id == id { sink.yield(message) }
            sink.finish()
        }
        sink.onTermination = { _ in reader.cancel() }
        return shown
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func t29FifteenQuickPressesEndAsTheirNumberSays(_ seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let (world, id) = try await world()
        await world.connect()
        _ = await thread(await world.engine.messageStream(for: world.room)) { !$0.isEmpty }
        let shown = await watch(world, id)
        var gate = Gate()
        world.backend.hold(at: gate)
        for _ in 1...15 {
            try await press(world, id)
            // The answers come when they like: some after the next press, some after many.
            guard random.chance(40) else { continue }
            let next = Gate()
            world.backend.hold(at: next)
            gate.open()
            gate = next
            for _ in 0..<Int.random(in: 0..<200, using: &random) { await Task.yield() }
        }
        world.backend.hold(at: nil)
        gate.open()
        try await rest(world)
        _ = world.server.say("that is all", in: world.room, from: .ben)
        _ = await thread(await world.engine.messageStream(for: world.room)) { $0.count == 2 }

        let heart = try #require(try await world.store.message(id)?.reactions)
        #expect(heart == [Reaction(symbol: "❤️", byMe: true, count: 2)])
        let rows = world.server.reactions(in: world.room)
        #expect(Set(rows.map(\.userID)) == [.ana, .ben] && rows.count == 2)
        #expect(world.backend.mostReactionsAtOnce == 1)
        await world.engine.stop()
        for await message in shown {
            #expect(message.reactions.count == 1)
            #expect((1...2).contains(message.reactions.first?.count ?? 0))
            #expect(message.reactions.first?.count == (message.reactions.first?.byMe == true ? 2 : 1))
        }
    }

    @Test(arguments: [14, 15]) func t29OfPressesWithoutALinkOnlyTheirSumIsSent(_ presses: Int) async throws {
        let (world, id) = try await world()
        await world.connect()
        _ = await thread(await world.engine.messageStream(for: world.room)) { !$0.isEmpty }
        while try await world.store.cursor(of: world.room) == nil { await Task.yield() }
        world.backend.refuseConnects(
            .offline(.unreachable), .offline(.unreachable), .offline(.unreachable))
        world.server.cutLinks()
        await world.engine.reaches(.disconnected)
        for press in 1...presses {
            try await self.press(world, id)
            let isOn = press % 2 == 1
            let shown = try await world.store.message(id)?.reactions
            #expect(shown == [Reaction(symbol: "❤️", byMe: isOn, count: isOn ? 2 : 1)])
        }
        let isOn = presses % 2 == 1
        #expect(try await world.store.waitingCount() == (isOn ? 1 : 0))
        #expect(reactions(world).isEmpty)

        await world.whileTimePasses { await world.engine.reaches(.connected) }
        try await rest(world)
        #expect(reactions(world) == (isOn ? [heart(true, on: id, in: world.room)] : []))
        #expect(world.server.reactions(in: world.room).count == (isOn ? 2 : 1))
        await world.engine.stop()
    }

    @Test func t29LateEchoesOfEarlierPressesShowNothing() async throws {
        let (world, id) = try await world()
        await world.connect()
        _ = await thread(await world.engine.messageStream(for: world.room)) { !$0.isEmpty }
        let bens = try await FakeBackend(server: world.server, userID: .ben).connect()
        world.server.skip(of: .ana, true)
        for _ in 1...3 {
            try await press(world, id)
            try await rest(world)
        }
        world.server.skip(of: .ana, false)
        var echoes: [ReactionChange] = []
        for await event in bens {
            if case .reaction(let change) = event { echoes.append(change) }
            if echoes.count == 3 { break }
        }
        #expect(echoes.map(\.isOn) == [true, false, true])

        let shown = await watch(world, id)
        for echo in echoes { world.server.emit(.reaction(echo), to: .ana) }
        _ = world.server.say("after them", in: world.room, from: .ben)
        _ = await thread(await world.engine.messageStream(for: world.room)) { $0.count == 2 }
        await world.engine.stop()
        for await message in shown {
            #expect(message.reactions == [Reaction(symbol: "❤️", byMe: true, count: 2)])
        }
    }

    @Test func t29WhatMayHaveArrivedIsTakenBackAndNotForgotten() async throws {
        let (world, id) = try await world()
        await world.connect()
        _ = await thread(await world.engine.messageStream(for: world.room)) { !$0.isEmpty }
        // Ana's feed is silent: only an answer could tell that it is there, and that is lost.
        world.server.skip(of: .ana, true)
        while try await world.store.nextWaiting(in: world.room) != nil { await Task.yield() }
        world.backend.plan(.lostAnswer)
        try await press(world, id)
        while world.server.reactions(in: world.room).count < 2 { await Task.yield() }
        try await press(world, id)
        let pump = Task {
            while !Task.isCancelled { world.clock.advance(by: .seconds(1)); await Task.yield() }
        }
        try await rest(world)
        pump.cancel()
        #expect(world.server.reactions(in: world.room).map(\.userID) == [.ben])
        #expect(try await world.store.message(id)?.reactions.map(\.byMe) == [false])
        await world.engine.stop()
    }

    @Test func t29AWishTakenBackOnItsWayOutIsNotSent() async throws {
        let store = try MessageStore.inMemory(for: .ana)
        let message = Message.stored("look", in: .example(100), from: .ana, at: 1)
        try await store.merge(IncomingRows(messages: [message]))
        try await store.enqueueReaction("❤️", isOn: true, to: message.id, in: .example(100))
        let read = try #require(try await store.nextWaiting(in: .example(100)))
        try await store.enqueueReaction("❤️", isOn: false, to: message.id, in: .example(100))
        #expect(try await !store.begin(read))
        #expect(try await store.nextWaiting(in: .example(100)) == nil)
        #expect(try await store.conversationsWaiting().isEmpty)
    }
}
