import Dispatch
import Testing

@testable import Networking

@Suite(.timeLimit(.minutes(1)))
struct WebSocketLifeTests {
    @Test func cancellingTheReaderClosesTheConnection() async throws {
        let closed = Signals(of: Bool.self)
        let (connection, peer) = WebSocketConnection.server { closed.send(true) }
        let reading = Signals(of: Bool.self)
        let events = connection.events
        let reader = Task {
            for await _ in events { reading.send(true) }
        }
        peer.write(.text("go"), mask: mask)
        #expect(await reading.next() == true)

        reader.cancel()

        await reader.value
        #expect(await peer.nextFrame() == .close(1_001))
        peer.write(.close(1_001), mask: mask)
        _ = consume peer
        #expect(await closed.next() == true)
        _ = connection
    }

    @Test func releasingTheConnectionClosesItsSocketAndEndsItsStream() async throws {
        let closed = Signals(of: Bool.self)
        let (connection, peer) = WebSocketConnection.server { closed.send(true) }
        var held: WebSocketConnection? = consume connection
        guard let events = held?.events else { return }
        peer.write(.text("hello"), mask: mask)
        var iterator = events.makeAsyncIterator()
        #expect(await iterator.next() == .text("hello"))

        held = nil

        #expect(await closed.next() == true)
        #expect(await iterator.next() == .closed(WebSocketClose(.cut)))
        #expect(await iterator.next() == nil)
        #expect(await peer.nextFrame() == nil)
    }

    @Test func aReleaseWhileWritesWaitIsSafe() async throws {
        for _ in 0..<50 {
            let closed = Signals(of: Bool.self)
            let (connection, peer) = WebSocketConnection.server { closed.send(true) }
            var held: WebSocketConnection? = consume connection
            // More than a socket takes: the write source is on, or about to be.
            held?.enqueue(binary: [UInt8](repeating: 1, count: 1 << 20))
            #expect(peer.read(10).count == 10)

            held = nil

            #expect(await closed.next() == true)
            _ = consume peer
        }
    }

    @Test func aThousandConnectionsLeaveNothingBehind() async throws {
        let closed = Signals(of: Bool.self)
        weak var last: WebSocketConnection?
        for number in 0..<1_000 {
            let (connection, peer) = WebSocketConnection.server { closed.send(true) }
            last = connection
            peer.write(.text("\(number)"), mask: mask)
            switch number % 3 {
            case 0: await connection.close()
            case 1: connection.cut()
            default: peer.write(.close(1_000), mask: mask)
            }
            if number % 3 == 0 { peer.write(.close(1_000), mask: mask) }
            let events = await connection.allEvents()
            #expect(events.count <= 2)
        }

        for _ in 0..<1_000 { #expect(await closed.next() == true) }
        // The last one is held by its end timer at most.
        while last != nil { await Task.yield() }
    }

    @Test func manyConnectionsMayShareAnExecutor() async throws {
        let executor = QueueExecutor("hub")
        let ends = (0..<100).map { _ -> (WebSocketConnection, StubPeer) in
            let (socket, peer) = StubPeer.pair()
            let connection = WebSocketConnection(acceptedSocket: socket, executor: executor) {
                _ = StubPeer(socket)  // closes it
            }
            return (connection, peer)
        }

        for number in 0..<10 { for (connection, _) in ends { connection.enqueue(text: "\(number)") } }

        for (_, peer) in ends {
            for number in 0..<10 { #expect(await peer.nextFrame() == .text("\(number)")) }
        }
    }
}
