import FoundationEssentials

/// What signing in and refreshing answer.
package struct SessionBody: Decodable, Sendable {
    package var accessToken: String
    /// Good for one refresh.
    package var refreshToken: String
    /// Seconds from the answer.
    package var expiresIn: Int64?
    /// Seconds since 1970 by the server's clock.
    package var expiresAt: Int64?
    package var user: UserBody

    enum CodingKeys: String, CodingKey {
        case user
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
        case expiresIn = "expires_in"
        case expiresAt = "expires_at"
    }
}

/// A user, on its own or inside a session.
package struct UserBody: Decodable, Sendable {
    package var id: UUID
    package var email: String?
    /// Empty in the made-up user that a confirming server answers for an address it knows already.
    package var identities: [JSONValue]?
}

/// The body of a sign-up.
package struct SignUpBody: Encodable, Sendable {
    package var email: String
    package var password: String
    package var data: Names

    package struct Names: Encodable, Sendable {
        package var username: String
        package var displayName: String

        enum CodingKeys: String, CodingKey {
            case username
            case displayName = "display_name"
        }
    }

    package init(email: String, password: String, username: String, displayName: String) {
        self.email = email
        self.password = password
        data = Names(username: username, displayName: displayName)
    }
}

/// An error of the Auth door, in any of its three forms.
package struct AuthErrorBody: Decodable, Sendable {
    /// The error's word in either form of the API; `nil` in the oldest one.
    package var code: String?
    /// The word of the oldest form, such as `invalid_grant`.
    package var error: String?
    /// The server's sentence; for the log, never for the screen.
    package var message: String?
    /// Why a password is too weak: `length`, `characters`, `pwned`.
    package var weaknesses: [String]

    enum CodingKeys: String, CodingKey {
        case code, error, message, msg
        case errorCode = "error_code"
        case errorDescription = "error_description"
        case weakPassword = "weak_password"
    }

    package init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: CodingKeys.self)
        // A failed read below says that the key holds another kind: `code` is a number in one form.
        func word(_ key: CodingKeys) -> String? { try? body.decode(String.self, forKey: key) }
        code = word(.errorCode) ?? word(.code)
        error = word(.error)
        message = word(.message) ?? word(.msg) ?? word(.errorDescription)
        let weakness = try? body.decode(Weakness.self, forKey: .weakPassword)  // absent: not about that
        weaknesses = weakness?.reasons ?? []
    }

    private struct Weakness: Decodable {
        var reasons: [String]?
    }
}
