import Commands
import Settings

/// `pingline login`, `logout` and `accounts`, over what the settings say.
struct AccountCommands {
    private let surroundings: Surroundings
    private let console: Console

    init(_ surroundings: Surroundings, console: Console) {
        self.surroundings = surroundings
        self.console = console
    }

    /// - Parameter invocation: One of the three; another one does nothing.
    func run(_ invocation: Invocation) async -> ExitCode {
        let desk = KeptAccounts(surroundings, knowing: known())
        switch invocation {
        case .login(let arguments):
            return await LoginCommand(arguments, desk: desk, prompt: TerminalPrompt(), console: console).run()
        case .logout(let arguments):
            return await LogoutCommand(arguments, desk: desk, console: console).run()
        case .accounts(let arguments):
            return await AccountsCommand(arguments, desk: desk, console: console).run()
        case .screen, .demo, .serve, .help, .version: return .done
        }
    }

    /// Only what the settings say about servers is of interest here; the screen tells the rest.
    private func known() -> KnownServers {
        var settings = Settings()
        do throws(SettingsError) {
            let path = surroundings.directories.settingsFile
            settings = try SettingsFile.read(at: path, knowing: .pingline).settings
        } catch {
            console.complain("\(error.what) \(error.next)")
        }
        return KnownServers(settings, around: surroundings)
    }
}
