import Addresses
import Backend
import Diagnostics
import FoundationEssentials
import Models
import Networking
import SupabaseWire

/// One call of the REST door.
struct RestRequest: Sendable {
    var method: HTTPMethod
    /// Under the door, with its query: `/messages?id=eq.…`.
    var path: String
    var body: Data?
    var prefer: String?
    var timeout = Duration.seconds(15)

    static func get(_ table: String, _ query: RestQuery, prefer: String? = nil) -> RestRequest {
        RestRequest(method: .get, path: "/" + table + query.text, prefer: prefer)
    }

    /// - Throws: Never for the bodies of this module, which are plain values.
    static func write(
        _ method: HTTPMethod, _ table: String, _ query: RestQuery, body: some Encodable, prefer: String
    ) throws(RestFailure) -> RestRequest {
        RestRequest(
            method: method, path: "/" + table + query.text, body: try encode(body), prefer: prefer,
            timeout: .seconds(20))
    }

    static func call(_ function: String, _ arguments: JSONValue) throws(RestFailure) -> RestRequest {
        RestRequest(method: .post, path: "/rpc/" + function, body: try encode(arguments))
    }

    private static func encode(_ body: some Encodable) throws(RestFailure) -> Data {
        do throws(WireError) { return try WireCoding.encode(body) } catch { throw .unreadable }
    }
}

/// Sends REST calls as the signed-in user: one attempt each, and one more when a fresh token may help.
struct RestClient: Sendable {
    let address: ServerAddress
    let key: String
    let http: any HTTPTransport
    let session: SupabaseSession
    let clock: BackendClock
    let log: Log

    /// - Returns: An answer of a 2xx status whose body is JSON or empty.
    @concurrent
    func send(_ request: RestRequest) async throws(RestFailure) -> HTTPResponse {
        var headers: HTTPHeaders = ["Accept": "application/json"]
        if let prefer = request.prefer { headers.add("Prefer", prefer) }
        if request.body != nil { headers.add("Content-Type", "application/json") }
        let full = HTTPRequest(
            request.method, address.rest(request.path), headers: headers,
            body: request.body.map { .bytes($0) } ?? .none, timeout: request.timeout)
        do throws(RestFailure) {
            return try await UserRequests(key: key, http: http, session: session).send(full) {
                RestFailure($0, now: clock.wall())
            }
        } catch { throw noted(error) }
    }

    /// The rows that can be read; the others are named in the log and hide nobody.
    @concurrent
    func rows<Row: WireObject>(_ request: RestRequest, of type: Row.Type = Row.self)
        async throws(RestFailure) -> (rows: LossyRows<Row>, answer: HTTPResponse)
    {
        let answer = try await send(request)
        do throws(WireError) {
            let rows = try WireCoding.decode(LossyRows<Row>.self, from: answer.body)
            for failure in rows.failures { note(failure.error, at: failure.index, id: failure.id) }
            return (rows, answer)
        } catch {
            note(error)
            throw .unreadable
        }
    }

    /// Sends a call whose answer is of little interest, but that it is the server's: it says "no content", or something.
    @concurrent
    @discardableResult
    func done(_ request: RestRequest) async throws(RestFailure) -> HTTPResponse {
        let answer = try await send(request)
        guard answer.status == 204 || !answer.body.isEmpty else { throw .link(.offline(.intercepted)) }
        return answer
    }

    /// The answer of a function that gives one value.
    @concurrent
    func value<Value: WireReadable>(_ request: RestRequest, of type: Value.Type = Value.self)
        async throws(RestFailure) -> Value
    {
        let answer = try await send(request)
        do throws(WireError) {
            return try WireCoding.decode(Value.self, from: answer.body)
        } catch {
            note(error)
            throw .unreadable
        }
    }

    private func noted(_ failure: RestFailure) -> RestFailure {
        switch failure {
        case .refused(let status, let code), .unavailable(let status, let code, _):
            log.info("rest refusal", ["status": .count(status), "code": .code(code ?? "none")])
        case .link, .unreadable: break
        }
        return failure
    }

    /// One line for a row, or for an answer that has none.
    private func note(_ error: WireError, at index: Int = -1, id: UUID? = nil) {
        let place: String =
            switch error {
            case .missing(let key): key
            case .mismatch(let path): path
            case .notJSON: "not-json"
            }
        log.warning(
            "row skipped",
            ["row": .count(index), "id": id.map { .id($0) } ?? .code("none"), "field": .code(place)])
    }
}
