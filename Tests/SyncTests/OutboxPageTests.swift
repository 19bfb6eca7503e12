import Backend
import FoundationEssentials
import Models
import Store
import Sync
import TestSupport
import Testing

/// What the engine tells of its outbox, and what becomes of the user's decisions.
@Suite(.timeLimit(.minutes(1))) struct OutboxPageTests {
    private func entries(
        _ stream: AsyncStream<[OutboxEntry]>, until isWanted: ([OutboxEntry]) -> Bool
    ) async -> [OutboxEntry] {
        for await entries in stream where isWanted(entries) { return entries }
        return []
    }

    @Test func aWaitingMessageTellsItsTriesAndWhenTheNextOneIs() async throws {
        let world = try World(answers: [.wait(after: .seconds(20), because: .askedToWait)])
        await world.connect()
        let stream = await world.engine.outboxEntries()
        let typed = try await world.engine.send("hello", in: world.room, replyTo: nil)
        try await world.engine.send("behind it", in: world.room, replyTo: nil)

        let told = await entries(stream) { $0.count == 2 && $0[0].nextTryAt != nil }

        #expect(told.map(\.kind) == [.send, .send])
        #expect(told[0].messageID == typed.id)
        #expect(told[0].conversationID == world.room)
        #expect(told[0].since == typed.createdAt)
        #expect(told[0].tries == 1)
        #expect(told[0].trouble == .askedToWait)
        #expect(told[0].nextTryAt == world.clock.wallTime().addingTimeInterval(20))
        // It waits for its turn, not for a time.
        #expect(told[1].nextTryAt == nil && told[1].tries == 0)
        await world.engine.stop()
    }

    @Test func theStreamEndsEmptyOnceEverythingWentOut() async throws {
        let world = try World()
        try await world.engine.send("typed offline", in: world.room, replyTo: nil)
        let stream = await world.engine.outboxEntries()
        let before = await entries(stream) { !$0.isEmpty }
        #expect(before.map(\.text) == ["typed offline"])
        await world.connect()
        _ = await entries(stream) { $0.isEmpty }
        #expect(world.server.messages(in: world.room).count == 1)
        await world.engine.stop()
    }

    @Test func everythingThatFailedIsSentAgainAtOnce() async throws {
        let world = try World(answers: [
            .refused(.notAMember), .refused(.refused(code: "x")), .refused(.mayHaveBeenSent),
        ])
        await world.connect()
        let stream = await world.engine.messageStream(for: world.room)
        for body in ["one", "two", "doubtful"] {
            try await world.engine.send(body, in: world.room, replyTo: nil)
        }
        _ = await thread(stream) { $0.count == 3 && $0.allSatisfy { $0.deliveryState == .failed } }

        #expect(try await world.engine.retryFailed() == 2)
        let shown = await thread(await world.engine.messageStream(for: world.room)) {
            $0.count { $0.deliveryState == .sent } == 2
        }

        #expect(shown.filter { $0.deliveryState == .sent }.map(\.body) == ["one", "two"])
        #expect(try await world.engine.dropFailed() == ["doubtful"])
        #expect(try await world.store.outboxEntries().compactMap(\.failure) == [])
        await world.engine.stop()
    }

    @Test func aFailedMessageThatIsTakenBackIsNotSentAndNotLost() async throws {
        let world = try World(answers: [.refused(.notAMember)])
        await world.connect()
        let stream = await world.engine.messageStream(for: world.room)
        let typed = try await world.engine.send("hello", in: world.room, replyTo: nil)
        _ = await thread(stream) { $0.first?.deliveryState == .failed }

        #expect(try await world.engine.takeBack(typed.id) == TakenBack(text: "hello"))
        #expect(await world.engine.draft(in: world.room) == "hello")
        #expect(try await world.engine.takeBack(typed.id) == nil)
        try await world.engine.send("another", in: world.room, replyTo: nil)
        _ = await thread(await world.engine.messageStream(for: world.room)) {
            $0.first?.deliveryState == .sent
        }
        #expect(world.server.messages(in: world.room).map(\.body) == ["another"])
        await world.engine.stop()
    }

    @Test func aMessageTakenBackOnItsWayIsDeletedWhereItArrives() async throws {
        let world = try World()
        let gate = Gate()
        world.backend.hold(at: gate)
        await world.connect()
        let typed = try await world.engine.send("too late", in: world.room, replyTo: nil)
        await gate.arrival()

        #expect(try await world.engine.takeBack(typed.id)?.text == "too late")
        world.backend.hold(at: nil)
        gate.open()
        let stream = await world.engine.outboxEntries()
        _ = await entries(stream) { $0.isEmpty }
        #expect(world.server.messages(in: world.room).map(\.isDeleted) == [true])
        #expect(await world.engine.draft(in: world.room) == "too late")
        await world.engine.stop()
    }

    @Test func aTryWithoutASessionIsNoted() async throws {
        let world = try World(answers: [.waitForSignIn])
        await world.connect()
        let stream = await world.engine.outboxEntries()
        try await world.engine.send("hello", in: world.room, replyTo: nil)
        let told = await entries(stream) { $0.first?.tries == 1 }
        #expect(told.first?.trouble == .signedOut)
        #expect(told.first?.failure == nil)
        await world.engine.stop()
    }

    @Test func whoStopsFollowingTheOutboxLeavesNothingBehind() async throws {
        let world = try World()
        await world.connect()
        var stream: AsyncStream<[OutboxEntry]>? = await world.engine.outboxEntries()
        if let stream { for await _ in stream { break } }
        stream = nil
        while await world.engine.followsOutbox { await Task.yield() }
        await world.engine.stop()
    }
}
