import FoundationEssentials
import Glibc
import Testing

@testable import Networking

/// Against the Autobahn test suite, when it runs: `AUTOBAHN_SERVER` is the address of its fuzzing server;
/// `AUTOBAHN_CLIENT` being set, echoes for its fuzzing client on a port written to the file of that name
/// until somebody connects with the path `/end`. The verdicts are in the suite's own reports.
@Suite struct ConformanceTests {
    private static let limits = WebSocketLimits(message: 64 << 20, unread: 128 << 20)

    private static func variable(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

    @Test(.enabled(if: variable("AUTOBAHN_SERVER") != nil))
    func theClientPassesTheFuzzingServer() async throws {
        let base = try #require(Self.variable("AUTOBAHN_SERVER"))
        let counter = try await WebSocketClient.connect(url: base + "/getCaseCount")
        guard case .text(let text) = await counter.allEvents().first, let count = Int(text) else {
            Issue.record("the fuzzing server does not count its cases")
            return
        }
        for number in 1...count {
            let connection = try await WebSocketClient.connect(
                url: base + "/runCase?case=\(number)&agent=pingline", limits: Self.limits)
            await Self.echo(connection)
        }
        _ = await (try await WebSocketClient.connect(url: base + "/updateReports?agent=pingline")).allEvents()
    }

    @Test(.enabled(if: variable("AUTOBAHN_CLIENT") != nil))
    func theServerPassesTheFuzzingClient() async throws {
        let ended = Signals(of: Bool.self)
        let server = try StubServer { peer in
            guard let head = peer.upgrade(), !head.hasPrefix("GET /end") else { return ended.send(true) }
            let (socket, early) = peer.release()
            let connection = WebSocketConnection(
                acceptedSocket: socket, initialBytes: early, limits: Self.limits, onClosed: { close(socket) })
            Task { await Self.echo(connection) }
        }
        let path = try #require(Self.variable("AUTOBAHN_CLIENT"))
        try Data("\(server.port)".utf8).write(to: URL(filePath: path))

        #expect(await ended.next() == true)
    }

    private static func echo(_ connection: WebSocketConnection) async {
        for await event in connection.events {
            switch event {
            case .text(let text): connection.enqueue(text: text)
            case .binary(let bytes): connection.enqueue(binary: bytes)
            case .closed: break
            }
        }
    }
}
