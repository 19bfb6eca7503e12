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

/// Why no account was opened.
package enum SignInError: Error, Hashable, Sendable {
    case badAddress
    /// Plain http to another machine.
    case insecureAddress
    case keyNeeded
    case keyRefused
    case link(LinkProblem)
    case wrongPassword
    case badEmail
    case emailTaken
    case badUsername
    case usernameTaken
    /// Shorter than the server takes, in characters.
    case weakPassword(minimum: Int)
    /// The account was made; a link in a mail has to be opened first.
    case confirmEmail
    case busy
    case store(StoreError)
    case alreadyOpen
    /// Another refusal, in the words of whoever made it.
    case other(UserCopy)

    /// Whether the same may succeed later, unchanged.
    package var isTransient: Bool {
        switch self {
        case .link(let problem): problem.isTransient
        case .busy, .confirmEmail: true
        case .badAddress, .insecureAddress, .keyNeeded, .keyRefused, .wrongPassword, .badEmail, .emailTaken,
            .badUsername, .usernameTaken, .weakPassword, .store, .alreadyOpen, .other:
            false
        }
    }

    package var userCopy: UserCopy {
        switch self {
        case .badAddress: UserCopy("That is no server address.", next: "Write it like team.example.")
        case .insecureAddress:
            UserCopy("Passwords must not travel unencrypted.", next: "Use an address with https.")
        case .keyNeeded: UserCopy("This server needs its public key.", next: "Ask its owner for it.")
        case .keyRefused: UserCopy("The server does not take this key.", next: "Check the key.")
        case .link(let problem): problem.userCopy
        case .wrongPassword: UserCopy("E-mail or password is wrong.", next: "Type them again.")
        case .badEmail: UserCopy("That is no e-mail address.", next: "Check it.")
        case .emailTaken:
            UserCopy("There is an account with this e-mail.", next: "Sign in instead of signing up.")
        case .badUsername:
            UserCopy("This user name cannot be used.", next: "Take 3 to 32 letters, digits, dots or dashes.")
        case .usernameTaken: UserCopy("That user name is taken.", next: "Choose another one.")
        case .weakPassword(let minimum):
            UserCopy("The password is too short.", next: "Use \(minimum) characters or more.")
        case .confirmEmail:
            UserCopy("Your account is made.", next: "Open the link in the mail you got, then sign in.")
        case .busy: UserCopy("Too many tries.", next: "Wait a minute, then try again.")
        case .store(let error): error.userCopy
        case .alreadyOpen: UserCopy("This account is open already.", next: "Find it in the list.")
        case .other(let copy): copy
        }
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
    /// Why an account of this kind cannot be opened here; `nil` when it can.
    func obstacle(to choice: FirstRunChoice) -> UserCopy?
}

/// The ways to begin.
package enum FirstRunChoice: String, Hashable, Sendable, CaseIterable {
    case tryItHere, signIn, telegram
}
