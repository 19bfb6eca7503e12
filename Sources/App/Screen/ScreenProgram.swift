import Commands
import Demo
import Diagnostics
import FoundationEssentials
import Models
import NcursesTerminal
import Programs
import Screens
import Settings
import Terminal
import ViewModels

/// The full screen: takes the terminal, shows the accounts, and gives the terminal back.
@MainActor
final class ScreenProgram {
    private let surroundings: Surroundings
    private let console: Console

    init(_ surroundings: Surroundings, console: Console) {
        self.surroundings = surroundings
        self.console = console
    }

    /// The screen over the kept accounts.
    func run() async -> ExitCode {
        await show { accounts in await accounts.openKept() }
    }

    /// The same where a folder is missing.
    func run(without missing: DirectoryError) async -> ExitCode {
        let words =
            surroundings.keepsAccounts
            ? UserCopy(missing.what, next: missing.next)
            : UserCopy("\(missing.what) Nothing is kept when you quit.", next: missing.next)
        return await show { accounts in await accounts.openKept() + [.trouble(words)] }
    }

    /// The screen over a demo; nothing of it is kept.
    func runDemo(_ arguments: DemoArguments) async -> ExitCode {
        var outage: Outage?
        if let text = arguments.outage {
            do throws(OutageError) { outage = try Outage(text) } catch {
                console.complain("\(error.what) \(error.next)")
                return .usage
            }
        }
        return await show { [outage] accounts in
            do throws(SignInError) {
                return [.demo(try await accounts.openDemo(outage: outage))]
            } catch { return [.trouble(error.userCopy)] }
        }
    }

    private func show(_ open: @escaping @Sendable (OpenAccounts) async -> [OpenAccounts.Outcome]) async
        -> ExitCode
    {
        var (settings, trouble) = readSettings()
        let keys = settings.makeKeymap()
        trouble += settings.problems.map { "config.toml, \($0.text)" }
        let known = KnownServers(settings.settings, around: surroundings)
        trouble += known.troubles
        let session: TerminalSession
        do throws(TerminalError) {
            session = try TerminalSession(options(settings.settings))
        } catch {
            console.complain("\(error.what) \(error.next)")
            return .unavailable
        }
        let accounts = OpenAccounts(surroundings, knowing: known)
        let loop = RunLoop(session, accounts: accounts, surroundings: surroundings, keys: keys)
        let depth = session.colorDepth
        loop.draw(
            ThreadPictures(settings.settings),
            by: PictureHelper(
                environment: surroundings.environment, depth: depth, log: surroundings.log))
        // The screen has room for one; the shell's window shows them all when it is back.
        for line in trouble { console.complain(line) }
        loop.tell(trouble)
        return await loop.run(opening: open)
    }

    /// A file that cannot be read is no reason to keep anybody from their messages: the defaults do.
    private func readSettings() -> (SettingsReading, trouble: [String]) {
        do throws(SettingsError) {
            return (try SettingsFile.read(at: surroundings.directories.settingsFile, knowing: .pingline), [])
        } catch {
            return (SettingsReading(), ["\(error.what) \(error.next)"])
        }
    }

    private func options(_ settings: Settings) -> TerminalOptions {
        let theme = Theme.chosen(settings.theme, noColor: surroundings.environment["NO_COLOR"])
        var options = TerminalOptions(environment: surroundings.environment, theme: theme)
        options.usesMouse = settings.usesMouse
        options.escapeDelay = settings.escapeTimeout
        return options
    }
}
