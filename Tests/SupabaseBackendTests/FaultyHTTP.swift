import FoundationEssentials
import Networking
import SupabaseBackend
import Synchronization

/// The way to a real server, on which some requests meet something.
final class FaultyHTTP: HTTPTransport {
    enum Fault: Sendable {
        /// Done by the server; its answer never comes.
        case loseAnswer
        /// The server sees a token that it refuses, as of one that ran out on the way.
        case expireToken
        /// Answered without being sent.
        case answer(HTTPResponse)
    }

    private struct State {
        var faults: [(part: String, fault: Fault)] = []
        var counts: [String: Int] = [:]
    }

    private let inner: any HTTPTransport
    private let state = Mutex(State())

    init(_ inner: any HTTPTransport) { self.inner = inner }

    /// The next request whose address has the part meets the fault; others do not use it up.
    func plan(_ fault: Fault, for part: String, times: Int = 1) {
        state.withLock { $0.faults += Array(repeating: (part, fault), count: times) }
    }

    /// Faults that nothing has met.
    var leftCount: Int { state.withLock { $0.faults.count } }

    /// How many requests there were to addresses that have the part.
    func count(_ part: String) -> Int {
        state.withLock { state in state.counts.filter { $0.key.contains(part) }.values.reduce(0, +) }
    }

    func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        let fault: Fault? = state.withLock { state in
            state.counts[request.url, default: 0] += 1
            guard let index = state.faults.firstIndex(where: { request.url.contains($0.part) }) else {
                return nil
            }
            return state.faults.remove(at: index).fault
        }
        switch fault {
        case nil: return try await inner.send(request)
        case .answer(let response): return response
        case .loseAnswer:
            _ = try await inner.send(request)
            throw .timedOut
        case .expireToken:
            var request = request
            request.headers["Authorization"] = "Bearer spent"
            return try await inner.send(request)
        }
    }
}
