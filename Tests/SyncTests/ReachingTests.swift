import Backend
import FoundationEssentials
import Models
import Store
import Sync
import TestSupport
import Testing

/// Messages asked for by their id: quoted ones, and those that somebody jumps to.
@Suite(.timeLimit(.minutes(1))) struct ReachingTests {
    /// A room with many messages, of which the newest page is held.
    private func world(_ count: Int = 450) async throws -> (World, [Message]) {
        let world = try World()
        let said = (1...count).map { world.server.say("m\($0)", in: world.room, from: .ben) }
        await world.connect()
        _ = await thread(await world.engine.messageStream(for: world.room)) { $0.count >= 100 }
        return (world, said)
    }

    @Test func whatIsFarBackIsShownWithEverythingBetween() async throws {
        let (world, said) = try await world()
        let shown = try await world.engine.messages(around: said[30].id, in: world.room, limit: 50)
        #expect(shown.contains { $0.id == said[30].id })
        // Nothing is missing up to the newest one.
        let all = try await world.store.messages(
            in: world.room, before: ThreadKey(position: .max, id: UUID()), limit: 1_000)
        #expect(Array(all.map(\.body).suffix(421)) == (30...450).map { "m\($0)" })
        await world.engine.stop()
    }

    @Test func aMessageThatCameAloneHidesNoHoleAroundIt() async throws {
        let (world, said) = try await world()
        // An old message is edited: it comes by itself, far below what is held.
        let edit = OutgoingOperation.edit(messageID: said[9].id, conversationID: world.room, body: "changed")
        _ = world.server.perform(edit, as: .ben)
        while try await world.store.message(said[9].id) == nil { await Task.yield() }
        #expect(try await world.store.messages(around: said[9].id, in: world.room, limit: 9).isEmpty)

        let shown = try await world.engine.messages(around: said[9].id, in: world.room, limit: 9)

        let bodies = shown.map(\.body)
        #expect(bodies == ["m6", "m7", "m8", "m9", "changed", "m11", "m12", "m13", "m14"])
        await world.engine.stop()
    }

    @Test func oneMessageIsLookedUpWithoutBeingKept() async throws {
        let (world, said) = try await world()
        let found = try await world.engine.message(said[0].id, in: world.room)
        #expect(found?.body == "m1")
        #expect(try await world.store.message(said[0].id) == nil)
        // In the wrong conversation, or gone.
        #expect(try await world.engine.message(said[449].id, in: .example(5)) == nil)
        #expect(try await world.engine.message(UUID(), in: world.room) == nil)
        #expect(try await world.engine.messages(around: UUID(), in: world.room, limit: 9).isEmpty)
        await world.engine.stop()
    }

    @Test func withoutALinkThatIsSaidAndNothingIsTorn() async throws {
        let (world, said) = try await world()
        world.backend.refuseReads(.offline(.unreachable))
        await #expect(throws: ChatError.self) {
            try await world.engine.messages(around: said[30].id, in: world.room, limit: 50)
        }
        #expect(try await world.store.message(said[30].id) == nil)
        await world.engine.stop()
    }
}
