import Testing

@testable import Networking

@Suite(.timeLimit(.minutes(1)))
struct WebSocketConnectionTests {
    @Test func textAndBytesTravelBothWaysInOrder() async throws {
        let (client, server) = WebSocketConnection.pair()

        try await client.send(text: "grüß dich 👋")
        try await client.send(binary: [0, 255, 10])
        client.enqueue(text: "")
        try await server.send(text: "hello")
        await client.close()

        let atServer = await server.allEvents()
        #expect(atServer.dropLast() == [.text("grüß dich 👋"), .binary([0, 255, 10]), .text("")])
        #expect(await client.allEvents().first == .text("hello"))
    }

    @Test(arguments: [0, 1, 125, 126, 65_535, 65_536, 4 << 20])
    func aMessageOfAnySizeArrivesWhole(size: Int) async throws {
        let (client, server) = WebSocketConnection.pair()
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }

        try await client.send(binary: bytes)
        try await server.send(binary: bytes)

        var atServer = server.events.makeAsyncIterator()
        var atClient = client.events.makeAsyncIterator()
        #expect(await atServer.next() == .binary(bytes))
        #expect(await atClient.next() == .binary(bytes))
    }

    @Test func framesReadWithTheRequestComeFirst() async throws {
        let early = RawFrame.text("first").bytes(mask: mask) + RawFrame.text("second").bytes(mask: mask)
        let half = RawFrame.text("third").bytes(mask: mask)
        let (connection, peer) = WebSocketConnection.server(initialBytes: early + half.prefix(3))
        peer.write(Array(half.dropFirst(3)))
        peer.write(.close(1_000), mask: mask)

        let events = await connection.allEvents()

        #expect(events.dropLast() == [.text("first"), .text("second"), .text("third")])
    }

    @Test func aMessageInPiecesIsPutTogetherAroundPings() async throws {
        let (connection, peer) = WebSocketConnection.server()
        peer.write(.text("Grü", isFinal: false), mask: mask)
        peer.write(RawFrame(opcode: 9, payload: [1, 2, 3]), mask: mask)
        peer.write(RawFrame(opcode: 0, payload: Array("ße".utf8), isFinal: false), mask: mask)
        peer.write(RawFrame(opcode: 0, payload: []), mask: mask)

        var events = connection.events.makeAsyncIterator()
        #expect(await events.next() == .text("Grüße"))
        #expect(await peer.nextFrame() == RawFrame(opcode: 10, payload: [1, 2, 3]))
    }

    @Test func aByteAtATimeIsEnough() async throws {
        let (connection, peer) = WebSocketConnection.server()
        for byte in RawFrame.text("slow").bytes(mask: mask) + RawFrame.close(1_000).bytes(mask: mask) {
            peer.write([byte])
        }

        #expect(await connection.allEvents().first == .text("slow"))
    }

    @Test func aPeersCloseIsAnsweredAndReported() async throws {
        let closed = Signals(of: Bool.self)
        let (connection, peer) = WebSocketConnection.server { closed.send(true) }
        peer.write(.close(4_321, "so long"), mask: mask)

        let events = await connection.allEvents()

        #expect(events == [.closed(WebSocketClose(.peer, code: 4_321, reason: "so long"))])
        #expect(await peer.nextFrame()?.payload.prefix(2) == [0x10, 0xE1])
        #expect(await peer.nextFrame() == nil)
        _ = consume peer
        #expect(await closed.next() == true)
    }

    @Test func aCloseHereWaitsForThePeersAnswer() async throws {
        let (connection, peer) = WebSocketConnection.server()
        try await connection.send(text: "last words")
        await connection.close(code: 4_000, reason: "bye")
        #expect(await peer.nextFrame() == .text("last words"))
        #expect(await peer.nextFrame() == .close(4_000, "bye"))
        peer.write(.text("crossed"), mask: mask)
        peer.write(.close(4_000), mask: mask)

        let events = await connection.allEvents()

        #expect(events == [.text("crossed"), .closed(WebSocketClose(.local, code: 4_000))])
        await #expect(throws: NetworkError.closed) { try await connection.send(text: "late") }
        #expect(connection.enqueue(text: "late") == nil)
    }

    @Test func bothEndsMayCloseAtOnce() async throws {
        let (client, server) = WebSocketConnection.pair()
        client.enqueueClose(code: 4_001)
        server.enqueueClose(code: 4_002)

        let atClient = await client.allEvents()
        let atServer = await server.allEvents()

        #expect(atClient.count == 1 && atServer.count == 1)
    }

    @Test func aPeerThatNeverAnswersACloseIsNotWaitedFor() async throws {
        let closed = Signals(of: Bool.self)
        let limits = WebSocketLimits(closeTimeout: .milliseconds(50))
        let (connection, peer) = WebSocketConnection.server(limits: limits) { closed.send(true) }
        await connection.close(code: 1_001)

        #expect(await connection.allEvents() == [.closed(WebSocketClose(.local, code: 1_001))])
        #expect(await closed.next() == true)
        #expect(await peer.nextFrame() == .close(1_001))
    }

    @Test func aVanishedPeerIsALostConnection() async throws {
        let closed = Signals(of: Bool.self)
        let (connection, peer) = WebSocketConnection.server { closed.send(true) }
        peer.write(Array(RawFrame.text("half of it").bytes(mask: mask).prefix(5)))
        _ = consume peer

        #expect(await connection.allEvents() == [.closed(WebSocketClose(.lost, code: 1_006))])
        #expect(await closed.next() == true)
    }

    @Test func aReasonIsCutBetweenCharacters() async throws {
        let (connection, peer) = WebSocketConnection.server()
        connection.enqueueClose(code: 1_000, reason: String(repeating: "👩‍👩‍👧", count: 20))

        let frame = try #require(await peer.nextFrame())

        let family = "👩\u{200D}👩\u{200D}👧"
        #expect(frame.payload.count <= 125)
        #expect(
            String(decoding: frame.payload.dropFirst(2), as: UTF8.self) == String(repeating: family, count: 6)
        )
    }

    @Test func aCodeThatMayNotTravelBecomesAnInternalError() async throws {
        let (connection, peer) = WebSocketConnection.server()
        connection.enqueueClose(code: 1_006)

        #expect(await peer.nextFrame() == .close(1_011))
    }
}
