import FoundationEssentials
import Models
import Store
import TestSupport
import Testing

@Suite struct OutboxStoreTests {
    private let room = UUID.example(100)

    @Test func aMessageAndItsPlaceInTheOutboxAreKeptTogether() async throws {
        let store = try MessageStore.inMemory(for: .ana)
        let kept = try await store.enqueue(.typed("hello", in: room))

        #expect(kept.deliveryState == .sending)
        #expect(try await store.nextWaiting(in: room)?.operation == .send(kept))
        #expect(try await store.newestPage(in: room, limit: 10).messages == [kept])
        #expect(try await store.waitingCount() == 1)
    }
}
