/// Who makes a storage call, as far as its rules go.
enum StorageCaller: Sendable, Equatable {
    case anonymous
    /// The id, in lower case.
    case user(String)
    /// Whoever runs the server: no rule holds.
    case service

    var userID: String? {
        if case .user(let id) = self { id } else { nil }
    }
}

extension Gate {
    /// The caller of a storage request; `now` in microseconds since 1970. No leeway on the token's end.
    func storageCaller(_ request: IncomingRequest, now: Int64) throws(StorageFault) -> StorageCaller {
        guard let token = request.bearer ?? request.header("apikey") ?? request.query["apikey"] else {
            return .anonymous
        }
        if isKey(token) { return .anonymous }
        if isServiceKey(token) { return .service }
        let claims: Claims
        do { claims = try signer.verify(token) } catch {
            throw .token(error == .malformed ? "Invalid Compact JWS" : "signature verification failed")
        }
        let seconds = now / 1_000_000
        guard let end = claims.expiresAt, end > seconds, claims.notBefore ?? 0 <= seconds else {
            throw .token("\"exp\" claim timestamp check failed")
        }
        guard let caller = Caller(claims) else {
            throw .token("the role of the token is none of this project")
        }
        return caller.userID.map { .user($0) } ?? .anonymous
    }
}
