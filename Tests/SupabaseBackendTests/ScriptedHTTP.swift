import FoundationEssentials
import Networking
import SupabaseWire
import Synchronization

@testable import SupabaseBackend

/// Answers requests from a script, one after the other, and keeps them.
final class ScriptedHTTP: HTTPTransport {
    typealias Answer = @Sendable (HTTPRequest) async throws(NetworkError) -> HTTPResponse

    private struct State {
        var requests: [HTTPRequest] = []
        var script: [Answer] = []
    }
    private let state = Mutex(State())
    private let fallback: Answer

    /// - Parameter fallback: Answers when the script is over.
    init(_ fallback: @escaping Answer = { _ throws(NetworkError) in throw .unreachable }) {
        self.fallback = fallback
    }

    var requests: [HTTPRequest] { state.withLock { $0.requests } }

    func then(_ answer: @escaping Answer) { state.withLock { $0.script.append(answer) } }

    func then(_ response: HTTPResponse) { then { _ throws(NetworkError) in response } }

    func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        let answer = state.withLock { state -> Answer? in
            state.requests.append(request)
            return state.script.isEmpty ? nil : state.script.removeFirst()
        }
        return try await (answer ?? fallback)(request)
    }

    /// Paths of the requests, without the server.
    var paths: [String] { requests.map { String($0.url.dropFirst(ScriptedHTTP.base.count)) } }

    static let base = "https://chat.example.test"
}

extension HTTPResponse {
    static func json(_ text: String) -> HTTPResponse { json(200, text) }

    static func json(_ status: Int, _ text: String, _ headers: HTTPHeaders = [:]) -> HTTPResponse {
        var headers = headers
        headers.add("Content-Type", "application/json; charset=utf-8")
        return HTTPResponse(status: status, headers: headers, body: Data(text.utf8))
    }

    static func html(_ status: Int, _ headers: HTTPHeaders = [:]) -> HTTPResponse {
        var headers = headers
        headers.add("Content-Type", "text/html")
        return HTTPResponse(status: status, headers: headers, body: Data("<html>Sign in</html>".utf8))
    }

    static func refusal(_ status: Int, _ code: String, _ message: String = "x") -> HTTPResponse {
        json(status, #"{"code":"\#(code)","message":"\#(message)","details":null,"hint":null}"#)
    }
}

extension HTTPRequest {
    var bodyJSON: JSONValue? {
        guard case .bytes(let bytes) = body else { return nil }
        return try? WireCoding.decode(JSONValue.self, from: bytes)  // not JSON: no value
    }

    var bearer: String? { headers["Authorization"].map { String($0.dropFirst("Bearer ".count)) } }
}
