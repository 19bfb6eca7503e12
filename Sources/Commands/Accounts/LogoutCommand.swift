import FoundationEssentials
import Models

/// `pingline logout`: ends the session of one account.
package struct LogoutCommand: Sendable {
    private let arguments: LogoutArguments
    private let desk: any AccountDesk
    private let console: Console

    package init(_ arguments: LogoutArguments, desk: any AccountDesk, console: Console) {
        self.arguments = arguments
        self.desk = desk
        self.console = console
    }

    package func run() async -> ExitCode {
        let all = await desk.accounts()
        let meant = arguments.account.map { word in all.filter { $0.isCalled(word) } } ?? all
        guard let account = meant.first, meant.count == 1 else {
            return complain(meant.isEmpty ? all : meant, isNone: meant.isEmpty)
        }
        do throws(StoreError) { try await desk.signOut(account.id) } catch {
            console.complain(error.userCopy)
            return ExitCode(error)
        }
        console.say(
            "Signed out: \(Console.clean(account.email)) at \(Console.clean(account.server)). "
                + "The messages stay on this machine.")
        return .done
    }

    private func complain(_ accounts: [KeptAccount], isNone: Bool) -> ExitCode {
        guard !accounts.isEmpty else {
            console.complain("There is no account here. Sign in with: pingline login SERVER")
            return .usage
        }
        console.complain(
            isNone ? "There is no such account. These are there:" : "Which one? Name it by its label or id:")
        for line in AccountTable.lines(accounts) { console.complain(line) }
        return .usage
    }
}

extension KeptAccount {
    /// Whether a word means this account: its label, its e-mail address, its server, or how its id begins.
    fileprivate func isCalled(_ word: String) -> Bool {
        let word = word.lowercased()
        return [label, email, server, "\(email)@\(label)"].contains { $0.lowercased() == word }
            || (word.count >= 4 && id.rawValue.uuidString.lowercased().hasPrefix(word))
    }
}
