import Models

/// What the accounts are called on the screen.
extension AppModel {
    func refreshNames() {
        let names = accounts.map { name(of: $0) }
        if state.accountNames != names { state.accountNames = names }
        for entry in accounts { list.setLabel(label(of: entry), of: entry.id) }
    }

    /// What tells an account from the others: its label, and whose it is where two bear the same.
    func label(of entry: AccountEntry) -> String {
        let isShared = accounts.contains { $0.id != entry.id && $0.account.label == entry.account.label }
        return isShared ? name(of: entry) : entry.account.label
    }

    private func name(of entry: AccountEntry) -> String {
        guard let name = entry.profile?.username, !name.isEmpty else { return entry.account.label }
        return entry.account.label.isEmpty ? name : "\(name)@\(entry.account.label)"
    }
}
