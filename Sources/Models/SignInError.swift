/// Why there is no account: signing in or signing up did not work.
package enum SignInError: Error, Hashable, Sendable {
    /// What was typed is no address of a server.
    case badServerAddress
    /// The address of something else; the words say of what.
    case otherAddress(UserCopy)
    /// Unencrypted to another machine, which nobody allowed.
    case insecureServer
    /// The server was not reached, or does not serve now.
    case unreachable(LinkProblem)
    /// Something answers there, but nothing Pingline can talk to.
    case notAPinglineServer
    /// A Supabase project without the messenger's tables.
    case tablesMissing
    /// The project was put to sleep; its owner wakes it.
    case projectPaused
    /// The server has a key that must be given, and did not say it by itself.
    case keyNeeded
    /// The server does not know the given key.
    case keyRefused
    /// The key is one for servers, which opens everything.
    case secretKey
    /// An unknown e-mail address or a wrong password; servers do not say which.
    case wrongPassword
    /// The e-mail address must be confirmed first, or the server has just sent the mail for it.
    case addressNotConfirmed
    case addressTaken
    case badAddress
    case nameTaken
    case badName
    case weakPassword
    /// In bytes.
    case passwordTooLong(limit: Int)
    case signUpClosed
    case banned
    /// Too many tries.
    case rateLimited
    /// The session could not be kept on this machine; these are the words of who could not.
    case notKept(UserCopy)
    /// The server's own word, for the log; never shown.
    case refused(code: String)

    package var userCopy: UserCopy {
        switch self {
        case .badServerAddress:
            UserCopy("That is no server address.", next: "Enter one like chat.example.org.")
        case .otherAddress(let words): words
        case .insecureServer:
            UserCopy(
                "The connection to this server would not be encrypted.",
                next: "Use an address that begins with https.")
        case .unreachable(let problem): problem.userCopy
        case .notAPinglineServer:
            UserCopy("There is no Pingline server at this address.", next: "Check the address.")
        case .tablesMissing:
            UserCopy(
                "This project has no tables for Pingline.",
                next: "Its owner makes them: pingline serve --print-schema prints what to run there.")
        case .projectPaused:
            UserCopy("This project is paused.", next: "Its owner wakes it up in the dashboard.")
        case .keyNeeded:
            UserCopy("This server wants a key.", next: "Enter its publishable key; its owner knows it.")
        case .keyRefused: UserCopy("The server does not know this key.", next: "Check the key.")
        case .secretKey:
            UserCopy(
                "This is a secret key, which opens everything to everybody who has it.",
                next: "Use the publishable (anon) key; make a new secret one if others saw this.")
        case .wrongPassword:
            UserCopy("E-mail or password is wrong.", next: "Type them again.")
        case .addressNotConfirmed:
            UserCopy(
                "The e-mail address is not confirmed yet.", next: "Open the link in the mail, then sign in.")
        case .addressTaken:
            UserCopy("This e-mail address has an account already.", next: "Sign in instead.")
        case .badAddress: UserCopy("That is no e-mail address.", next: "Check it for a typing mistake.")
        case .nameTaken: UserCopy("This user name is taken.", next: "Choose another one.")
        case .badName:
            UserCopy(
                "This user name cannot be used.",
                next: "Use 3 to 32 small letters, digits, dots and underscores.")
        case .weakPassword: UserCopy("The password is too weak.", next: "Choose a longer one.")
        case .passwordTooLong(let limit):
            UserCopy("The password is too long.", next: "Use at most \(limit) letters.")
        case .signUpClosed:
            UserCopy("This server takes no new accounts.", next: "Ask its owner for one.")
        case .banned: UserCopy("This account is blocked.", next: "Ask the server's owner.")
        case .rateLimited: UserCopy("Too many tries.", next: "Wait a few minutes, then try again.")
        case .notKept(let words): words
        case .refused: UserCopy("The server refused.", next: "Check what you entered and try again.")
        }
    }
}
