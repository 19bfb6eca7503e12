import FoundationEssentials
import Models
import Sync
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ConnectionStateTests {
    @Test func threeEnqueuedComeBackAsThreeAndTheSecondDrainIsEmpty() async {
        let state = ConnectionState()
        let ids = (1...3).map { UUID.example($0) }
        for id in ids { await state.enqueue(id) }
        #expect(await state.drainOutbox() == ids)
        #expect(await state.drainOutbox().isEmpty)
    }

    @Test func everySubscriberStartsWithTheCurrentStatus() async {
        let state = ConnectionState()
        await state.markConnecting()
        var early = state.statusStream().makeAsyncIterator()
        #expect(await early.next() == .connecting)
        await state.markConnected()
        var late = state.statusStream().makeAsyncIterator()
        #expect(await late.next() == .connected)
        #expect(await early.next() == .connected)
    }

    @Test func theCountdownShowsWhenTheNextTryComes() async {
        let clock = TestClock()
        let state = ConnectionState(clock: clock)
        await state.markDisconnected(because: .lost, attempt: 3)
        let details = state.detailStream()
        let waiting = Task { await state.reconnect(after: .seconds(4)) }
        for await detail in details where detail.nextTryAt != nil {
            #expect(detail.nextTryAt == clock.wallTime().addingTimeInterval(4))
            #expect(detail.attempt == 3 && detail.reason == .lost)
            break
        }
        clock.advance(by: .seconds(4))
        #expect(await waiting.value)
        #expect(await state.status == .connecting)
        #expect(await state.detail.nextTryAt == nil)
    }

    @Test func aCancelledCountdownChangesNothing() async {
        let clock = TestClock()
        let state = ConnectionState(clock: clock)
        let waiting = Task { await state.reconnect(after: .seconds(4)) }
        waiting.cancel()
        #expect(await waiting.value == false)
        #expect(await state.status == .disconnected)
    }

    @Test func closingEndsTheStreams() async {
        let state = ConnectionState()
        let stream = state.statusStream()
        await state.close()
        for await _ in stream {}
        for await _ in state.detailStream() {}
    }
}
