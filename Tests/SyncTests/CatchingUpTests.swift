import Backend
import FoundationEssentials
import Models
import Store
import Sync
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct CatchingUpTests {
    @Test func theWholeHistoryIsPagedToItsBeginning() async throws {
        let world = try World()
        for number in 1...250 { world.server.say("m\(number)", in: world.room, from: .ben) }
        await world.connect()
        let stream = await world.engine.messageStream(for: world.room)
        var held = await thread(stream) { $0.count >= 100 }

        var reachedBeginning = false
        while !reachedBeginning {
            let page = try await world.engine.olderMessages(
                in: world.room, before: try #require(held.first), limit: 60)
            held = page.messages + held
            reachedBeginning = page.reachedBeginning
        }

        #expect(held.map(\.body) == (1...250).map { "m\($0)" })
        await world.engine.stop()
    }

    @Test func aHoleThatCannotBeFilledIsNotTakenForTheBeginning() async throws {
        let world = try World()
        for number in 1...150 { world.server.say("m\(number)", in: world.room, from: .ben) }
        await world.connect()
        let held = await thread(await world.engine.messageStream(for: world.room)) { $0.count >= 100 }
        world.backend.refuseReads(.offline(.unreachable))
        let oldest = try #require(held.first)
        await #expect(throws: ChatError.self) {
            try await world.engine.olderMessages(in: world.room, before: oldest, limit: 60)
        }
        await world.engine.stop()
    }

    @Test func aSkippedChangeIsFetchedAfterItsNotice() async throws {
        let world = try World()
        await world.connect()
        let stream = await world.engine.messageStream(for: world.room)
        while try await world.store.cursor(of: world.room) == nil { await Task.yield() }
        world.server.skip(of: .ana, true)
        world.server.say("unheard", in: world.room, from: .ben)
        world.server.skip(of: .ana, false)
        let changed = world.server.changed(in: world.room)
        world.server.emit(
            .conversation(id: world.room, cursor: SyncCursor(order: changed, token: "t\(changed)")), to: .ana)
        let pump = Task {
            while !Task.isCancelled { world.clock.advance(by: .seconds(1)); await Task.yield() }
        }
        #expect(await thread(stream) { !$0.isEmpty }.map(\.body) == ["unheard"])
        pump.cancel()
        await world.engine.stop()
    }

    @Test func aNewConversationAppearsAndALeftOneGoes() async throws {
        let world = try World()
        await world.connect()
        await world.engine.list { $0.map(\.id) == [world.room] }
        let new = world.server.addConversation(of: [.ana, .cleo])
        world.server.say("hello", in: new, from: .cleo)
        await world.engine.list { $0.map(\.id) == [new, world.room] }
        try await world.engine.leaveConversation(new)
        await world.engine.list { $0.map(\.id) == [world.room] }
        await world.engine.stop()
    }

    @Test func aConversationThatWasStartedIsOnTheList() async throws {
        let world = try World()
        await world.connect()
        let group = try await world.engine.startConversation(
            with: [.ben, .cleo], title: "Trip", isGroup: true)
        let list = await world.engine.list { $0.contains { $0.id == group } }
        #expect(list.first { $0.id == group }?.memberCount == 3)
        let again = try await world.engine.startConversation(with: [.ben], title: nil, isGroup: false)
        #expect(again == world.room)
        await world.engine.stop()
    }

    @Test func whoIsTakenOutWhileCatchingUpMissesNothingOnceBack() async throws {
        let world = try World()
        world.server.say("before", in: world.room, from: .ben)
        await world.connect()
        await world.shown { $0.map(\.body) == ["before"] }
        let cursor = try await world.cursorIsHeld()
        let (server, room) = (world.server, world.room)
        server.skip(of: .ana, true)
        server.say("unseen", in: room, from: .ben)
        world.backend.before(next: "changes") { server.takeOut(.ana, of: room) }
        await world.engine.reconnectNow()

        await world.engine.list { $0.isEmpty }
        #expect(try await world.store.cursor(of: room) == cursor)
        server.say("said without her", in: room, from: .ben)
        server.skip(of: .ana, false)
        server.put(.ana, into: room)

        await world.shown { $0.map(\.body) == ["before", "unseen", "said without her"] }
        await world.engine.list { $0.map(\.id) == [room] }
        await world.engine.stop()
    }

    @Test func whoIsBackBeforeAnybodyLookedCatchesUpAllTheSame() async throws {
        let world = try World()
        world.server.say("before", in: world.room, from: .ben)
        await world.connect()
        await world.shown { $0.map(\.body) == ["before"] }
        _ = try await world.cursorIsHeld()
        let (server, room) = (world.server, world.room)
        server.skip(of: .ana, true)
        server.say("unseen", in: room, from: .ben)
        let backend = world.backend
        backend.before(next: "changes") {
            server.takeOut(.ana, of: room)
            backend.before(next: "members") { server.put(.ana, into: room) }
        }
        await world.engine.reconnectNow()

        await world.whileTimePasses { _ = await world.shown { $0.map(\.body) == ["before", "unseen"] } }
        await world.engine.stop()
    }
}

extension World {
    /// The conversation's cursor, once there is one.
    fileprivate func cursorIsHeld() async throws -> StoredCursor {
        while true {
            if let cursor = try await store.cursor(of: room) { return cursor }
            await Task.yield()
        }
    }
}
