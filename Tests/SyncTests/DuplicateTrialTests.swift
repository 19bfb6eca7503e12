import Backend
import FoundationEssentials
import Models
import Store
import Sync
import TestSupport
import Testing

/// Messages that came twice, as they were reported of other messengers.
@Suite(.timeLimit(.minutes(1))) struct DuplicateTrialTests {
    /// The texts of the messages that were news, up to `last`.
    private func incoming(_ notices: AsyncStream<ServiceNotice>, until last: String) async -> [String] {
        var bodies: [String] = []
        for await notice in notices {
            guard case .incoming(let message) = notice else { continue }
            bodies.append(message.body)
            if message.body == last { break }
        }
        return bodies
    }

    // MARK: T05, echoes

    /// By which roads the confirmation comes.
    enum Road: CaseIterable { case both, answerAlone, echoAlone }

    @Test(arguments: Road.allCases)
    func t05WhatTheServerChangedIsOneRowInTheServersForm(_ road: Road) async throws {
        let world = try World()
        world.server.storeTexts { String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
        await world.connect()
        switch road {
        case .both: break
        case .answerAlone: world.server.skip(of: .ana, true)
        case .echoAlone: world.backend.plan(.lostAnswer)
        }
        let typed = try await world.engine.send("  padded  ", in: world.room, replyTo: nil)
        let shown = await world.shown { $0.first?.deliveryState == .sent }
        #expect(shown.map(\.id) == [typed.id])
        #expect(shown.map(\.body) == ["padded"])
        while try await world.store.waitingCount() > 0 { await Task.yield() }
        #expect(try await world.store.newestPage(in: world.room, limit: 9).messages.map(\.body) == ["padded"])
        #expect(world.server.messages(in: world.room).map(\.body) == ["padded"])
        await world.engine.stop()
    }

    @Test func t05SayingTheSameTwiceOnPurposeIsKept() async throws {
        let world = try World()
        await world.connect()
        for _ in 0..<2 { try await world.engine.send("same", in: world.room, replyTo: nil) }
        let shown = await world.shown { $0.count == 2 && $0.allSatisfy { $0.deliveryState == .sent } }
        #expect(shown.map(\.body) == ["same", "same"])
        #expect(world.server.messages(in: world.room).map(\.body) == ["same", "same"])
        await world.engine.stop()
    }

    @Test func t05WhatOneSaysOnAnotherDeviceIsOnesOwnAndThereOnce() async throws {
        let world = try World()
        await world.connect()
        let notices = world.engine.notices()
        let stream = await world.engine.messageStream(for: world.room)
        let other = world.server.say("from the other one", in: world.room, from: .ana)
        world.server.emit(.message(MessageChange(message: other)), to: .ana)
        world.server.say("end", in: world.room, from: .ben)
        let shown = await thread(stream) { $0.count == 2 }
        #expect(shown.map(\.body) == ["from the other one", "end"])
        #expect(shown.map(\.senderID) == [.ana, .ben])
        #expect(shown.first?.deliveryState == .sent)
        #expect(await incoming(notices, until: "end") == ["end"])
        await world.engine.list { $0.first?.unreadCount == 1 }
        await world.engine.stop()
    }

    // MARK: T06, "already exists"

    @Test func t06ASecondTryOfWhatIsStoredEndsAsSent() async throws {
        let world = try World()
        await world.connect()
        world.server.skip(of: .ana, true)  // no echo helps
        world.backend.plan(.lostAnswer)
        let typed = try await world.engine.send("once", in: world.room, replyTo: nil)
        let shown = await world.whileTimePasses { await world.shown { $0.first?.deliveryState == .sent } }
        let stored = world.server.messages(in: world.room)
        #expect(stored.map(\.id) == [typed.id])
        #expect(shown.map(\.id) == [typed.id])
        #expect(shown.map(\.createdAt) == stored.map(\.createdAt))
        #expect(shown.map(\.position) == stored.map(\.position))
        #expect(world.backend.performed.count == 2)
        await world.engine.stop()
    }

    @Test func t06AnotherRuleThatIsBrokenFailsTheMessageAndKeepsItsText() async throws {
        let world = try World(answers: [.refused(.refused(code: "23505"))])
        await world.connect()
        try await world.engine.send("keep this text", in: world.room, replyTo: nil)
        let shown = await world.shown { $0.first?.deliveryState == .failed }
        #expect(shown.map(\.body) == ["keep this text"])
        #expect(shown.first?.failure == .refused(code: "23505"))
        #expect(shown.first?.failure?.userCopy.what.isEmpty == false)
        #expect(world.server.messages(in: world.room).isEmpty)
        await world.engine.stop()
    }

    // MARK: T07, replays

    @Test func t07HistoryThatIsSentAgainAddsNothing() async throws {
        let world = try World()
        await world.connect()
        for number in 1...5 {
            world.server.say("ben \(number)", in: world.room, from: .ben)
            try await world.engine.send("ana \(number)", in: world.room, replyTo: nil)
        }
        let before = await world.shown { $0.count == 10 && $0.allSatisfy { $0.deliveryState != .sending } }
        await world.engine.list { $0.first?.unreadCount == 5 }
        let notices = world.engine.notices()
        for _ in 0..<5 {
            world.server.cutLinks()
            while world.server.linkCount == 0 { world.clock.advance(by: .seconds(1)); await Task.yield() }
            for message in world.server.messages(in: world.room) {
                world.server.emit(.message(MessageChange(message: message)), to: .ana)
            }
        }
        await world.engine.reaches(.connected)
        world.server.say("end", in: world.room, from: .ben)
        #expect(await incoming(notices, until: "end") == ["end"])
        let after = await world.shown { $0.count > 10 }
        #expect(after.dropLast() == before[...])
        await world.engine.list { $0.first?.unreadCount == 6 }
        await world.engine.stop()
    }

    // MARK: T08, a key that bounces

    @Test func t08TwoRetriesAtOnceAreOne() async throws {
        let world = try World(answers: [.refused(.notAMember)])
        await world.connect()
        let typed = try await world.engine.send("again", in: world.room, replyTo: nil)
        await world.shown { $0.first?.deliveryState == .failed }
        let gate = Gate()
        world.backend.hold(at: gate)
        async let first: Void = world.engine.retry(typed.id)
        async let second: Void = world.engine.retry(typed.id)
        _ = try await (first, second)
        await gate.arrival()
        try await world.engine.retry(typed.id)  // while it is on its way
        gate.open()
        await world.shown { $0.first?.deliveryState == .sent }
        try await world.engine.retry(typed.id)  // once it has arrived
        try await world.engine.send("end", in: world.room, replyTo: nil)
        await world.shown { $0.count == 2 && $0.allSatisfy { $0.deliveryState == .sent } }
        #expect(world.backend.performed.count == 3)  // the refused one, its retry and the last
        #expect(world.server.messages(in: world.room).map(\.body) == ["again", "end"])
        await world.engine.stop()
    }
}
