/// Why a channel could not be joined or was closed, by what can be done about it.
enum ChannelTrouble: Sendable, Equatable {
    /// The token has run out: renew it, then join again.
    case oldToken
    /// The token is not taken: renew it once, then it is for the user.
    case badToken
    /// No right to be there, or a fault of ours: joining again does not help.
    case forbidden
    /// Too many of something.
    case rateLimited
    case passing

    /// Reads the reason of a refused join, `<Code>: <text>`.
    init(reason: String) {
        let code = reason.prefix { $0 != ":" }
        self =
            switch code {
            case "InvalidJWTToken": .oldToken
            case "MalformedJWT", "JwtSignatureError": .badToken
            case "Unauthorized", "PrivateOnly", "TopicNameRequired", "unmatched topic": .forbidden
            case "ChannelRateLimitReached", "ConnectionRateLimitReached", "ClientJoinRateLimitReached":
                .rateLimited
            default: .passing
            }
    }

    /// Reads the text of a system error, which has no code.
    init(systemMessage text: String) {
        self =
            if text.hasPrefix("Token has expired") || text.hasPrefix("Fields `role` and `exp`") {
                .oldToken
            } else if text.contains("not a valid JWT") || text.contains("JWT signature") {
                .badToken
            } else if text.contains("Too many") || text.contains("rate limit")
                || text.contains("size exceeded")
            {
                .rateLimited
            } else {
                .passing
            }
    }
}
