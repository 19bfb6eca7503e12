/// What stands before every door: the project's key, and whose token comes with it.
struct Gate: Sendable {
    let signer: TokenSigner
    /// The key in both its shapes.
    let publishableKey: String
    let opaqueKey: String
    /// What opens the storage to whoever runs the server, in both shapes; no other door knows it.
    var serviceKey = ""
    var secretKey = ""

    /// The refusal of a request without our key, or `nil`.
    func refusal(_ request: IncomingRequest) -> Answer? {
        guard let key = request.header("apikey") ?? request.query["apikey"], !key.isEmpty else {
            return .json(
                401,
                #"{"message":"No API key found in request","hint":"No `apikey` request header or url param was found."}"#
            )
        }
        guard isKey(key) || isServiceKey(key) else {
            return .json(
                401,
                #"{"message":"Invalid API key","hint":"Double check your Supabase `anon` or `service_role` API key."}"#
            )
        }
        return nil
    }

    func isKey(_ text: String) -> Bool { text == publishableKey || text == opaqueKey }

    /// Whether it is the service role's key; takes as long for one that is nearly right.
    func isServiceKey(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return !bytes.isEmpty
            && (Sodium.areEqual(bytes, Array(serviceKey.utf8))
                || Sodium.areEqual(bytes, Array(secretKey.utf8)))
    }

    /// The caller of a REST request; `now` in microseconds since 1970.
    /// - Throws: `PGRST301` for a token that is none of ours, `PGRST303` for one out of its time. Clocks may differ
    ///   by 30 seconds.
    func restCaller(_ request: IncomingRequest, now: Int64) throws(Refusal) -> Caller {
        guard let token = request.bearer, !isKey(token) else { return .anonymous }
        let claims: Claims
        do { claims = try signer.verify(token) } catch {
            throw Refusal(
                401, "PGRST301",
                error == .malformed
                    ? "Expected 3 parts in JWT; got \(token.split(separator: ".").count)"
                    : "No suitable key or wrong key type")
        }
        let seconds = now / 1_000_000
        if let end = claims.expiresAt, end + Self.leeway <= seconds { throw Self.time("JWT expired") }
        if let start = claims.notBefore, start - Self.leeway > seconds {
            throw Self.time("JWT not yet valid")
        }
        if let issued = claims.issuedAt, issued - Self.leeway > seconds {
            throw Self.time("JWT issued at future")
        }
        guard let caller = Caller(claims) else {
            throw Refusal(401, "PGRST301", "JWT has no role of this project")
        }
        return caller
    }

    private static let leeway: Int64 = 30

    private static func time(_ message: String) -> Refusal { Refusal(401, "PGRST303", message) }
}
