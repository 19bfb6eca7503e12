import SupabaseWire
import Synchronization

/// The Auth door: accounts with address and password, sessions, refresh.
final class AuthDoor: Sendable {
    let database: Database
    let signer: TokenSigner
    let gate: Gate
    let configuration: ServerConfiguration
    private let hasher: PasswordHasher
    private let limiter: Mutex<SignInLimiter>
    private let pruning: SessionPruning

    init(database: Database, gate: Gate, configuration: ServerConfiguration) {
        self.database = database
        self.gate = gate
        self.configuration = configuration
        signer = gate.signer
        hasher = PasswordHasher(cost: configuration.passwordCost)
        limiter = Mutex(SignInLimiter(configuration.limits))
        pruning = SessionPruning(configuration)
    }

    /// - Parameter path: What follows `/auth/v1`.
    func answer(_ request: IncomingRequest, path: [String]) async -> Answer {
        do {
            return try await route(request, path.joined(separator: "/"))
        } catch {
            return AuthAnswer.refusal(error, request)
        }
    }

    /// A hash of a password that was checked.
    func hash(_ password: String) async throws(Refusal) -> String {
        try Credentials.checkPassword(password)
        return try await hasher.hash(password)
    }

    private func route(_ request: IncomingRequest, _ path: String) async throws(Refusal) -> Answer {
        switch (request.method, path) {
        case ("POST", "signup"): return try await signUp(request)
        case ("POST", "token"): return try await token(request)
        case ("POST", "logout"): return try await logOut(request)
        case ("GET", "user"): return try await user(request)
        case ("PUT", "user"): return try await updateUser(request)
        case ("GET", "health"): return .json(200, AuthAnswer.health)
        case ("GET", "settings"): return .json(200, AuthAnswer.settings)
        case ("GET", ".well-known/jwks.json"): return .json(200, #"{"keys":[]}"#)
        default: throw Refusal(404, "not_found", "This endpoint is not part of this server")
        }
    }

    private func signUp(_ request: IncomingRequest) async throws(Refusal) -> Answer {
        let body = try Self.object(request)
        guard let email = body["email"]?.string, !email.isEmpty else {
            throw Refusal(422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled")
        }
        let password = body["password"]?.string ?? ""
        let address = try Credentials.address(email)
        let metadata = body["data"]?.object.map { JSONValue.object($0) } ?? [:]
        let hash = try await self.hash(password)
        let sessions = reuseWindow
        return try await finish(
            try await database.write { session throws(Refusal) in
                let account = try Accounts(session: session)
                    .create(email: address, passwordHash: hash, metadata: metadata)
                return try Sessions(session: session, reuseWindow: sessions).begin(for: account.id)
            })
    }

    private func token(_ request: IncomingRequest) async throws(Refusal) -> Answer {
        switch request.query["grant_type"] {
        case "password": return try await signIn(request)
        case "refresh_token": return try await refresh(request)
        default: throw Refusal(400, "invalid_credentials", "unsupported_grant_type")
        }
    }

    private func signIn(_ request: IncomingRequest) async throws(Refusal) -> Answer {
        let body = try Self.object(request)
        guard let email = body["email"]?.string, !email.isEmpty else {
            throw Refusal(400, "validation_failed", "missing email or phone")
        }
        let address = email.lowercased()
        let now = configuration.now()
        let peer = ClientAddress.of(request, isBehindProxy: configuration.allowsWiderListening)
        if let wait = limiter.withLock({ $0.wait(of: address, from: peer, now: now) }) {
            throw Self.tooManyTries(wait)
        }
        let account = try await database.read { session throws(Refusal) in
            try Accounts(session: session).find(email: address)
        }
        let password = body["password"]?.string ?? ""
        guard try await hasher.matches(password, account?.passwordHash), let account else {
            throw Refusal(400, "invalid_credentials", "Invalid login credentials")
        }
        limiter.withLock { $0.succeed(address, from: peer, now: now) }
        let window = reuseWindow
        let pruning = pruning
        return try await finish(
            try await database.write { session throws(Refusal) in
                try pruning.prune(session)
                return try Sessions(session: session, reuseWindow: window).begin(for: account.id)
            })
    }

    private func refresh(_ request: IncomingRequest) async throws(Refusal) -> Answer {
        let token = try Self.object(request)["refresh_token"]?.string ?? ""
        guard Credentials.isRefreshToken(token) else {
            throw Refusal(400, "validation_failed", "Refresh token is not valid")
        }
        let window = reuseWindow
        let pruning = pruning
        let refreshed = try await database.write { session throws(Refusal) in
            try pruning.prune(session)
            return try Sessions(session: session, reuseWindow: window).refresh(token)
        }
        switch refreshed {
        case .granted(let grant): return try await finish(grant)
        case .refused(let refusal): throw refusal
        }
    }

    private func logOut(_ request: IncomingRequest) async throws(Refusal) -> Answer {
        let claims = try claims(request)
        guard let scope = Sessions.Scope(rawValue: request.query["scope"] ?? "global") else {
            throw Refusal(400, "validation_failed", "Unsupported logout scope")
        }
        let account = try await account(claims)
        let window = reuseWindow
        try await database.write { session throws(Refusal) in
            try Sessions(session: session, reuseWindow: window)
                .end(scope, of: claims.sessionID ?? "", user: account.id)
        }
        return Answer(204)
    }

    private func user(_ request: IncomingRequest) async throws(Refusal) -> Answer {
        .json(200, try await account(try claims(request)).json.jsonText)
    }

    private func updateUser(_ request: IncomingRequest) async throws(Refusal) -> Answer {
        var account = try await account(try claims(request))
        let body = try Self.object(request)
        if let email = body["email"]?.string, !email.isEmpty {
            account.email = try Credentials.address(email)
        }
        if let password = body["password"]?.string, !password.isEmpty {
            try Credentials.checkPassword(password)
            guard try await !hasher.matches(password, account.passwordHash) else {
                throw Refusal(
                    422, "same_password", "New password should be different from the old password.")
            }
            account.passwordHash = try await hasher.hash(password)
        }
        let changes = body["data"]?.object ?? [:]
        let wanted = account
        let updated = try await database.write { session throws(Refusal) in
            let accounts = Accounts(session: session)
            guard let current = try accounts.find(id: wanted.id) else { throw Self.unknownUser }
            if let other = try accounts.find(email: wanted.email), other.id != wanted.id {
                throw Refusal(
                    422, "email_exists", "A user with this email address has already been registered")
            }
            var changed = wanted
            changed.metadata = Self.merged(current.metadata, changes)
            return try accounts.update(changed)
        }
        return .json(200, updated.json.jsonText)
    }

    /// The session as it is answered, with a fresh access token.
    private func finish(_ grant: Sessions.Grant) async throws(Refusal) -> Answer {
        let account = try await database.read { session throws(Refusal) in
            try Accounts(session: session).find(id: grant.userID)
        }
        guard let account else { throw Self.unknownUser }
        let issued = configuration.now() / 1_000_000
        let lifetime = configuration.accessTokenLifetime.wholeSeconds
        let expires = issued + lifetime
        let claims = AuthAnswer.claims(account, grant, issuer: issuer, issued: issued, expires: expires)
        let answer: JSONValue = [
            "access_token": .string(signer.sign(claims)), "token_type": "bearer",
            "expires_in": .integer(lifetime), "expires_at": .integer(expires),
            "refresh_token": .string(grant.refreshToken), "user": account.json,
        ]
        return .json(200, answer.jsonText)
    }

    private var issuer: String { "http://\(configuration.host)/auth/v1" }

    private var reuseWindow: Int64 { configuration.refreshReuseWindow.microseconds }

    /// The claims of the bearer: a user of ours, in time.
    private func claims(_ request: IncomingRequest) throws(Refusal) -> Claims {
        guard let token = request.bearer, !gate.isKey(token) else {
            throw Refusal(401, "no_authorization", "This endpoint requires a valid Bearer token")
        }
        let claims: Claims
        do { claims = try signer.verify(token) } catch {
            throw Self.badToken(
                error == .malformed
                    ? "unable to parse or verify signature, token is malformed"
                    : "unable to parse or verify signature, token signature is invalid")
        }
        guard (claims.expiresAt ?? 0) > configuration.now() / 1_000_000 else {
            throw Self.badToken(
                "unable to parse or verify signature, token has invalid claims: token is expired")
        }
        guard claims.role == "authenticated", claims.subject != nil else {
            throw Self.badToken("missing sub claim")
        }
        return claims
    }

    private func account(_ claims: Claims) async throws(Refusal) -> Account {
        let window = reuseWindow
        return try await database.read { session throws(Refusal) in
            guard let account = try Accounts(session: session).find(id: claims.subject ?? "") else {
                throw Self.unknownUser
            }
            let sessions = Sessions(session: session, reuseWindow: window)
            guard let id = claims.sessionID, try sessions.isOpen(id) else {
                throw Refusal(
                    403, "session_not_found", "Session from session_id claim in JWT does not exist")
            }
            return account
        }
    }

    private static func object(_ request: IncomingRequest) throws(Refusal) -> JSONValue {
        let bad = Refusal(400, "bad_json", "Could not parse request body as JSON")
        let value: JSONValue
        do { value = try WireCoding.decode(from: request.body, brokenText: .refused) } catch { throw bad }
        guard value.object != nil else { throw bad }
        return value
    }

    private static func merged(_ metadata: JSONValue, _ changes: [String: JSONValue]) -> JSONValue {
        var members = metadata.object ?? [:]
        for (key, value) in changes { members[key] = value.isNull ? nil : value }
        return .object(members)
    }

    private static func badToken(_ why: String) -> Refusal { Refusal(403, "bad_jwt", "invalid JWT: " + why) }

    private static func tooManyTries(_ seconds: Int) -> Refusal {
        var refusal = Refusal(429, "over_request_rate_limit", "Request rate limit reached")
        refusal.retryAfter = seconds
        return refusal
    }

    private static let unknownUser = Refusal(
        403, "user_not_found", "User from sub claim in JWT does not exist")
}
