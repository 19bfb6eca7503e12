import Models

/// Where the commands about accounts turn. The program around them implements it.
package protocol AccountDesk: Sendable {
    /// Asks a server for its key; one of the settings counts as told.
    /// - Throws: `.keyNeeded` when somebody has to give it.
    func key(of place: SignInPlace) async throws(SignInError) -> String
    /// Sees whether there is a server that knows the key, before anybody types a password.
    /// - Returns: Whether it takes new accounts.
    func look(at place: SignInPlace, key: String) async throws(SignInError) -> Bool
    /// Signs in or up, and keeps the account and its session.
    func signIn(_ request: LoginRequest) async throws(SignInError) -> KeptAccount
    /// The kept accounts, in the order of their first sign-in.
    func accounts() async -> [KeptAccount]
    /// Ends the session and takes the account off the list; its messages stay on this machine.
    /// - Throws: `.inUse` when a screen has it open.
    func signOut(_ id: AccountID) async throws(StoreError)
}

/// A server, and how to connect to it.
package struct SignInPlace: Hashable, Sendable {
    /// As typed.
    package var server: String
    /// As typed; `nil` leaves it to the settings.
    package var caFile: String?
    package var allowsPlainHTTP: Bool

    package init(server: String, caFile: String? = nil, allowsPlainHTTP: Bool = false) {
        self.server = server
        self.caFile = caFile
        self.allowsPlainHTTP = allowsPlainHTTP
    }
}

/// All that a sign-in needs.
package struct LoginRequest: Hashable, Sendable {
    package var place: SignInPlace
    package var key: String
    package var email: String
    package var password: String
    /// Who a new account is for; `nil` signs in to one that is there.
    package var newcomer: Newcomer?
    package var label: String?

    package struct Newcomer: Hashable, Sendable {
        package var username: String
        package var displayName: String

        package init(username: String, displayName: String) {
            self.username = username
            self.displayName = displayName
        }
    }

    package init(
        place: SignInPlace, key: String, email: String, password: String, newcomer: Newcomer? = nil,
        label: String? = nil
    ) {
        self.place = place
        self.key = key
        self.email = email
        self.password = password
        self.newcomer = newcomer
        self.label = label
    }
}

/// An account that is kept on this machine.
package struct KeptAccount: Hashable, Sendable {
    package var id: AccountID
    /// What its owner calls it, or its server's name.
    package var label: String
    package var server: String
    package var email: String
    package var isSignedIn: Bool
    /// Who has it open now, in words; `nil` when nobody does.
    package var holder: String?

    package init(
        id: AccountID, label: String, server: String, email: String, isSignedIn: Bool, holder: String? = nil
    ) {
        self.id = id
        self.label = label
        self.server = server
        self.email = email
        self.isSignedIn = isSignedIn
        self.holder = holder
    }
}
