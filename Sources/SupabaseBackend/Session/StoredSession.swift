import Digest
import FoundationEssentials
import SupabaseWire

/// A session as it is kept: the pair of tokens, and how the server's clock stands to ours.
struct StoredSession: Codable, Sendable, Equatable {
    var accessToken: String
    /// Spent by one refresh; whoever spends it writes the next pair before using it.
    var refreshToken: String
    var userID: UUID
    /// The access token's life, in seconds since 1970 by the server's clock.
    var issuedAt: Int64
    var expiresAt: Int64
    /// The server's clock minus ours, in seconds, when the token came.
    var clockOffset: Int64

    enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
        case userID = "user_id"
        case issuedAt = "issued_at"
        case expiresAt = "expires_at"
        case clockOffset = "clock_offset"
    }

    /// - Parameter now: Microseconds since 1970 by our clock, when the answer came.
    init(_ body: SessionBody, receivedAt now: Int64) {
        accessToken = body.accessToken
        refreshToken = body.refreshToken
        userID = body.user.id
        let seconds = now / 1_000_000
        let claims = TokenClaims(body.accessToken)
        let life = Self.sane(body.expiresIn) ?? 3_600
        let expiry = claims?.exp ?? Self.sane(body.expiresAt) ?? seconds + life
        let issued = claims?.iat ?? expiry - life
        expiresAt = expiry
        issuedAt = issued
        clockOffset = issued - seconds
    }

    /// Whatever is no time before the year 10000 says nothing, and must not overflow what is reckoned with it.
    fileprivate static func sane(_ seconds: Int64?) -> Int64? {
        seconds.flatMap { (0..<253_402_300_800).contains($0) ? $0 : nil }
    }

    /// Seconds of life left at `now` (microseconds since 1970 by our clock).
    func secondsLeft(at now: Int64) -> Int64 {
        expiresAt - (now / 1_000_000 + clockOffset)
    }

    /// How many seconds before its end a token is renewed: a minute, less for short-lived ones.
    var margin: Int64 { min(60, max(expiresAt - issuedAt, 0) / 4) }
}

/// The two claims a client may read.
private struct TokenClaims: WireObject {
    var exp: Int64?
    var iat: Int64?

    init(_ members: JSONMembers) {
        exp = StoredSession.sane(members["exp"]?.integer)
        iat = StoredSession.sane(members["iat"]?.integer)
    }

    init?(_ token: String) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64URL.decode(String(parts[1])) else { return nil }
        // A token that is none of ours to read says nothing about its life.
        guard let claims = try? WireCoding.decode(TokenClaims.self, from: Data(bytes)) else { return nil }
        self = claims
    }
}
