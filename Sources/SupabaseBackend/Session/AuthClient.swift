import Addresses
import FoundationEssentials
import Networking
import SupabaseWire

/// The calls of the Auth door, each one attempt.
struct AuthClient: Sendable {
    let address: ServerAddress
    /// The project's publishable key; never decoded, for it need not be a token.
    let key: String
    let http: any HTTPTransport
    let clock: BackendClock

    enum SignedUp: Sendable {
        case session(StoredSession)
        /// The server wants the address confirmed by mail first, or says so of an address it knows already.
        case mustConfirm
    }

    func signUp(_ body: SignUpBody) async throws(AuthFailure) -> SignedUp {
        let answer = try await post("/signup", body: body)
        // Without a session the body is the bare user.
        guard let session = try? WireCoding.decode(SessionBody.self, from: answer.body) else {
            do throws(WireError) {
                _ = try WireCoding.decode(UserBody.self, from: answer.body)
            } catch { throw .notAuth }
            return .mustConfirm
        }
        return .session(StoredSession(session, receivedAt: clock.wall()))
    }

    /// Whether somebody without an account may make one with an e-mail address.
    func takesSignUps() async throws(AuthFailure) -> Bool {
        var request = HTTPRequest(
            .get, address.auth("/settings"), timeout: .seconds(8), responseLimit: 1 << 20)
        request.headers = ["apikey": key, "X-Client-Info": "pingline", "Accept": "application/json"]
        let answer = try await send(request)
        do throws(WireError) {
            let rules = try WireCoding.decode(Rules.self, from: answer.body)
            return rules.disableSignup != true && rules.external.email != false
        } catch { throw .notAuth }
    }

    private struct Rules: Decodable {
        let external: Providers
        let disableSignup: Bool?

        struct Providers: Decodable {
            let email: Bool?
        }

        enum CodingKeys: String, CodingKey {
            case external
            case disableSignup = "disable_signup"
        }
    }

    func signIn(email: String, password: String) async throws(AuthFailure) -> StoredSession {
        try await session("/token?grant_type=password", ["email": email, "password": password])
    }

    /// Spends the refresh token.
    func refresh(_ token: String) async throws(AuthFailure) -> StoredSession {
        try await session("/token?grant_type=refresh_token", ["refresh_token": token])
    }

    /// Ends this session at the server. Every refusal means that it is over already.
    func logOut(_ accessToken: String) async throws(AuthFailure) {
        _ = try await post(
            "/logout?scope=local", body: [String: String](), bearer: accessToken, timeout: .seconds(5))
    }

    private func session(_ path: String, _ body: [String: String]) async throws(AuthFailure) -> StoredSession
    {
        let answer = try await post(path, body: body)
        do throws(WireError) {
            let session = try WireCoding.decode(SessionBody.self, from: answer.body)
            return StoredSession(session, receivedAt: clock.wall())
        } catch { throw .notAuth }
    }

    private func post(
        _ path: String, body: some Encodable, bearer: String? = nil, timeout: Duration = .seconds(8)
    ) async throws(AuthFailure) -> HTTPResponse {
        var request = HTTPRequest(.post, address.auth(path), timeout: timeout, responseLimit: 1 << 20)
        request.headers = [
            "apikey": key, "Authorization": "Bearer \(bearer ?? key)", "X-Client-Info": "pingline",
            "X-Supabase-Api-Version": "2024-01-01", "Content-Type": "application/json",
            "Accept": "application/json",
        ]
        do throws(WireError) { request.body = .bytes(try WireCoding.encode(body)) } catch { throw .notAuth }
        return try await send(request)
    }

    private func send(_ request: HTTPRequest) async throws(AuthFailure) -> HTTPResponse {
        let answer: HTTPResponse
        do throws(NetworkError) { answer = try await http.send(request) } catch { throw .network(error) }
        guard answer.isSuccess else { throw AuthFailure(refusal: answer, now: clock.wall()) }
        switch ContentKind(of: answer) {
        case .json, .unsaid: return answer
        case .html, .other: throw .intercepted
        }
    }
}
