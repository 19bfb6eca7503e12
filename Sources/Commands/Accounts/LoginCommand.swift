import Models

/// `pingline login`: asks for what it has not been told, signs in or up, and keeps the session for the screen.
package struct LoginCommand: Sendable {
    private let arguments: LoginArguments
    private let desk: any AccountDesk
    private let prompt: any Prompt
    private let console: Console

    package init(_ arguments: LoginArguments, desk: any AccountDesk, prompt: any Prompt, console: Console) {
        self.arguments = arguments
        self.desk = desk
        self.prompt = prompt
        self.console = console
    }

    package func run() async -> ExitCode {
        do {
            let request = try await request()
            let account = try await desk.signIn(request)
            tell(account, isNew: request.newcomer != nil)
            return .done
        } catch let error as SignInError {
            console.complain(error.userCopy)
            return ExitCode(error)
        } catch let error as PromptError {
            console.complain(error.userCopy)
            return ExitCode(error)
        } catch {
            return .system  // nothing else is thrown
        }
    }

    // MARK: What to ask

    private func request() async throws -> LoginRequest {
        let server = try await given(arguments.server, or: "Server")
        let place = SignInPlace(
            server: server, caFile: arguments.caFile, allowsPlainHTTP: arguments.allowsPlainHTTP)
        let key = try await key(of: place)
        let takesSignUps = try await desk.look(at: place, key: key)
        if arguments.isNew, !takesSignUps { throw SignInError.signUpClosed }
        let email = try await given(arguments.email, or: "E-mail")
        let newcomer = takesSignUps ? try await newcomer() : nil
        let password = try await password(isNew: newcomer != nil)
        return LoginRequest(
            place: place, key: key, email: email, password: password, newcomer: newcomer, label: label)
    }

    private var label: String? {
        arguments.label.flatMap { text in
            let clean = Console.clean(text)
            return clean.isEmpty ? nil : clean
        }
    }

    private func given(_ word: String?, or question: String) async throws -> String {
        let text = if let word { word } else { try await prompt.line(question) }
        guard !text.allSatisfy(\.isWhitespace) else { throw PromptError.missing(question) }
        return text
    }

    /// Only a server that does not tell its key makes the user look for it.
    private func key(of place: SignInPlace) async throws -> String {
        if let key = arguments.key { return key }
        do throws(SignInError) { return try await desk.key(of: place) } catch {
            guard error == .keyNeeded, prompt.isInteractive else { throw error }
        }
        console.complain("This server does not tell its key. In Supabase's dashboard: Settings, API Keys.")
        return try await given(nil, or: "Publishable key")
    }

    private func newcomer() async throws -> LoginRequest.Newcomer? {
        var isNew = arguments.isNew
        if !isNew, prompt.isInteractive {
            isNew = try await prompt.line("Make a new account? [y/N]").lowercased().hasPrefix("y")
        }
        guard isNew else { return nil }
        let username = try await given(nil, or: "User name (others find you by it)")
        let name = try await prompt.line("Shown name (empty: the same)")
        return LoginRequest.Newcomer(
            username: username, displayName: name.allSatisfy(\.isWhitespace) ? username : name)
    }

    private func password(isNew: Bool) async throws -> String {
        while true {
            let password = try await prompt.secret("Password")
            guard !password.isEmpty else { throw PromptError.missing("Password") }
            guard isNew, prompt.isInteractive else { return password }
            if try await prompt.secret("The same again") == password { return password }
            console.complain("The two are not the same. Once more:")
        }
    }

    // MARK: What came of it

    private func tell(_ account: KeptAccount, isNew: Bool) {
        let done = isNew ? "Made an account and signed in" : "Signed in"
        console.say("\(done): \(Console.clean(account.email)) at \(Console.clean(account.server)).")
        guard let holder = account.holder else {
            console.say("Start pingline to chat.")
            return
        }
        console.say(
            "The account is open in another place: \(Console.clean(holder)). "
                + "It goes on with the new session; if it says that you are signed out, let it connect again."
        )
    }
}
