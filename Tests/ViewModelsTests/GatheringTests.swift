import TestSupport
import Testing

@testable import ViewModels

@MainActor
@Suite struct GatheringTests {
    /// What was delivered, batch by batch.
    @MainActor private final class Received {
        var batches: [[Int]] = []
        var all: [Int] { batches.flatMap(\.self) }
    }

    private let received = Received()

    @Test func everythingComesOnceAndInOrderAlsoTheLast() async {
        let (stream, sink) = AsyncStream.makeStream(of: Int.self)
        for number in 0..<1_000 { sink.yield(number) }
        sink.finish()
        await gather {
            stream
        } deliver: { [received] in
            received.batches.append($0)
        }
        #expect(received.all == Array(0..<1_000))
        #expect(!received.batches.contains([]))
    }

    @Test func cancellingEndsTheStream() async {
        let (stream, sink) = AsyncStream.makeStream(of: Int.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        sink.onTermination = { _ in end.finish() }
        let gathering = Task {
            await gather {
                stream
            } deliver: { [received] in
                received.batches.append($0)
            }
        }
        sink.yield(1)
        await until { [received] in received.all == [1] }
        gathering.cancel()
        for await _ in ends {}
        await gathering.value
    }
}
