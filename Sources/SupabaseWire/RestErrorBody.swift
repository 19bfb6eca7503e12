/// An error of the REST door, or of the gateway before it, which gives no `code`.
package struct RestErrorBody: Decodable, Sendable {
    package var code: String?
    /// The server's sentence; decides nothing but whether a token is not valid yet.
    package var message: String?

    enum CodingKeys: String, CodingKey {
        case code, message
    }
}

/// What a Pingline server says about itself at `/health`; of another server only absence is learnt.
package struct HealthBody: Decodable, Sendable {
    package var publishableKey: String?

    enum CodingKeys: String, CodingKey {
        case publishableKey = "publishable_key"
    }
}
