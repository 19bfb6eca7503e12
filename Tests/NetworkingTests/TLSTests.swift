import FoundationEssentials
import Testing

@testable import Networking

@Suite(.timeLimit(.minutes(1)), .enabled(if: TLSServer.isInstalled(TLSServer.openssl)))
struct TLSTests {
    @Test func aPrivateAuthorityIsTrustedWhenConfigured() async throws {
        let server = try TLSServer(.openssl("-www"), paper: .issued())
        let client = HTTPClient(NetworkConfiguration(trust: Trust(file: server.certificate)))

        #expect(try await TLSServer.send(HTTPRequest(.get, server.url), client).status == 200)
    }

    @Test func aServersOwnCertificateCanBeTrusted() async throws {
        let server = try TLSServer(.openssl("-www"))
        let client = HTTPClient(NetworkConfiguration(trust: Trust(file: server.certificate)))

        #expect(try await TLSServer.send(HTTPRequest(.get, server.url), client).status == 200)
    }

    @Test func aCertificateNobodySignedIsRefused() async throws {
        try await expectProblem(.selfSigned, of: try TLSServer(.openssl("-www")), trust: .system)
    }

    /// The name has a mark in it that would turn the direction of writing around.
    @Test func anIssuerNobodyKnowsIsNamed() async throws {
        let server = try TLSServer(.openssl("-www"), paper: .issued())
        try await expectProblem(.unknownIssuer("Team CA (Example Inc.)"), of: server, trust: .system)
        let other = try TLSServer(.openssl("-www"), paper: .issued())
        try await expectProblem(
            .unknownIssuer("Team CA (Example Inc.)"), of: server, trust: Trust(file: other.certificate))
    }

    @Test func aCertificateForAnotherHostSaysForWhich() async throws {
        let names = "DNS:chat.example.org,DNS:*.example.org,IP:192.0.2.7,IP:2001:db8::1,DNS:fifth.example.org"
        let server = try TLSServer(.openssl("-www"), name: names, paper: .issued())
        try await expectProblem(
            .wrongName(["chat.example.org", "*.example.org", "192.0.2.7", "2001:db8::1"]), of: server,
            trust: Trust(file: server.certificate))
    }

    @Test func aCertificateOutOfItsTimeSaysWhen() async throws {
        let old = try TLSServer(
            .openssl("-www"), paper: .issued(from: "20200101000000Z", to: "20210304050607Z"))
        try await expectProblem(
            .expired(at: 1_614_834_367), of: old, trust: Trust(file: old.certificate))
        let early = try TLSServer(.openssl("-www"), paper: .issued(from: "20980101000000Z"))
        try await expectProblem(
            .notYetValid(from: 4_039_372_800), of: early, trust: Trust(file: early.certificate))
    }

    /// Over both ways, each with a client of its own.
    private func expectProblem(_ problem: CertificateProblem, of server: TLSServer, trust: Trust) async throws
    {
        let configuration = NetworkConfiguration(trust: trust)
        await #expect(throws: NetworkError.tls(.certificate(problem))) {
            try await TLSServer.send(HTTPRequest(.get, server.url), HTTPClient(configuration))
        }
        await #expect(throws: NetworkError.tls(.certificate(problem))) {
            _ = try await WebSocketClient.connect(url: server.url, configuration: configuration)
        }
    }

    @Test func aFileThatCannotBeUsedKeepsEverythingFromBeingSent() async throws {
        let server = try StubServer { $0.readToEnd() }
        let configuration = NetworkConfiguration(trust: Trust(file: "/nowhere/certificates.pem"))
        let url = server.url.replacing("http:", with: "https:")

        await #expect(throws: NetworkError.tls(.certificateFile(.missing))) {
            try await HTTPClient(configuration).send(HTTPRequest(.get, url))
        }
        await #expect(throws: NetworkError.tls(.certificateFile(.missing))) {
            _ = try await WebSocketClient.connect(url: url, configuration: configuration)
        }
    }

    @Test func oneClientTellsEachServersProblem() async throws {
        let own = try TLSServer(.openssl("-www"))
        let issued = try TLSServer(.openssl("-www"), paper: .issued())
        let client = HTTPClient()
        async let first = failure(own, client)
        async let second = failure(issued, client)
        #expect(try await first == .tls(.certificate(.selfSigned)))
        #expect(try await second == .tls(.certificate(.unknownIssuer("Team CA (Example Inc.)"))))
    }

    private func failure(_ server: TLSServer, _ client: HTTPClient) async throws -> NetworkError? {
        do throws(NetworkError) {
            _ = try await TLSServer.send(HTTPRequest(.get, server.url), client)
            return nil
        } catch { return error }
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
        let configuration = NetworkConfiguration(trust: Trust(file: server.certificate))
        let bytes = threeMegabytes
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

    /// No two neighbours are the same.
    private var threeMegabytes: [UInt8] {
        var bytes = (0..<3 << 8).map { UInt8(truncatingIfNeeded: $0 &* 13) }
        while bytes.count < 3 << 20 { bytes += bytes }
        return bytes
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
