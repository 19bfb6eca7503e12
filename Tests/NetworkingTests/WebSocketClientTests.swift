import FoundationEssentials
import Testing

@testable import Networking

@Suite(.timeLimit(.minutes(1)))
struct WebSocketClientTests {
    private func failure(
        _ url: String, _ configuration: NetworkConfiguration = NetworkConfiguration()
    ) async -> NetworkError? {
        do {
            _ = try await WebSocketClient.connect(url: url, configuration: configuration)
            return nil
        } catch {
            return error
        }
    }

    @Test func framesBehindTheAnswerAreNotLost() async throws {
        let heads = Signals(of: String.self)
        let server = try StubServer { peer in
            let early = RawFrame.text("one").bytes(mask: nil) + RawFrame.text("two").bytes(mask: nil)
            heads.send(peer.upgrade(sending: early) ?? "")
            let frame = peer.readFrame()
            peer.write(RawFrame(opcode: 1, payload: frame?.payload ?? []))
            peer.write(.close(1_000))
            peer.readToEnd()
        }
        let url = server.url.replacing("http:", with: "ws:") + "/realtime/v1/websocket?apikey=k&vsn=1.0.0"

        let connection = try await WebSocketClient.connect(url: url, headers: ["X-Client-Info": "test"])
        try await connection.send(text: "three")

        let events = await connection.allEvents()
        #expect(
            events == [
                .text("one"), .text("two"), .text("three"), .closed(WebSocketClose(.peer, code: 1_000)),
            ])
        let head = try #require(await heads.next())
        #expect(head.hasPrefix("GET /realtime/v1/websocket?apikey=k&vsn=1.0.0 HTTP/1.1\r\n"))
        #expect(StubPeer.header("Host", in: head) == "127.0.0.1:\(server.port)")
        #expect(StubPeer.header("X-Client-Info", in: head) == "test")
        #expect(StubPeer.header("Sec-WebSocket-Version", in: head) == "13")
    }

    @Test(arguments: [true, false])
    func aRefusalKeepsItsStatusBodyAndRetryAfter(isChunked: Bool) async throws {
        let server = try StubServer { peer in
            _ = peer.readHead()
            if isChunked {
                peer.write("HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nTransfer-Encoding: chunked\r\n\r\n")
                peer.write("3;x=y\r\n{\"a\r\n5\r\n\":1} \r\n0\r\n\r\n")
            } else {
                peer.answer("503 Busy", ["Retry-After: 7"], body: "{\"a\":1} ")
            }
            peer.readToEnd()
        }

        let error = await failure(server.url)

        guard case .upgradeRefused(let answer) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(answer.status == 503)
        #expect(answer.retryAfter(now: Date(timeIntervalSince1970: 0)) == .seconds(7))
        #expect(answer.body == Data("{\"a\":1} ".utf8))
        #expect(error?.isTransient == true)
    }

    @Test func aRedirectIsARefusalAndNotFollowed() async throws {
        let stranger = try StubServer { $0.upgrade() }
        let strangerURL = stranger.url
        let server = try StubServer { peer in
            _ = peer.readHead()
            peer.answer("302 Found", ["Location: \(strangerURL)"])
        }

        guard case .upgradeRefused(let answer) = await failure(server.url) else {
            Issue.record("not refused")
            return
        }
        #expect(answer.status == 302)
        #expect(stranger.connections == 0)
    }

    @Test(arguments: [
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        "Upgrade: websocket\r\nConnection: Upgrade", "",
    ])
    func anUpgradeThatProvesNothingIsAViolation(headers: String) async throws {
        let server = try StubServer { peer in
            _ = peer.readHead()
            peer.write(
                "HTTP/1.1 101 Switching Protocols\r\n\(headers)\r\n\r\n".replacing(
                    "\r\n\r\n\r\n", with: "\r\n\r\n"))
            peer.readToEnd()
        }

        #expect(await failure(server.url) == .protocolViolation)
    }

    @Test func aServerThatDoesNotAnswerIsGivenUp() async throws {
        let ended = Signals(of: Bool.self)
        let server = try StubServer { peer in
            peer.readToEnd()
            ended.send(true)
        }

        let error = await failure(server.url, NetworkConfiguration(upgradeTimeout: .milliseconds(100)))

        #expect(error == .timedOut)
        #expect(await ended.next() == true)
    }

    @Test func cancellingEndsTheAttemptAtOnce() async throws {
        let arrived = Signals(of: Bool.self)
        let server = try StubServer { peer in
            arrived.send(peer.readHead() != nil)
            peer.readToEnd()
            arrived.send(false)
        }
        let task = Task { await failure(server.url) }
        #expect(await arrived.next() == true)

        task.cancel()

        #expect(await task.value == .cancelled)
        #expect(await arrived.next() == false)
    }

    @Test func aServerThatHangsUpIsALostConnection() async throws {
        let server = try StubServer { _ = $0.readHead() }

        #expect(await failure(server.url) == .connectionLost)
    }

    @Test(arguments: ["ws://192.0.2.1/", "http://192.0.2.1/", "ws://localhost.example.org/"])
    func plainWebSocketsStayOnThisMachine(url: String) async {
        #expect(await failure(url) == .plainHTTPRefused)
    }

    @Test func manyConnectionsOpenAndCloseWithoutATrace() async throws {
        let ended = Signals(of: Bool.self)
        let server = try StubServer { peer in
            peer.upgrade(sending: RawFrame.text("hi").bytes(mask: nil))
            while let frame = peer.readFrame() {
                if frame.opcode == 8 { peer.write(frame) }
            }
            ended.send(true)
        }

        for number in 0..<300 {
            let connection = try await WebSocketClient.connect(url: server.url)
            var events = connection.events.makeAsyncIterator()
            #expect(await events.next() == .text("hi"))
            if number.isMultiple(of: 2) { await connection.close() } else { connection.cut() }
            while await events.next() != nil {}
        }

        for _ in 0..<300 { #expect(await ended.next() == true) }
        #expect(server.clientSockets == 0)
    }
}
