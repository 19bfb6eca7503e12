import CCurl
import FoundationEssentials
import Glibc
import Testing

@testable import Networking

@Suite(.timeLimit(.minutes(1)))
struct HTTPFailureTests {
    private func failure(_ request: HTTPRequest, _ client: HTTPClient = HTTPClient()) async -> NetworkError? {
        do {
            _ = try await client.send(request)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: ["Content-Length: 5000", "Transfer-Encoding: chunked"])
    func anAnswerLargerThanAllowedIsGivenUp(framing: String) async throws {
        let server = try StubServer { peer in
            _ = peer.readHead()
            peer.write("HTTP/1.1 200 OK\r\n\(framing)\r\n\r\n")
            if framing.hasPrefix("T") { peer.write("1388\r\n") }
            peer.write([UInt8](repeating: 65, count: 5_000))
            peer.readToEnd()
        }

        let request = HTTPRequest(.get, server.url, responseLimit: 4_999)

        #expect(await failure(request) == .tooLarge(limit: 4_999))
    }

    @Test func aServerThatStaysSilentIsGivenUpAtTheDeadline() async throws {
        let ended = Signals(of: Bool.self)
        let server = try StubServer { peer in
            peer.readToEnd()
            ended.send(true)
        }

        #expect(await failure(HTTPRequest(.get, server.url, timeout: .milliseconds(100))) == .timedOut)
        #expect(await ended.next() == true)
    }

    @Test func anAnswerThatStallsIsGivenUp() async throws {
        let server = try StubServer { peer in
            _ = peer.readHead()
            peer.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
            peer.readToEnd()
        }
        let client = HTTPClient(NetworkConfiguration(stallTimeout: .milliseconds(100)))

        #expect(await failure(HTTPRequest(.get, server.url), client) == .timedOut)
    }

    @Test func cancellingATaskClosesItsTransfer() async throws {
        let arrived = Signals(of: Bool.self)
        let server = try StubServer { peer in
            arrived.send(peer.readHead() != nil)
            peer.readToEnd()
            arrived.send(false)
        }
        let task = Task { await failure(HTTPRequest(.get, server.url)) }
        #expect(await arrived.next() == true)

        task.cancel()

        #expect(await task.value == .cancelled)
        #expect(await arrived.next() == false)
    }

    @Test func aTaskCancelledBeforehandSendsNothing() async throws {
        let server = try StubServer { $0.readToEnd() }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await failure(HTTPRequest(.get, server.url))
        }

        #expect(await task.value == .cancelled)
        #expect(server.connections == 0)
    }

    @Test func closingTheClientEndsWhatIsUnderWay() async throws {
        let arrived = Signals(of: Bool.self)
        let server = try StubServer { peer in
            arrived.send(peer.readHead() != nil)
            peer.readToEnd()
        }
        let client = HTTPClient()
        let task = Task { await failure(HTTPRequest(.get, server.url), client) }
        #expect(await arrived.next() == true)

        await client.closeAndWait()

        #expect(await task.value == .cancelled)
        #expect(await failure(HTTPRequest(.get, server.url), client) == .cancelled)
        #expect(server.clientSockets == 0)
    }

    @Test func aClosedPortRefuses() async throws {
        var server: StubServer? = try StubServer { $0.readToEnd() }
        let url = try #require(server).url
        _ = await failure(HTTPRequest(.get, url, timeout: .milliseconds(50)))
        server = nil

        var error: NetworkError?
        // The listening socket goes away with its thread, a moment after the server.
        repeat {
            error = await failure(HTTPRequest(.get, url, timeout: .milliseconds(50)))
        } while error == .timedOut

        #expect(error == .refused || error == .connectionLost)
        #expect(error?.isTransient == true)
    }

