import Testing

@testable import Sync

@Suite(.timeLimit(.minutes(1))) struct BroadcastTests {
    private func all(_ stream: AsyncStream<Int>) async -> [Int] {
        await stream.reduce(into: []) { $0.append($1) }
    }

    @Test func whatCameBeforeTheFirstListenerIsKeptForItAlone() async {
        let broadcast = Broadcast<Int>(early: 2)
        for value in 1...3 { broadcast.send(value) }
        let first = broadcast.subscribe()
        let second = broadcast.subscribe()
        broadcast.send(4)
        broadcast.finish()
        #expect(await all(first) == [1, 2, 4])
        #expect(await all(second) == [4])
    }

    @Test func onlyWhatIsMeantToIsKept() async {
        let broadcast = Broadcast<Int>(early: 2) { $0 > 1 }
        for value in 1...4 { broadcast.send(value) }
        let stream = broadcast.subscribe()
        broadcast.finish()
        #expect(await all(stream) == [2, 3])
    }

    @Test func withoutRoomNothingIsKept() async {
        let broadcast = Broadcast<Int>()
        broadcast.send(1)
        let stream = broadcast.subscribe()
        broadcast.send(2)
        broadcast.finish()
        #expect(await all(stream) == [2])
    }
}
