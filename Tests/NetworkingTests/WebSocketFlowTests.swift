import Synchronization
import Testing

@testable import Networking

@Suite(.timeLimit(.minutes(5)))  // four megabytes through a sanitizer take more than one
struct WebSocketFlowTests {
    @Test func aSenderWaitsForASlowPeerAndThenGoesOn() async throws {
        let (connection, peer) = WebSocketConnection.server(limits: WebSocketLimits(sendWait: 256 << 10))
        let message = [UInt8](repeating: 9, count: 100 << 10)
        let sent = Mutex(0)
        let sender = Task {
            for _ in 0..<40 {
                try await connection.send(binary: message)
                sent.withLock { $0 += 1 }
            }
        }

        // The sender stops by itself; only then does the peer begin to read.
        while connection.queuedBytes <= 256 << 10 { await Task.yield() }
        #expect(sent.withLock { $0 } < 40)
        for _ in 0..<40 { #expect(await peer.nextFrame()?.payload == message) }

        try await sender.value
        #expect(connection.queuedBytes == 0)
    }

    @Test func aWaitingSenderHearsThatTheConnectionEnded() async throws {
        let (connection, peer) = WebSocketConnection.server(limits: WebSocketLimits(sendWait: 1_000))
        let sender = Task {
            while true { try await connection.send(binary: [UInt8](repeating: 0, count: 100_000)) }
        }
        #expect(await peer.nextFrame() != nil)

        connection.cut()

        await #expect(throws: NetworkError.closed) { try await sender.value }
        #expect(await connection.allEvents() == [.closed(WebSocketClose(.cut))])
    }

    @Test func aHubSeesAReaderFallBehindAndCutsIt() async throws {
        let closed = Signals(of: Bool.self)
        let (connection, peer) = WebSocketConnection.server { closed.send(true) }
        let message = String(repeating: "x", count: 10_000)

        while let queued = connection.enqueue(text: message), queued < 4 << 20 {}
        connection.cut()

        #expect(await connection.allEvents() == [.closed(WebSocketClose(.cut))])
        #expect(await closed.next() == true)
        #expect(connection.queuedBytes == 0)
        _ = consume peer
    }

    @Test func whatNobodyTakesDoesNotPileUpForEver() async throws {
        let (connection, peer) = WebSocketConnection.server(limits: WebSocketLimits(unsent: 1 << 20))

        while connection.enqueue(text: String(repeating: "x", count: 100_000)) != nil { await Task.yield() }

        #expect(await connection.allEvents() == [.closed(WebSocketClose(.cut))])
        _ = consume peer
    }

    @Test func unreadBytesHaveALimit() async throws {
        let (connection, peer) = WebSocketConnection.server(limits: WebSocketLimits(unread: 100_000))
        for _ in 0..<200 { peer.write(.text(String(repeating: "x", count: 1_000)), mask: mask) }
        #expect(await peer.nextFrame() == .close(1_008))

        let events = await connection.allEvents()

        #expect(events.last == .closed(WebSocketClose(.readerTooSlow, code: 1_008)))
        #expect((90...100).contains(events.count - 1))
    }

    @Test func unreadMessagesHaveALimit() async throws {
        let (connection, peer) = WebSocketConnection.server(limits: WebSocketLimits(unreadMessages: 50))
        for _ in 0..<100 { peer.write(.text(""), mask: mask) }
        #expect(await peer.nextFrame() == .close(1_008))

        let events = await connection.allEvents()

        #expect(events.count == 51)
        #expect(events.last == .closed(WebSocketClose(.readerTooSlow, code: 1_008)))
    }

    @Test func aReaderThatKeepsUpHasNoLimit() async throws {
        let (client, server) = WebSocketConnection.pair(
            limits: WebSocketLimits(unread: 1 << 20, unreadMessages: 600))
        let message = String(repeating: "y", count: 1_000)
        let sender = Task {
            var answers = client.events.makeAsyncIterator()
            for _ in 0..<50 {
                for _ in 0..<200 { try await client.send(text: message) }
                #expect(await answers.next() == .text("more"))
            }
            await client.close()
        }

        var count = 0
        for await event in server.events {
            guard case .text = event else { continue }
            count += 1
            if count.isMultiple(of: 200) { server.enqueue(text: "more") }
        }

        #expect(count == 10_000)
        try await sender.value
    }

    @Test func theAccountForgetsWhatWasTaken() {
        var account = UnreadAccount()
        for number in 1...5_000 { account.add(10, buffered: min(number, 3)) }
        #expect(account.bytes == 30)

        account.add(7, buffered: 1)

        #expect(account.bytes == 7)
    }
}
