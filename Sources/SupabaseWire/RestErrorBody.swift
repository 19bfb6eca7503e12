/// An error of the REST door, or of the gateway before it, which gives no `code`.
package struct RestErrorBody: WireObject {
    /// `nil` also for a code that is no word: some gateways repeat the status there.
    package var code: String?
    /// The server's sentence; decides nothing but whether a token is not valid yet.
    package var message: String?

    package init(_ members: JSONMembers) {
        code = members["code"]?.string
        message = members["message"]?.string
    }
}

/// What a Pingline server says about itself at `/health`; of another server only absence is learnt.
package struct HealthBody: WireObject {
    package var publishableKey: String?

    package init(_ members: JSONMembers) { publishableKey = members["publishable_key"]?.string }
}
