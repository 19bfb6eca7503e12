import FoundationEssentials
import Testing

@testable import Networking

@Suite(.timeLimit(.minutes(1)), .enabled(if: TLSServer.isInstalled(TLSServer.openssl)))
struct TLSTests {
    @Test func aPrivateAuthorityIsTrustedWhenConfigured() async throws {
        let server = try TLSServer(.openssl("-www"))
        let client = HTTPClient(NetworkConfiguration(trustedCertificates: server.certificate))

        #expect(try await TLSServer.send(HTTPRequest(.get, server.url), client).status == 200)
    }

    @Test func aCertificateNobodySignedIsRefused() async throws {
        let server = try TLSServer(.openssl("-www"))

        await #expect(throws: NetworkError.tls(.certificate)) {
            try await TLSServer.send(HTTPRequest(.get, server.url), HTTPClient())
        }
        await #expect(throws: NetworkError.tls(.certificate)) {
            _ = try await WebSocketClient.connect(url: server.url)
        }
    }

    @Test func aCertificateForAnotherHostIsRefused() async throws {
        let server = try TLSServer(.openssl("-www"), name: "DNS:chat.example.org")
        let client = HTTPClient(NetworkConfiguration(trustedCertificates: server.certificate))

        await #expect(throws: NetworkError.tls(.certificate)) {
            try await TLSServer.send(HTTPRequest(.get, server.url), client)
        }
    }

    @Test func aMissingFileOfAuthoritiesIsSaidToBeMissing() async throws {
        let server = try StubServer { $0.readToEnd() }
        let client = HTTPClient(NetworkConfiguration(trustedCertificates: "/nowhere/certificates.pem"))
        let url = server.url.replacing("http:", with: "https:")

        await #expect(throws: NetworkError.tls(.trustStore)) { try await client.send(HTTPRequest(.get, url)) }
    }

    @Test func aServerWithoutTLSFailsTheHandshake() async throws {
        let server = try StubServer { peer in
            _ = peer.read(1)
            peer.write("HTTP/1.1 400 Bad Request\r\n\r\n")
        }
        let url = server.url.replacing("http:", with: "https:")

        await #expect(throws: NetworkError.tls(.handshake)) {
            try await HTTPClient().send(HTTPRequest(.get, url))
        }
    }

    @Test func largeMessagesPassThroughTLSInBothDirections() async throws {
        let server = try TLSServer(.openssl("-quiet"))
        let configuration = NetworkConfiguration(trustedCertificates: server.certificate)
        let bytes = (0..<3 << 20).map { UInt8(truncatingIfNeeded: $0 &* 13) }
        let peer = server.peer
        let answered = Signals(of: Bool.self)
        Thread.run {
            peer.upgrade(sending: RawFrame.text("early").bytes(mask: nil))
            // Both directions at once: neither end may wait for the other to read.
            Thread.run { peer.write(RawFrame(opcode: 2, payload: bytes)) }
            answered.send(peer.readFrame()?.payload == bytes)
            for number in 0..<500 { peer.write(.text("\(number)")) }
        }

        let connection = try await connect(server, configuration)
        try await connection.send(binary: bytes)

        var events = connection.events.makeAsyncIterator()
        #expect(await events.next() == .text("early"))
        #expect(await events.next() == .binary(bytes))
        #expect(await answered.next() == true)
        for number in 0..<500 { #expect(await events.next() == .text("\(number)")) }
        connection.cut()
    }

    private func connect(
        _ server: TLSServer, _ configuration: NetworkConfiguration
    ) async throws(NetworkError) -> WebSocketConnection {
        while true {
            do throws(NetworkError) {
                return try await WebSocketClient.connect(url: server.url, configuration: configuration)
            } catch {
                guard error == .refused else { throw error }
            }
        }
    }
}
