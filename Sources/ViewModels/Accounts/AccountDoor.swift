import FoundationEssentials
import Models

/// What a sign-in form asks to do.
package struct SignInRequest: Hashable, Sendable {
    /// As typed: `team.example`, `https://…`, `localhost:8080`.
    package var address: String
    /// The project's public key, where the server needs one.
    package var key: String?
    /// Makes a new account with `username` and `displayName` instead of signing in.
    package var isNew: Bool
    package var email: String
    package var password: String
    package var username: String
    package var displayName: String

    package init(
        address: String, key: String? = nil, isNew: Bool = false, email: String, password: String,
        username: String = "", displayName: String = ""
    ) {
        self.address = address
        self.key = key
        self.isNew = isNew
        self.email = email
        self.password = password
        self.username = username
        self.displayName = displayName
    }
}

/// Opens accounts for the forms. The program around the screen implements it.
package protocol AccountDoor: Sendable {
    /// Signs in or up, keeps the session, and starts the account's engine.
    func signIn(_ request: SignInRequest) async throws(SignInError) -> Account
    /// Opens the demo: a server in this process, with people who answer.
    func tryItHere() async throws(SignInError) -> Account
    /// Whether the server at the address, as typed, needs a public key; `nil` when it cannot be told.
    func needsKey(_ address: String) async -> Bool?
    /// A server to suggest: one the settings name and nobody is signed in to, or one that runs on this machine.
    func nearbyServer() async -> String?
    /// Why an account of this kind cannot be opened here; `nil` when it can.
    func obstacle(to choice: FirstRunChoice) -> UserCopy?
}

/// The ways to begin.
package enum FirstRunChoice: String, Hashable, Sendable, CaseIterable {
    case tryItHere, signIn, telegram
}
