import FoundationEssentials
import Testing

@testable import Networking

@Suite(.timeLimit(.minutes(1)))
struct ProxyTests {
    @Test func aRequestToAnotherMachineGoesThroughTheProxy() async throws {
        let proxy = try StubServer { peer in
            peer.answer("200 OK", body: String(peer.readHead()?.prefix { $0 != "\r\n" } ?? ""))
        }
        let client = HTTPClient(NetworkConfiguration(proxy: proxy.url, allowsPlainHTTP: true))

        let answer = try await client.send(HTTPRequest(.get, "http://chat.invalid/a"))

        #expect(answer.body == Data("GET http://chat.invalid/a HTTP/1.1".utf8))
    }

    @Test func thisMachineIsReachedWithoutTheProxy() async throws {
        let proxy = try StubServer { $0.readToEnd() }
        let server = try StubServer { peer in
            _ = peer.readHead()
            peer.answer("200 OK")
        }

        let client = HTTPClient(NetworkConfiguration(proxy: proxy.url))

        #expect(try await client.send(HTTPRequest(.get, server.url)).status == 200)
        #expect(proxy.connections == 0)
    }

    @Test func aWebSocketIsTunnelled() async throws {
        let heads = Signals(of: String.self)
        let proxy = try StubServer { peer in
            heads.send(peer.readHead() ?? "")
            peer.write("HTTP/1.1 200 Connected\r\n\r\n")
            heads.send(peer.upgrade(sending: RawFrame.text("through").bytes(mask: nil)) ?? "")
            peer.readToEnd()
        }

        let connection = try await WebSocketClient.connect(
            url: "ws://chat.invalid:8000/socket",
            configuration: NetworkConfiguration(proxy: proxy.url, allowsPlainHTTP: true))

        var events = connection.events.makeAsyncIterator()
        #expect(await events.next() == .text("through"))
        #expect(await heads.next()?.hasPrefix("CONNECT chat.invalid:8000 HTTP/1.1\r\n") == true)
        #expect(await heads.next()?.hasPrefix("GET /socket HTTP/1.1\r\n") == true)
        connection.cut()
    }

    @Test func aProxyThatRefusesIsToBlame() async throws {
        let proxy = try StubServer { peer in
            _ = peer.readHead()
            peer.answer("407 Proxy Authentication Required", ["Proxy-Authenticate: Basic realm=x"])
        }
        let configuration = NetworkConfiguration(proxy: proxy.url, allowsPlainHTTP: true)

        await #expect(throws: NetworkError.proxy) {
            try await HTTPClient(configuration).send(HTTPRequest(.get, "https://chat.invalid/"))
        }
        await #expect(throws: NetworkError.proxy) {
            _ = try await WebSocketClient.connect(url: "wss://chat.invalid/", configuration: configuration)
        }
    }
}
