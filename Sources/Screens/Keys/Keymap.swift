import Terminal
import ViewModels

/// The keys of every place: those built in, or what the user made of them.
package struct Keymap: Sendable {
    private var tables: [KeyContext: KeyTable]
    /// The keys of a one-line text field, in popups and in the filter; as in the composer.
    let textField: KeyTable

    /// The keys without settings.
    package static let standard = Keymap(KeyTable.all)

    init(_ tables: [KeyContext: KeyTable]) {
        self.tables = tables
        let writing = [KeyContext.composer, .composerText].compactMap { tables[$0] }.flatMap(\.entries)
        textField = KeyTable(
            .composer,
            writing.filter { entry in
                guard case .text(let command) = entry.action else { return false }
                return command != .newline && command != .up && command != .down
            })
    }

    subscript(context: KeyContext) -> KeyTable { tables[context] ?? KeyTable(context, []) }

    /// The tables that count at one moment, the nearest first.
    func layers(_ contexts: KeyContext...) -> KeyLayers { KeyLayers(tables: contexts.map { self[$0] }) }

    /// Names of the actions each place knows, as `config.toml` writes both.
    package static let settingNames: [String: [String]] = {
        var names: [String: Set<String>] = [:]
        for (context, table) in KeyTable.all {
            names[context.settingName, default: []].formUnion(table.entries.map(\.action.settingName))
        }
        names[KeyContext.anywhere.settingName, default: []].formUnion(
            KeyTable.keyless.map(\.action.settingName))
        return names.mapValues { $0.sorted() }
    }()
}

extension KeyTable {
    /// Actions that have a command and no key until the user gives them one; it works anywhere.
    static let keyless: [KeyEntry] = [
        KeyEntry(does: .addAccount, "sign in to another account"),
        KeyEntry(does: .signOut, "sign out of an account"),
        KeyEntry(does: .accounts, "the accounts, and what keeps them from connecting"),
        KeyEntry(does: .markRead, "mark as read"),
        KeyEntry(does: .markUnread, "mark as unread"),
        KeyEntry(does: .deleteForAll, "delete your own for everybody, after a question"),
        KeyEntry(does: .drop, "drop a message that was not sent"),
        KeyEntry(does: .resendAll, "send all that failed again"),
        KeyEntry(does: .dropAll, "drop all that failed"),
        KeyEntry(does: .detach, "take the file out of the message"),
        KeyEntry(does: .focusList, "to the list"),
        KeyEntry(does: .focusThread, "to the thread"),
        KeyEntry(does: .focusComposer, "to the composer"),
    ]

    /// Whether the first ten conversations have the keys they are born with, which can be told in one line.
    var hasStandardPositions: Bool {
        let isPosition = { (entry: KeyEntry) in
            if case .openPosition = entry.action { true } else { false }
        }
        return entries.filter(isPosition) == KeyTable.anywhere.entries.filter(isPosition)
    }
}
