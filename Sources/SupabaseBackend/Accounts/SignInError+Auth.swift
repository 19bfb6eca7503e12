import Addresses
import Backend
import Models
import Networking
import Secrets

extension AuthFailure {
    /// What the failure of a sign-in or sign-up means to the person.
    var signInError: SignInError {
        switch self {
        case .network(let error):
            error == .plainHTTPRefused ? .insecureServer : SignInError(error.backendError)
        case .intercepted: .unreachable(.intercepted)
        case .keyRefused: .keyRefused
        case .notAuth: .notAPinglineServer
        case .unavailable(429, _, _): .rateLimited
        case .unavailable(540, _, _): .projectPaused
        case .unavailable: .unreachable(.serverUnavailable)
        case .refused(_, let code, let weaknesses): Self.meaning(code ?? "", isWeak: !weaknesses.isEmpty)
        }
    }

    private static func meaning(_ code: String, isWeak: Bool) -> SignInError {
        switch code {
        case "invalid_credentials", "invalid_grant": .wrongPassword
        case "email_not_confirmed": .addressNotConfirmed
        case "user_already_exists", "email_exists": .addressTaken
        case "weak_password": .weakPassword
        case _ where isWeak: .weakPassword
        case "validation_failed", "email_address_invalid": .badAddress
        case "signup_disabled", "email_provider_disabled": .signUpClosed
        case "user_banned": .banned
        case "over_request_rate_limit", "over_email_send_rate_limit": .rateLimited
        default: .refused(code: code)
        }
    }
}

extension SignInError {
    /// What no answer at all means to the person.
    init(_ error: BackendError) {
        self =
            switch error {
            case .offline(let problem): .unreachable(problem)
            case .timedOut, .busy: .unreachable(.serverUnavailable)
            case .signedOut, .notFound, .notAllowed, .taken, .invalid, .unsupported, .localFile, .unexpected:
                .notAPinglineServer
            }
    }
}

extension ServerAddressError {
    package var signInError: SignInError {
        switch self {
        case .empty, .otherScheme, .unreadable, .hasUser, .hasQuery: .badServerAddress
        case .plainHTTP: .insecureServer
        case .dashboard(let project):
            .otherAddress(
                UserCopy(
                    "This is a page of Supabase's dashboard, not the project's address.",
                    next: "Use \(project ?? Self.projectAddress)."))
        case .database(let project):
            .otherAddress(
                UserCopy(
                    "This is the address of the project's database.",
                    next: "Use \(project ?? Self.projectAddress)."))
        case .key:
            .otherAddress(
                UserCopy("This is a key, not an address.", next: "Give the server's address first."))
        }
    }

    private static let projectAddress = "the project's own address, https://….supabase.co"
}

extension SecretError {
    /// What happened, and what to do about it.
    var userCopy: UserCopy {
        switch self {
        case .diskFull: UserCopy("The disk is full.", next: "Free some space, then sign in again.")
        case .notWritable, .missingFolder, .notReadable:
            UserCopy("The account cannot be kept on this machine.", next: "Check the folder's permissions.")
        case .damaged:
            UserCopy("The kept session is damaged; it was set aside.", next: "Sign in again.")
        case .tooNew: UserCopy("The kept session is from a later version.", next: "Update Pingline.")
        case .busy: UserCopy("Another Pingline holds this account.", next: "Try again in a moment.")
        case .failed:
            UserCopy("The account cannot be kept on this machine.", next: "Try again; then check the disk.")
        }
    }
}
