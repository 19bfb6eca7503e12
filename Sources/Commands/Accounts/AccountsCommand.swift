import FoundationEssentials
import Models

/// `pingline accounts`: which accounts are kept on this machine.
package struct AccountsCommand: Sendable {
    private let arguments: AccountsArguments
    private let desk: any AccountDesk
    private let console: Console

    package init(_ arguments: AccountsArguments, desk: any AccountDesk, console: Console) {
        self.arguments = arguments
        self.desk = desk
        self.console = console
    }

    package func run() async -> ExitCode {
        let accounts = await desk.accounts()
        if arguments.printsJSON { return printJSON(accounts) }
        guard !accounts.isEmpty else {
            console.say("There is no account here. Sign in with: pingline login SERVER")
            return .done
        }
        for line in AccountTable.lines(accounts) { console.say(line) }
        return .done
    }

    private struct Row: Encodable {
        let id, label, server, email: String
        let signedIn: Bool
        let openIn: String?

        enum CodingKeys: String, CodingKey {
            case id, label, server, email
            case signedIn = "signed_in"
            case openIn = "open_in"
        }
    }

    private func printJSON(_ accounts: [KeptAccount]) -> ExitCode {
        let rows = accounts.map { account in
            Row(
                id: account.id.rawValue.uuidString.lowercased(), label: account.label, server: account.server,
                email: account.email, signedIn: account.isSignedIn, openIn: account.holder)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do { console.print(Array(try encoder.encode(rows)) + [0x0A]) } catch { return .system }
        return .done
    }
}

/// Accounts for people: a line each, in columns.
enum AccountTable {
    static func lines(_ accounts: [KeptAccount]) -> [String] {
        let rows = accounts.map { account in
            [
                String(account.id.rawValue.uuidString.lowercased().prefix(8)), account.label, account.email,
                account.server, account.state,
            ].map(Console.clean)
        }
        let widths = (0..<4).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            return (cells + [row[4]]).joined(separator: "  ")
        }
    }
}

extension KeptAccount {
    fileprivate var state: String {
        let session = isSignedIn ? "signed in" : "signed out"
        return holder.map { "\(session), open in \($0)" } ?? session
    }
}
