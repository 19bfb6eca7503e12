import FoundationEssentials
import Testing

@testable import Networking

/// Our client against the Autobahn test suite, when it runs: `AUTOBAHN_SERVER` is the address of its fuzzing server.
/// The verdicts are in the suite's own reports.
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
