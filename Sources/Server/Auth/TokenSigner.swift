import Digest
import SupabaseWire
import Synchronization

/// Signs and checks the server's tokens: HS256 (RFC 7515, RFC 7519), one secret for every door.
struct TokenSigner: Sendable {
    /// What is wrong with a token, before anybody looks at its times.
    enum Fault: Error, Equatable {
        /// Not three parts of base64url with JSON in them, or another algorithm.
        case malformed
        case signature
    }

    private static let header = Base64URL.encode(Array(#"{"alg":"HS256","typ":"JWT"}"#.utf8))
    private let secret: [UInt8]
    private let verified = VerifiedTokens()

    /// - Parameter secret: At least 32 bytes.
    init(secret: [UInt8]) { self.secret = secret }

    /// - Parameter claims: A JSON object.
    func sign(_ claims: JSONValue) -> String {
        let signed = Self.header + "." + Base64URL.encode(Array(claims.jsonText.utf8))
        return signed + "." + Base64URL.encode(Sodium.hmacSHA256(Array(signed.utf8), key: secret))
    }

    /// The claims of a token we signed; its times are not looked at.
    func verify(_ token: String) throws(Fault) -> Claims {
        if let claims = verified.claims(of: token) { return claims }
        let claims = try read(token)
        verified.keep(claims, of: token)
        return claims
    }

    private func read(_ token: String) throws(Fault) -> Claims {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, token.utf8.count <= 8_192, let header = Self.object(parts[0]),
            header["alg"] == "HS256", let payload = Self.object(parts[1]),
            let signature = Base64URL.decode(String(parts[2]))
        else { throw .malformed }
        let signed = Array((parts[0] + "." + parts[1]).utf8)
        guard Sodium.areEqual(signature, Sodium.hmacSHA256(signed, key: secret)) else { throw .signature }
        return Claims(payload)
    }

    private static func object(_ part: Substring) -> JSONValue? {
        guard let bytes = Base64URL.decode(String(part)) else { return nil }
        // Whatever is no JSON object is no part of a token; why not, nobody asks.
        guard let value = try? WireCoding.decode(from: bytes), value.object != nil else { return nil }
        return value
    }
}

/// What tokens said that were found to be ours. A client shows the same one with every request, and what is fixed
/// about it need be worked out once; its times are looked at each time.
final class VerifiedTokens: Sendable {
    private static let limit = 1_024
    /// Bytes; ours are far shorter.
    private static let longest = 2_048
    private let known = Mutex<[String: Claims]>([:])

    func claims(of token: String) -> Claims? { known.withLock { $0[token] } }

    func keep(_ claims: Claims, of token: String) {
        guard token.utf8.count <= Self.longest else { return }
        known.withLock { known in
            // Tokens are renewed every hour: whoever is here shows theirs again.
            if known.count >= Self.limit { known.removeAll(keepingCapacity: true) }
            known[token] = claims
        }
    }
}

/// The claims this server reads; times in whole seconds since 1970.
struct Claims: Sendable, Equatable {
    var role: String?
    /// The user, in lower case.
    var subject: String?
    var sessionID: String?
    var expiresAt: Int64?
    var notBefore: Int64?
    var issuedAt: Int64?
    /// Of a signed URL: the object it opens.
    var url: String?

    init(_ payload: JSONValue) {
        role = payload["role"]?.string
        subject = payload["sub"]?.string.flatMap(UUIDText.canonical)
        sessionID = payload["session_id"]?.string.flatMap(UUIDText.canonical)
        expiresAt = Self.seconds(payload["exp"])
        notBefore = Self.seconds(payload["nbf"])
        issuedAt = Self.seconds(payload["iat"])
        url = payload["url"]?.string
    }

    private static func seconds(_ value: JSONValue?) -> Int64? {
        switch value {
        case .integer(let value): value
        case .number(let value): Int64(exactly: value.rounded(.down))
        default: nil
        }
    }
}

/// Who makes a call, as far as rules go.
struct Caller: Sendable, Equatable {
    enum Role: Sendable, Equatable { case anonymous, authenticated }

    var role: Role
    /// In lower case; `nil` for anonymous callers.
    var userID: String?

    static let anonymous = Caller(role: .anonymous, userID: nil)

    static func user(_ id: String) -> Caller { Caller(role: .authenticated, userID: id) }

    init(role: Role, userID: String?) {
        self.role = role
        self.userID = userID
    }

    /// The caller a verified token speaks for; `nil` when its role is none of ours.
    init?(_ claims: Claims) {
        switch claims.role {
        case "anon": self = .anonymous
        case "authenticated":
            guard let subject = claims.subject else { return nil }
            self = .user(subject)
        default: return nil
        }
    }
}
