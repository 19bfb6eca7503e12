import Backend
import Networking

/// Why a call of a door failed, as far as its sending has to know.
protocol DoorFailure: Error {
    static func link(_ error: BackendError) -> Self
    /// Whether a fresh token may turn it.
    var asksForToken: Bool { get }
}

/// Sends requests as the signed-in user: one attempt each, and one more when a fresh token may help.
struct UserRequests: Sendable {
    /// The project's publishable key.
    let key: String
    let http: any HTTPTransport
    let session: SupabaseSession

    /// - Parameter failure: What an answer failed with; `nil` for one that can be used.
    /// - Throws: What the last answer failed with. A token that is refused twice is a sign-out.
    func send<Failure: DoorFailure>(
        _ request: HTTPRequest, failure: (HTTPResponse) -> Failure?
    ) async throws(Failure) -> HTTPResponse {
        let token: String
        let first: HTTPResponse
        do throws(BackendError) {
            token = try await session.accessToken()
            first = try await attempt(request, token)
        } catch { throw .link(error) }
        guard let refusal = failure(first) else { return first }
        guard refusal.asksForToken else { throw refusal }
        let second: HTTPResponse
        do throws(BackendError) {
            second = try await attempt(request, try await session.token(replacing: token))
        } catch { throw .link(error) }
        guard let refusal = failure(second) else { return second }
        throw refusal.asksForToken ? .link(.signedOut) : refusal
    }

    private func attempt(_ request: HTTPRequest, _ token: String) async throws(BackendError) -> HTTPResponse {
        var request = request
        request.headers["apikey"] = key
        request.headers["Authorization"] = "Bearer \(token)"
        request.headers["X-Client-Info"] = "pingline"
        do throws(NetworkError) { return try await http.send(request) } catch { throw error.backendError }
    }
}
