import Addresses
import Backend
import Diagnostics
import FoundationEssentials
import Models
import Networking
import SupabaseWire

/// One call of the Storage door.
struct StorageRequest: Sendable {
    var method: HTTPMethod
    /// Under the door, percent-encoded: `/object/attachments/…`.
    var path: String
    var headers: HTTPHeaders = [:]
    var body = HTTPRequest.Body.none
    var destination = HTTPRequest.Destination.memory
    /// Most bytes of the answer's body.
    var responseLimit = 1 << 20
    var timeout = Duration.seconds(20)
    /// Whether the body is never sent twice in one attempt; see `HTTPRequest`.
    var onNewConnection = false
    var progress: (@Sendable (_ sent: Int64, _ received: Int64) -> Void)?

    /// A file takes as long as it takes; a transfer that stands still ends much sooner.
    static let fileTimeout = Duration.seconds(12 * 3_600)

    static func json(_ method: HTTPMethod, _ path: String, _ body: JSONValue? = nil)
        throws(StorageFailure) -> StorageRequest
    {
        var request = StorageRequest(method: method, path: path)
        guard let body else { return request }
        do throws(WireError) { request.body = .bytes(try WireCoding.encode(body)) } catch {
            throw .unreadable
        }
        request.headers["Content-Type"] = "application/json"
        return request
    }
}

/// Sends calls of the Storage door as the signed-in user: one attempt each, and one more when a fresh token may
/// help.
struct StorageClient: Sendable {
    let address: ServerAddress
    let key: String
    let http: any HTTPTransport
    let session: SupabaseSession
    let clock: BackendClock
    let log: Log

    /// - Returns: An answer of a 2xx status.
    @concurrent
    func send(_ request: StorageRequest) async throws(StorageFailure) -> HTTPResponse {
        var full = HTTPRequest(
            request.method, address.storage(request.path), headers: request.headers, body: request.body,
            timeout: request.timeout, responseLimit: request.responseLimit, destination: request.destination)
        full.progress = request.progress
        full.onNewConnection = request.onNewConnection
        do throws(StorageFailure) {
            return try await UserRequests(key: key, http: http, session: session).send(full) {
                StorageFailure($0, now: clock.wall())
            }
        } catch { throw noted(error) }
    }

    /// The JSON of an answer.
    @concurrent
    func value(_ request: StorageRequest) async throws(StorageFailure) -> JSONValue {
        let answer = try await send(request)
        guard !ContentKind(of: answer).isForeign else { throw .link(.offline(.intercepted)) }
        do throws(WireError) { return try WireCoding.decode(JSONValue.self, from: answer.body) } catch {
            throw .unreadable
        }
    }

    private func noted(_ failure: StorageFailure) -> StorageFailure {
        switch failure {
        case .refused(let status, let code):
            log.info("storage refusal", ["status": .count(status), "code": .code(code ?? "none")])
        case .unavailable(let status, _): log.info("storage unavailable", ["status": .count(status)])
        case .link, .tokenRefused, .unreadable: break
        }
        return failure
    }
}
