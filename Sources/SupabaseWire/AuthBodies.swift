import FoundationEssentials

/// What signing in and refreshing answer.
///
/// Only what nothing goes on without must be readable: the answer to a refresh that is thrown away takes the
/// session with it, for its token is spent.
package struct SessionBody: WireObject {
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
    }

    package init(_ members: JSONMembers) throws(WireError) {
        accessToken = try members.value(CodingKeys.accessToken)
        refreshToken = try members.value(CodingKeys.refreshToken)
        expiresIn = members["expires_in"]?.integer
        expiresAt = members["expires_at"]?.integer
        guard let user = members["user"] else { throw .missing(key: "user") }
        self.user = try UserBody(user)
    }
}

/// A user, on its own or inside a session.
package struct UserBody: WireObject {
    package var id: UUID

    private enum CodingKeys: String, CodingKey { case id }

    package init(_ members: JSONMembers) throws(WireError) {
        id = try members.value(CodingKeys.id)
    }
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
package struct AuthErrorBody: WireObject {
    /// The error's word in either form of the API; `nil` in the oldest one.
    package var code: String?
    /// The word of the oldest form, such as `invalid_grant`.
    package var error: String?
    /// The server's sentence; for the log, never for the screen.
    package var message: String?
    /// Why a password is too weak: `length`, `characters`, `pwned`.
    package var weaknesses: [String]

    package init(_ members: JSONMembers) {
        func word(_ key: String) -> String? { members[key]?.string }
        code = word("error_code") ?? word("code")  // `code` is a number where `error_code` is there
        error = word("error")
        message = word("message") ?? word("msg") ?? word("error_description")
        weaknesses = (members["weak_password"]?["reasons"]?.elements ?? []).compactMap(\.string)
    }
}