    @Test(arguments: ["HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", "", "HTTP/1.1 200 OK\r\nContent-"])
    func anAnswerThatBreaksOffIsALostConnection(part: String) async throws {
        let server = try StubServer { peer in
            _ = peer.readHead()
            peer.write(part)
        }

        let error = await failure(HTTPRequest(.get, server.url))

        #expect(error == .connectionLost)
        #expect(error?.neverArrived == false)
    }

    @Test func whatIsNoHTTPIsAViolation() async throws {
        let server = try StubServer { peer in
            _ = peer.readHead()
            peer.write("SSH-2.0-OpenSSH_9.2\r\nmore of it\r\n")
        }

        #expect(await failure(HTTPRequest(.get, server.url)) == .protocolViolation)
    }

    @Test func endlessHeadersAreAViolation() async throws {
        let server = try StubServer { peer in
            _ = peer.readHead()
            peer.write("HTTP/1.1 200 OK\r\n")
            let line = "X-Padding: " + String(repeating: "x", count: 8_000) + "\r\n"
            while peer.write(line) {}
        }

        let error = await failure(HTTPRequest(.get, server.url))

        #expect(error == .protocolViolation || error == .connectionLost)
    }

    @Test(arguments: [("X-A", "b\r\nX-Evil: 1"), ("X A", "b"), ("", "b"), ("X-A", "b\u{0}")])
    func aHeaderCannotBreakOutOfItsLine(name: String, value: String) async throws {
        let server = try StubServer { $0.readToEnd() }

        let request = HTTPRequest(.get, server.url, headers: HTTPHeaders([.init(name, value)]))

        #expect(await failure(request) == .invalidRequest)
        #expect(server.connections == 0)
    }

    @Test func plainHTTPLeavesThisMachineOnlyWhenAllowed() async {
        let request = HTTPRequest(.get, "http://192.0.2.1/", timeout: .milliseconds(50))

        #expect(await failure(request) == .plainHTTPRefused)
        let open = HTTPClient(NetworkConfiguration(allowsPlainHTTP: true))
        #expect(await failure(request, open) != .plainHTTPRefused)
    }

    @Test func aReleasedClientClosesItsConnections() async throws {
        let ended = Signals(of: Bool.self)
        let server = try StubServer { peer in
            _ = peer.readHead()
            peer.answer("200 OK")
            peer.readToEnd()
            ended.send(true)
        }
        for _ in 0..<50 { #expect(try await HTTPClient().send(HTTPRequest(.get, server.url)).status == 200) }

        for _ in 0..<50 { #expect(await ended.next() == true) }
        #expect(server.clientSockets == 0)
    }

    /// A connection that breaks while the request is written leaves nothing behind for the next one to wait for.
    @Test func connectionsThatAreResetAtOnceHoldNobodyUp() async throws {
        let server = try StubServer { peer in
            var now = linger(l_onoff: 1, l_linger: 0)
            setsockopt(peer.socket, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        }
        let client = HTTPClient()
        for _ in 0..<200 {
            let error = await failure(HTTPRequest(.get, server.url, timeout: .seconds(5)), client)
            try #require(error == .connectionLost || error == .unreachable)  // as far as it came
        }
    }

    @Test(arguments: [
        (CURLE_COULDNT_RESOLVE_HOST, NetworkError.nameNotFound), (CURLE_COULDNT_CONNECT, .unreachable),
        (CURLE_SSL_CONNECT_ERROR, .tls(.handshake)),
        (CURLE_PEER_FAILED_VERIFICATION, .tls(.certificate(.other(code: 0)))),
        (CURLE_SSL_CACERT_BADFILE, .tls(.noAuthorities)), (CURLE_HTTP2_STREAM, .connectionLost),
        (CURLE_COULDNT_RESOLVE_PROXY, .proxy), (CURLE_OUT_OF_MEMORY, .other(code: 27)),
    ])
    func libcurlsCodesHaveAMeaning(code: CURLcode, error: NetworkError) throws {
        let easy = try #require(curl_easy_init())
        defer { curl_easy_cleanup(easy) }

        #expect(CurlFailure.error(code, of: easy) == error)
    }
}
