import Backend
import FoundationEssentials
import Models
import Store
import Sync
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct SendingTests {
    @Test func aTypedMessageIsShownAtOnceAndThenSent() async throws {
        let world = try World()
        await world.connect()
        let stream = await world.engine.messageStream(for: world.room)

        let typed = try await world.engine.send("hello", in: world.room, replyTo: nil)

        #expect(typed.deliveryState == .sending)
        let shown = await thread(stream) { $0.first?.deliveryState == .sent }
        #expect(shown.map(\.id) == [typed.id])
        #expect(shown.first?.createdAt == world.server.messages(in: world.room).first?.createdAt)
        await world.engine.stop()
    }

    @Test func whatWasTypedOfflineGoesOutOnceAndInOrder() async throws {
        let world = try World()
        for body in ["one", "two", "three"] {
            try await world.engine.send(body, in: world.room, replyTo: nil)
        }
        let stream = await world.engine.messageStream(for: world.room)
        await world.connect()

        _ = await thread(stream) { $0.count == 3 && $0.allSatisfy { $0.deliveryState == .sent } }

        #expect(world.server.messages(in: world.room).map(\.body) == ["one", "two", "three"])
        await world.engine.stop()
    }

    @Test func aLostAnswerEndsInOneMessage() async throws {
        let world = try World()
        world.backend.plan(.lostAnswer)
        await world.connect()
        let stream = await world.engine.messageStream(for: world.room)

        try await world.engine.send("once", in: world.room, replyTo: nil)

        // The echo confirms it before any answer does.
        let shown = await thread(stream) { $0.first?.deliveryState == .sent }
        #expect(shown.count == 1)
        #expect(world.server.messages(in: world.room).count == 1)
        #expect(try await world.store.waitingCount() == 0)
        await world.engine.stop()
    }

    @Test func aMessageOfBensComesLive() async throws {
        let world = try World()
        await world.connect()
        let stream = await world.engine.messageStream(for: world.room)

        world.server.say("hi ana", in: world.room, from: .ben)

        let shown = await thread(stream) { !$0.isEmpty }
        #expect(shown.map(\.body) == ["hi ana"])
        await world.engine.list { $0.first?.unreadCount == 1 }
        await world.engine.stop()
    }

    @Test func aBlankMessageIsNotSent() async throws {
        let world = try World()
        for body in ["", "   ", "\t", "\n\n\n", "\u{A0}", "\u{200B}\u{FEFF}", "\u{2800}", "\u{3164}"] {
            await #expect(throws: ChatError.self) {
                try await world.engine.send(body, in: world.room, replyTo: nil)
            }
        }
        #expect(try await world.store.waitingCount() == 0)
    }
}
