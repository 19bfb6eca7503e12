import Models
import Terminal
import ViewModels

extension Screen {
    /// Every account: where it is, whom it trusts, how its link is, and what to do when that is not well.
    func accountLines(_ model: AppModel, width: Columns) -> [Line] {
        guard !model.accounts.isEmpty else { return [Line("There is no account here.", .dim)] }
        return model.accounts.enumerated().flatMap { index, entry -> [Line] in
            let names = model.state.accountNames
            let name = names.indices.contains(index) ? names[index] : entry.account.label
            return (index > 0 ? [.empty] : []) + [Line(name, .heading)] + rows(of: entry, width: width)
        }
    }

    private func rows(of entry: AccountEntry, width: Columns) -> [Line] {
        var rows: [(label: String, text: String, role: Role)] = []
        if let facts = entry.account.facts {
            rows.append(("Server", facts.server, .body))
            rows.append(("E-mail", facts.email, .body))
            rows.append(("Trusts", facts.caFile.map { "the system and \($0)" } ?? "the system", .body))
        }
        rows.append(("Link", words(for: entry.banner.status), .body))
        if let problem = entry.banner.problem {
            rows.append(("", problem.userCopy.what, .error))
            rows.append(("", problem.userCopy.next, .body))
        }
        return rows.flatMap { row in labelled(row.label, row.text, row.role, width: width) }
    }

    private func words(for status: ConnectionStatus) -> String {
        switch status {
        case .connected: "connected"
        case .connecting: "connecting"
        case .disconnected: "offline"
        }
    }

    /// A label, and beside it a text as high as it needs to be.
    func labelled(_ label: String, _ text: String, _ role: Role, width: Columns) -> [Line] {
        wrap(text, to: max(width - 10, 8)).enumerated().map { row, part in
            Line(Line(row == 0 ? label : "", .dim).fitted(to: 10).spans + [Span(part, role)])
        }
    }
}
