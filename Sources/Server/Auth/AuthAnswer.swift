import SupabaseWire

/// The fixed texts and shapes of Auth's answers.
enum AuthAnswer {
    static let health =
        #"{"version":"v2.196.0","name":"GoTrue","description":"GoTrue is a user registration and authentication API"}"#
    static let settings =
        #"{"external":{"email":true,"phone":false,"anonymous_users":false},"disable_signup":false,"#
        + #""mailer_autoconfirm":true,"phone_autoconfirm":false,"sms_provider":"","saml_enabled":false}"#
    private static let versionedErrors = "2024-01-01"

    /// Both shapes an error can have; clients that name a version get the newer.
    static func refusal(_ refusal: Refusal, _ request: IncomingRequest) -> Answer {
        var members: [String: JSONValue]
        let code = isInternal(refusal) ? "unexpected_failure" : refusal.code
        var headers = [(name: "x-sb-error-code", value: code)]
        if let version = request.header("x-supabase-api-version"), version >= versionedErrors {
            members = ["code": .string(code), "message": .string(refusal.message)]
            headers.append(("X-Supabase-Api-Version", versionedErrors))
        } else {
            members = [
                "code": .integer(Int64(refusal.status)), "error_code": .string(code),
                "msg": .string(refusal.message),
            ]
        }
        if let reasons = refusal.weakPasswordReasons {
            members["weak_password"] = ["reasons": .array(reasons.map { .string($0) })]
        }
        if let seconds = refusal.retryAfter { headers.append(("Retry-After", String(seconds))) }
        return .json(refusal.status, JSONValue.object(members).jsonText, headers: headers)
    }

    private static func isInternal(_ refusal: Refusal) -> Bool { refusal.status >= 500 }

    /// Times in seconds since 1970. Issued is set one second back, for clocks that differ a little.
    static func claims(
        _ account: Account, _ grant: Sessions.Grant, issuer: String, issued: Int64, expires: Int64
    ) -> JSONValue {
        [
            "iss": .string(issuer), "sub": .string(account.id), "aud": "authenticated",
            "exp": .integer(expires), "iat": .integer(issued - 1), "email": .string(account.email),
            "phone": "",
            "app_metadata": Account.appMetadata, "user_metadata": account.metadata, "role": "authenticated",
            "aal": "aal1",
            "amr": [["method": "password", "timestamp": .integer(grant.signedInAt / 1_000_000)]],
            "session_id": .string(grant.sessionID), "is_anonymous": false,
            // Two tokens of one second differ too.
            "jti": .string(UUIDText.random()),
        ]
    }
}
