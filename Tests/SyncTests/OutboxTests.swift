import Backend
import FoundationEssentials
import Models
import Store
import Sync
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct OutboxTests {
    private let server = FakeServer()
    private let thread = UUID.example(100)

    private func store(_ bodies: String...) async throws -> MessageStore {
        server.addConversation(thread, of: [.ana, .ben])
        let store = try MessageStore.inMemory(for: .ana)
        for body in bodies { try await store.enqueue(.typed(body, in: thread)) }
        return store
    }

    private func states(_ store: MessageStore) async throws -> [DeliveryState] {
        try await store.newestPage(in: thread, limit: 10).messages.map(\.deliveryState)
    }

    @Test func aRefusedMessageDoesNotHoldUpTheNext() async throws {
        let store = try await store("one", "two")
        let backend = FakeBackend(server: server, answers: [.refused(.tooLong(limit: 8_000))])

        let end = try await Outbox(store: store, backend: backend).deliver(thread)

        #expect(end == .empty)
        // Confirmed messages stand before those that wait or failed.
        #expect(try await states(store) == [.sent, .failed])
    }

    @Test(arguments: [WaitReason.offline, .timedOut, .askedToWait, .serverFailed])
    func whatWaitsStaysFirstInLine(_ reason: WaitReason) async throws {
        let store = try await store("one", "two")
        let backend = FakeBackend(server: server, answers: [.wait(after: .seconds(2), because: reason)])
        let clock = TestClock()
        let outbox = Outbox(store: store, backend: backend, clock: clock)

        #expect(try await outbox.deliver(thread) == .wait(after: .seconds(2), because: reason))
        #expect(try await states(store) == [.sending, .sending])
        clock.advance(by: .seconds(1))
        // The service asked for a pause: whoever asks again meanwhile hears how long it is.
        #expect(try await outbox.deliver(thread) == .wait(after: .seconds(1), because: .askedToWait))
        clock.advance(by: .seconds(1))
        #expect(try await outbox.deliver(thread) == .empty)
        #expect(server.messages(in: thread).map(\.body) == ["one", "two"])
    }

    @Test func aMissingSignInLeavesItWaiting() async throws {
        let store = try await store("one")
        let backend = FakeBackend(server: server, answers: [.waitForSignIn])
        #expect(try await Outbox(store: store, backend: backend).deliver(thread) == .waitForSignIn)
        #expect(try await states(store) == [.sending])
    }

    @Test func tenMinutesOfServerFailuresCountAsRefused() async throws {
        let store = try await store("poison", "fine")
        let clock = TestClock()
        let failed = OperationOutcome.wait(after: nil, because: .serverFailed)
        let backend = FakeBackend(server: server, answers: [failed, failed, failed])
        let outbox = Outbox(store: store, backend: backend, clock: clock)
        _ = try await outbox.deliver(thread)
        clock.advance(by: .seconds(599))
        #expect(try await outbox.deliver(thread) == .wait(after: nil, because: .serverFailed))
        clock.advance(by: .seconds(1))
        #expect(try await outbox.deliver(thread) == .empty)
        let messages = try await store.newestPage(in: thread, limit: 10).messages
        #expect(messages.map(\.body) == ["fine", "poison"])
        #expect(messages.last?.failure == .serverFailing)
    }

    @Test func aSecondDeliveryWhileOneRunsSendsNothingTwice() async throws {
        let store = try await store("one")
        let backend = FakeBackend(server: server)
        let gate = Gate()
        backend.hold(at: gate)
        let outbox = Outbox(store: store, backend: backend)
        async let first = outbox.deliver(thread)
        await gate.arrival()
        try await store.enqueue(.typed("two", in: thread))
        #expect(try await outbox.deliver(thread) == .running)
        gate.open()
        #expect(try await first == .empty)
        #expect(backend.performed.count == 2)
        #expect(server.messages(in: thread).map(\.body) == ["one", "two"])
    }

    @Test func conversationsDoNotWaitForEachOther() async throws {
        let store = try await store("slow")
        let other = server.addConversation(of: [.ana, .cleo])
        try await store.enqueue(.typed("quick", in: other))
        let backend = FakeBackend(server: server)
        let gate = Gate()
        backend.hold(at: gate)
        let outbox = Outbox(store: store, backend: backend)
        async let slow = outbox.deliver(thread)
        await gate.arrival()
        backend.hold(at: nil)
        #expect(try await outbox.deliver(other) == .empty)
        #expect(server.messages(in: other).map(\.body) == ["quick"])
        gate.open()
        #expect(try await slow == .empty)
    }

    @Test func inDoubtAServiceThatWouldRepeatIsNotAskedAgain() async throws {
        let store = try await store("once")
        let backend = FakeBackend(server: server, repeatsAreHarmless: false)
        // A program that was killed between the try and its answer leaves the try noted.
        let row = try #require(try await store.nextWaiting(in: thread))
        try await store.noteTry(of: row, failingSince: nil)

        #expect(try await Outbox(store: store, backend: backend).deliver(thread) == .empty)

        #expect(backend.performed.isEmpty)
        #expect(try await store.newestPage(in: thread, limit: 1).messages.first?.failure == .mayHaveBeenSent)
        _ = try await store.retry(row.operation.messageID ?? UUID())
        #expect(try await Outbox(store: store, backend: backend).deliver(thread) == .empty)
        #expect(server.messages(in: thread).count == 1)
    }
}
