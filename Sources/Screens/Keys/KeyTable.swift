import Terminal
import ViewModels

/// Where keys mean different things.
package enum KeyContext: String, Hashable, Sendable, CaseIterable {
    case anywhere, list, filter, thread
    case composer
    /// More of the composer's keys, while it is empty, or holds text.
    case composerEmpty, composerText
    case commandLine, confirm, help, picker, form, outbox

    /// What the help page calls it.
    var title: String {
        switch self {
        case .anywhere: "Anywhere"
        case .list: "Conversations"
        case .filter: "Filter"
        case .thread: "Thread"
        case .composer: "Writing"
        case .composerEmpty: "Writing, nothing typed yet"
        case .composerText: "Writing, with text"
        case .commandLine: "Command line"
        case .confirm: "A question"
        case .help: "This page"
        case .picker: "Choosing"
        case .form: "Filling in"
        case .outbox: "Outbox"
        }
    }

    /// What `config.toml` calls it; all tables of the composer are one.
    package var settingName: String {
        switch self {
        case .composer, .composerEmpty, .composerText: "composer"
        case .commandLine: "command-line"
        case .anywhere, .list, .filter, .thread, .confirm, .help, .picker, .form, .outbox:
            rawValue
        }
    }

    /// Whether plain letters are text there, or would be if no table took them.
    package var isForWriting: Bool {
        switch self {
        case .anywhere, .filter, .composer, .composerEmpty, .composerText, .commandLine, .picker, .form: true
        case .list, .thread, .confirm, .help, .outbox: false
        }
    }
}

/// One line of a key table.
package struct KeyEntry: Hashable, Sendable {
    /// Each is one way to press it; of several keys in a row, all of them.
    package var keys: [[Key]]
    package var action: Action
    /// For the help page.
    package var help: String

    /// - Parameter names: Ways to press it, as `Key.name` writes them; the keys of one way with blanks between.
    init(_ names: String..., does action: Action, _ help: String) {
        keys = names.map { name in name.split(separator: " ").compactMap { Key(String($0)) } }
        self.action = action
        self.help = help
    }

    /// `Alt-r`, `d d`
    package var keyNames: [String] { keys.map { $0.map(\.name).joined(separator: " ") } }
}

/// The keys of one place on the screen.
package struct KeyTable: Sendable {
    package let context: KeyContext
    package let entries: [KeyEntry]
    private let actions: [[Key]: Action]
    private let beginnings: Set<[Key]>

    init(_ context: KeyContext, _ entries: [KeyEntry]) {
        self.context = context
        self.entries = entries
        let pairs = entries.flatMap { entry in entry.keys.map { ($0, entry.action) } }
        actions = Dictionary(pairs) { first, _ in first }
        beginnings = Set(pairs.flatMap { keys, _ in (1..<max(keys.count, 1)).map { Array(keys.prefix($0)) } })
    }

    /// What the keys pressed so far mean.
    enum Meaning: Equatable {
        case action(Action)
        /// More keys have to come.
        case beginning
        case nothing
    }

    func meaning(of keys: [Key]) -> Meaning {
        if let action = actions[keys] { return .action(action) }
        return beginnings.contains(keys) ? .beginning : .nothing
    }

    /// The name of the key that is shown for an action.
    func name(of action: Action) -> String? {
        entries.first { $0.action == action && !$0.keys.isEmpty }?.keyNames.first
    }

    /// Two actions on one key, or a key that is the beginning of another's; there must be none.
    package var clashes: [String] {
        let all = entries.flatMap { entry in entry.keys.map { ($0, entry.action) } }
        var clashes: [String] = []
        for (place, (keys, action)) in all.enumerated() {
            for (others, other) in all[(place + 1)...] where action != other || keys == others {
                let (short, long) = keys.count <= others.count ? (keys, others) : (others, keys)
                guard Array(long.prefix(short.count)) == short else { continue }
                clashes.append("\(short.map(\.name).joined(separator: " ")): \(action) and \(other)")
            }
        }
        return clashes
    }
}

/// The tables that count at one moment, the nearest first.
struct KeyLayers {
    var tables: [KeyTable]

    func meaning(of keys: [Key]) -> KeyTable.Meaning {
        for table in tables {
            let meaning = table.meaning(of: keys)
            if meaning != .nothing { return meaning }
        }
        return .nothing
    }

    /// The name of the key that is shown for an action.
    func name(of action: Action) -> String? {
        for table in tables {
            if let name = table.name(of: action) { return name }
        }
        return nil
    }
}
