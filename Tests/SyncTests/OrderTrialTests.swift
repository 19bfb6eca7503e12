import Backend
import FoundationEssentials
import Models
import Store
import Sync
import Synchronization
import TestSupport
import Testing

/// Messages out of order, as they were reported of other messengers.
@Suite(.timeLimit(.minutes(1))) struct OrderTrialTests {
    // MARK: T01, equal times

    @Test func t01MessagesOfOneInstantAreAllThereInOneOrder() async throws {
        let tied = try TrialRow.tied()
        let world = try World()
        for row in tied { world.server.keep(row.message(in: world.room)) }
        await world.connect()
        let first = await world.shown { $0.count == 70 }
        #expect(first.map(\.id) == tied.map(\.id).sorted())
        var held = Array(first.suffix(1))
        var reachedBeginning = false
        while !reachedBeginning {
            let page = try await world.engine.olderMessages(
                in: world.room, before: try #require(held.first), limit: 20)
            #expect(Set(page.messages.map(\.id)).isDisjoint(with: held.map(\.id)))
            held = page.messages + held
            reachedBeginning = page.reachedBeginning
        }
        #expect(held.map(\.id) == first.map(\.id))
        await world.engine.stop()
    }

    @Test func t01ALateOneOfTheSameInstantIsNotMissedByTheCatchUp() async throws {
        let tied = try TrialRow.tied()
        let world = try World()
        for row in tied.dropLast() { world.server.keep(row.message(in: world.room)) }
        await world.connect()
        await world.shown { $0.count == 69 }
        while try await world.store.cursor(of: world.room) == nil { await Task.yield() }
        world.server.skip(of: .ana, true)
        world.server.cutLinks()
        world.server.keep(try #require(tied.last).message(in: world.room))
        let all = await world.whileTimePasses { await world.shown { $0.count == 70 } }
        #expect(all.map(\.id) == tied.map(\.id).sorted())
        await world.engine.stop()
    }

    // MARK: T02, a wrong clock

    @Test(arguments: [-600, 600, -34_560_000, 34_560_000] as [Double])
    func t02AWrongClockMovesNothingAndIsForgotten(_ wrongBy: Double) async throws {
        let server = FakeServer()
        let clock = TestClock(wallTime: .exampleMorning.addingTimeInterval(wrongBy))
        let name = "clock-\(UUID())"
        let store = try MessageStore.inMemory(for: .ana, named: name)
        let world = try World(server: server, store: store, clock: clock)
        await world.connect()
        server.say("question at noon", in: world.room, from: .ben)
        await world.shown { $0.count == 1 }
        let gate = Gate()
        world.backend.hold(at: gate)
        try await world.engine.send("answer", in: world.room, replyTo: nil)
        let waiting = await world.shown { $0.count == 2 }
        #expect(waiting.map(\.body) == ["question at noon", "answer"])
        gate.open()
        await world.shown { $0.count == 2 && $0.last?.deliveryState == .sent }
        server.say("thanks", in: world.room, from: .ben)
        let after = await world.shown { $0.count == 3 }
        #expect(after.map(\.body) == ["question at noon", "answer", "thanks"])
        #expect(after.map(\.createdAt) == server.messages(in: world.room).map(\.createdAt))
        await world.engine.stop()

        let again = try World(
            server: server, store: .inMemory(for: .ana, named: name), room: world.room,
            clock: TestClock(wallTime: .exampleMorning))
        let kept = await again.shown { $0.count == 3 }
        #expect(kept.map(\.body) == ["question at noon", "answer", "thanks"])
        #expect(kept.map(\.createdAt) == after.map(\.createdAt))
        await again.engine.stop()
    }

    @Test func t02WhatOthersSayWhileAnAnswerWaitsStandsBeforeIt() async throws {
        let clock = TestClock(wallTime: .exampleMorning.addingTimeInterval(-600))
        let world = try World(clock: clock)
        await world.connect()
        let gate = Gate()
        world.backend.hold(at: gate)
        try await world.engine.send("answer", in: world.room, replyTo: nil)
        world.server.say("meanwhile", in: world.room, from: .ben)
        #expect(await world.shown { $0.count == 2 }.map(\.body) == ["meanwhile", "answer"])
        gate.open()
        let after = await world.shown { $0.allSatisfy { $0.deliveryState == .sent } && $0.count == 2 }
        #expect(after.map(\.body) == ["meanwhile", "answer"])
        await world.engine.stop()
    }

    // MARK: T03, answers in another order

    private static let typed = ["a", "b", "c", "d", "e"]

    /// Waits 0 to 800 ms each time, as the seed says.
    private func slowness(_ clock: TestClock, _ seed: UInt64) -> @Sendable () async -> Void {
        let random = Mutex(SeededRandom(seed: seed))
        return {
            let pause = random.withLock { Int.random(in: 0...800, using: &$0) }
            await clock.sleep(until: clock.uptime() + .milliseconds(pause))
        }
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func t03FastTypingStaysInItsOrderOnEveryScreen(_ seed: UInt64) async throws {
        let name = "fast-\(UUID())"
        let world = try World(store: .inMemory(for: .ana, named: name))
        let ben = try World(server: world.server, room: world.room, userID: .ben)
        await world.connect()
        await ben.connect()
        world.backend.delay(slowness(world.clock, seed))
        let stream = await world.engine.messageStream(for: world.room)
        for body in Self.typed { try await world.engine.send(body, in: world.room, replyTo: nil) }
        await world.whileTimePasses {
            _ = await thread(stream) { messages in
                #expect(messages.map(\.body) == Array(Self.typed.prefix(messages.count)))
                // Ben's program says that they came.
                return messages.count == 5 && messages.allSatisfy { $0.deliveryState != .sending }
            }
        }
        #expect(world.server.messages(in: world.room).map(\.body) == Self.typed)
        #expect(await ben.shown { $0.count == 5 }.map(\.body) == Self.typed)
        await ben.engine.stop()
        await world.engine.stop()
        let again = try World(
            server: world.server, store: .inMemory(for: .ana, named: name), room: world.room)
        #expect(await again.shown { $0.count == 5 }.map(\.body) == Self.typed)
        await again.engine.stop()
    }

    @Test func t03AnEchoThatComesLateOrTwiceMovesNothing() async throws {
        let world = try World()
        await world.connect()
        world.server.skip(of: .ana, true)  // answers alone confirm, echoes come when the test sends them
        for body in Self.typed { try await world.engine.send(body, in: world.room, replyTo: nil) }
        await world.shown { $0.count == 5 && $0.allSatisfy { $0.deliveryState == .sent } }
        let stream = await world.engine.messageStream(for: world.room)
        let stored = world.server.messages(in: world.room)
        for index in [2, 0, 4, 1, 3, 2] {
            world.server.emit(.message(MessageChange(message: stored[index])), to: .ana)
        }
        world.server.skip(of: .ana, false)
        world.server.say("end", in: world.room, from: .ben)
        _ = await thread(stream) { messages in
            #expect(messages.map(\.body) == Array((Self.typed + ["end"]).prefix(messages.count)))
            return messages.count == 6
        }
        await world.engine.stop()
    }
}
