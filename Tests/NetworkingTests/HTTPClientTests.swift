import FoundationEssentials
import Synchronization
import Testing

@testable import Networking

@Suite(.timeLimit(.minutes(1)))
struct HTTPClientTests {
    @Test func anAnswerComesWithStatusHeadersAndBody() async throws {
        let server = try StubServer { peer in
            _ = peer.readHead()
            peer.answer("418 Teapot", ["X-Kind: pot", "x-kind: tea", "Empty:"], body: "short and stout")
        }

        let answer = try await HTTPClient().send(HTTPRequest(.get, server.url + "/a?b=c"))

        #expect(answer.status == 418)
        #expect(answer.headers.values("x-KIND") == ["pot", "tea"])
        #expect(answer.headers["empty"] == "")
        #expect(answer.body == Data("short and stout".utf8))
    }

    @Test func requestsShareAConnectionThatIsKeptAlive() async throws {
        let server = try StubServer { peer in
            while peer.readHead() != nil { peer.answer("200 OK", body: "ok") }
        }
        let client = HTTPClient()

        for _ in 0..<20 { #expect(try await client.send(HTTPRequest(.get, server.url)).status == 200) }

        #expect(server.connections == 1)
    }

    @Test func manyRequestsRunSideBySide() async throws {
        let server = try StubServer { peer in
            while let head = peer.readHead() {
                peer.answer("200 OK", body: String(head.prefix { $0 != "\r\n" }))
            }
        }
        let client = HTTPClient()

        let bodies = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<60 {
                group.addTask {
                    let answer = try await client.send(HTTPRequest(.get, server.url + "/\(number)"))
                    return String(decoding: answer.body, as: UTF8.self)
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }

        #expect(bodies == Set((0..<60).map { "GET /\($0) HTTP/1.1" }))
        #expect(server.connections <= 8)
    }

    @Test(arguments: ["POST", "PATCH", "PUT", "DELETE"])
    func aBodyTravelsWithItsMethodAndOnlyTheHeadersGiven(method: String) async throws {
        let heads = Signals(of: String.self)
        let bodies = Signals(of: [UInt8].self)
        let body = Data((0..<2_000_000).map { UInt8(truncatingIfNeeded: $0) })
        let server = try StubServer { peer in
            heads.send(peer.readHead() ?? "")
            bodies.send(peer.read(body.count))
            peer.answer("201 Created")
        }
        let request = HTTPRequest(
            HTTPMethod(rawValue: method), server.url, headers: ["Prefer": "x"], body: .bytes(body))

        #expect(try await HTTPClient().send(request).status == 201)

        let head = try #require(await heads.next())
        #expect(head.hasPrefix("\(method) / HTTP/1.1\r\n"))
        #expect(head.contains("\r\nContent-Length: 2000000"))
        #expect(head.contains("\r\nPrefer: x"))
        #expect(!head.contains("Expect:") && !head.contains("Content-Type:"))
        #expect(await bodies.next() == Array(body))
    }

    @Test func aPostWithoutBodySaysSo() async throws {
        let heads = Signals(of: String.self)
        let server = try StubServer { peer in
            heads.send(peer.readHead() ?? "")
            peer.answer("204 No Content")
        }

        #expect(try await HTTPClient().send(HTTPRequest(.post, server.url)).status == 204)

        #expect(await heads.next()?.contains("\r\nContent-Length: 0") == true)
    }

    @Test func aHeadRequestWaitsForNoBody() async throws {
        let server = try StubServer { peer in
            _ = peer.readHead()
            peer.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
            peer.readToEnd()
        }

        let answer = try await HTTPClient().send(HTTPRequest(.head, server.url))

        #expect(answer.headers["content-length"] == "1000")
        #expect(answer.body.isEmpty)
    }

    @Test func interimAnswersArePassedOver() async throws {
        let server = try StubServer { peer in
            _ = peer.readHead()
            peer.write("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n")
            peer.answer("200 OK", body: "late")
        }

        let answer = try await HTTPClient().send(HTTPRequest(.get, server.url))

        #expect(answer.status == 200)
        #expect(answer.headers["Link"] == nil)
    }

    @Test func aRedirectIsAnAnswerAndNothingReachesTheOtherHost() async throws {
        let stranger = try StubServer { $0.answer("200 OK", body: "<html>") }
        let strangerURL = stranger.url
        let server = try StubServer { peer in
            _ = peer.readHead()
            peer.answer("302 Found", ["Location: \(strangerURL)/login"])
        }
        let request = HTTPRequest(
            .post, server.url, headers: ["Authorization": "Bearer secret"], body: .bytes(Data("text".utf8)))

        let answer = try await HTTPClient().send(request)

        #expect(answer.status == 302)
        #expect(!answer.isSuccess)
        #expect(stranger.connections == 0)
    }

    @Test func aConnectionTheServerClosedIsReplaced() async throws {
        let server = try StubServer { peer in
            _ = peer.readHead()
            peer.answer("200 OK", body: "once")
        }
        let client = HTTPClient()

        for _ in 0..<3 { #expect(try await client.send(HTTPRequest(.get, server.url)).status == 200) }

        #expect(server.connections == 3)
    }

    @Test func aRequestThatMustNotBeRepeatedGetsAConnectionOfItsOwn() async throws {
        let server = try StubServer { peer in
            while peer.readHead() != nil { peer.answer("200 OK") }
        }
        let client = HTTPClient()
        var request = HTTPRequest(.post, server.url)
        request.onNewConnection = true

        for _ in 0..<2 { #expect(try await client.send(request).status == 200) }

        #expect(server.connections == 2)
    }

    @Test func renewedConnectionsLeaveTheOldOnesAlone() async throws {
        let arrived = Signals(of: Bool.self)
        let server = try StubServer { peer in
            while let head = peer.readHead() {
                if head.hasPrefix("GET /slow") { arrived.send(true) } else { peer.answer("200 OK") }
            }
        }
        let client = HTTPClient()
        #expect(try await client.send(HTTPRequest(.get, server.url)).status == 200)
        let slow = Task { try await client.send(HTTPRequest(.get, server.url + "/slow")) }
        #expect(await arrived.next() == true)  // on the first connection, kept alive

        client.renewConnections()
        for _ in 0..<2 { #expect(try await client.send(HTTPRequest(.get, server.url)).status == 200) }
        #expect(server.connections == 3)
        slow.cancel()
        await #expect(throws: NetworkError.cancelled) { try await slow.value }
        for _ in 0..<2 { #expect(try await client.send(HTTPRequest(.get, server.url)).status == 200) }

        #expect(server.connections == 4)
        await client.closeAndWait()
        #expect(server.clientSockets == 0)
    }

    @Test func aRequestThatComesWhileConnectionsAreRenewedIsSeen() async throws {
        let server = try StubServer { peer in
            while peer.readHead() != nil { peer.answer("200 OK") }
        }
        let client = HTTPClient()

        for _ in 0..<500 {
            client.renewConnections()
            #expect(try await client.send(HTTPRequest(.get, server.url)).status == 200)
        }
    }

    @Test func aCompressedAnswerIsUnpacked() async throws {
        let packed = try #require(Data(base64Encoded: "H4sIAAAAAAACA8tIzcnJVyjPL8pJAQCFEUoNCwAAAA=="))
        let server = try StubServer { peer in
            _ = peer.readHead()
            peer.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n")
            peer.write(Array(packed))
        }

        let answer = try await HTTPClient().send(HTTPRequest(.get, server.url))

        #expect(answer.body == Data("hello world".utf8))
    }
}
