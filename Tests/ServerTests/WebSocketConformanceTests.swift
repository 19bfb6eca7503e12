import FoundationEssentials
import Networking
import Testing

@testable import Server

/// Our server against the Autobahn test suite, when it runs: `AUTOBAHN_CLIENT` names the file in which its fuzzing
/// client looks for our port. Echoes until somebody asks for `/end`. The verdicts are in the suite's own reports.
@Suite struct WebSocketConformanceTests {
    private static let limits = WebSocketLimits(message: 64 << 20, unread: 128 << 20)
    private static let place = ProcessInfo.processInfo.environment["AUTOBAHN_CLIENT"]

    @Test(.enabled(if: place != nil))
    func theServerPassesTheFuzzingClient() async throws {
        let daemon = try HTTPDaemon(
            host: "127.0.0.1", port: 0, limits: ServerLimits(), receiver: NoBodies())
        let place = try #require(Self.place)
        try Data("\(daemon.port)".utf8).write(to: URL(filePath: place), options: .atomic)

        for await exchange in daemon.exchanges {
            let request = exchange.request()
            exchange.end(Self.ending(of: request))
            if request.path == ["end"] { daemon.quiesce() }
        }
        await daemon.stop()
    }

    private static func ending(of request: IncomingRequest) -> Ending {
        let headers = HTTPHeaders(request.headers.map { HTTPHeaders.Field($0.name, $0.value) })
        do throws(WebSocketHandshake.Refusal) {
            let accept = try WebSocketHandshake.check(method: request.method, headers: headers)
            return .upgrade(accept: accept) { socket in Task { await echo(socket) } }
        } catch {
            return .answer(Answer(request.path == ["end"] ? 200 : error.status))
        }
    }

    private static func echo(_ socket: UpgradedSocket) async {
        let connection = WebSocketConnection(
            acceptedSocket: socket.descriptor, initialBytes: socket.initialBytes, limits: limits,
            onClosed: { socket.close() })
        for await event in connection.events {
            switch event {
            case .text(let text): connection.enqueue(text: text)
            case .binary(let bytes): connection.enqueue(binary: bytes)
            case .closed: break
            }
        }
    }
}

/// Upgrades have no body.
private struct NoBodies: BodyReceiver {
    func wants(method: String, target: String) -> Bool { false }

    func reception(of request: IncomingRequest) -> Reception { .gather }
}
