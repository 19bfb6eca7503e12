import Terminal
import ViewModels

/// The keys of one action as the user wants them. They take the place of those it has.
package struct KeyChange: Sendable, Equatable {
    /// The part of the screen, as `KeyContext.settingName` has it; `nil` is everywhere the action has keys.
    package var place: String?
    /// As `Action.settingName` has it.
    package var action: String
    /// Each is one way to press it. Empty takes all keys from the action.
    package var keys: [[Key]]

    package init(place: String?, action: String, keys: [[Key]]) {
        self.place = place
        self.action = action
        self.keys = keys
    }
}

/// Why a key is not in force although the user gave it to an action.
package struct KeyObjection: Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// Another action of the same place has it, or one that it begins, or that begins it.
        case taken(key: String, by: String, place: String)
        /// Wherever the action has keys, letters are text.
        case typesText
        /// Without a key for it the place could not be left.
        case needed
    }

    /// Which of the changes, from 0.
    package let change: Int
    package let reason: Reason
}

extension Keymap {
    /// The built-in keys with the user's changes. A key that cannot be is left out, and an action that would
    /// lose its last key by that keeps those it has.
    package static func standard(changedBy changes: [KeyChange]) -> (Keymap, [KeyObjection]) {
        var tables: [KeyContext: KeyTable] = [:]
        var objections: [KeyObjection] = []
        var isUsed = Array(repeating: false, count: changes.count)
        for context in KeyContext.allCases {
            guard let table = KeyTable.all[context] else { continue }
            var revision = TableRevision(table, changes)
            revision.apply()
            tables[context] = KeyTable(context, revision.entries)
            objections += revision.objections.filter { !objections.contains($0) }
            for change in revision.used { isUsed[change] = true }
        }
        for (index, change) in changes.enumerated() where !isUsed[index] && !change.keys.isEmpty {
            guard !objections.contains(where: { $0.change == index }) else { continue }
            objections.append(KeyObjection(change: index, reason: .typesText))
        }
        return (Keymap(tables), objections)
    }
}

/// One table on its way from the built-in keys to the user's.
private struct TableRevision {
    private let context: KeyContext
    private let changes: [KeyChange]
    private(set) var entries: [KeyEntry]
    private(set) var objections: [KeyObjection] = []
    /// Changes that gave a key, or took all.
    private(set) var used: Set<Int> = []

    init(_ table: KeyTable, _ changes: [KeyChange]) {
        context = table.context
        entries = table.entries
        self.changes = changes
        guard context == .anywhere else { return }
        let wanted = Set(changes.map(\.action))
        entries += KeyTable.keyless.filter { wanted.contains($0.action.settingName) }
    }

    /// Those that nobody changed keep their keys; the changes come after them, in the order of the file.
    mutating func apply() {
        let mine = changes.indices.filter { concerns(changes[$0]) }
        let before = entries
        for index in mine { empty(changes[index].action) }
        for index in mine { give(changes[index], index, before) }
        let changed = Set(mine.map { changes[$0].action })
        entries = entries.filter { entry in
            !entry.keys.isEmpty || !changed.contains(entry.action.settingName) || isFirst(entry)
        }
    }

    private func concerns(_ change: KeyChange) -> Bool {
        guard change.place.map({ $0 == context.settingName }) ?? true else { return false }
        return entries.contains { $0.action.settingName == change.action }
    }

    private func isFirst(_ entry: KeyEntry) -> Bool { entries.first { $0.action == entry.action } == entry }

    private mutating func empty(_ action: String) {
        for place in entries.indices where entries[place].action.settingName == action {
            entries[place].keys = []
        }
    }

    private mutating func give(_ change: KeyChange, _ index: Int, _ before: [KeyEntry]) {
        guard let place = entries.firstIndex(where: { $0.action.settingName == change.action }) else {
            return
        }
        let action = entries[place].action
        let old = before.filter { $0.action == action }.flatMap(\.keys)
        guard !change.keys.isEmpty else {
            if context != .list, action == .cancel || action == .accept {
                objections.append(KeyObjection(change: index, reason: .needed))
                entries[place].keys = old
            }
            used.insert(index)
            return
        }
        var taken: [[Key]] = []
        for keys in change.keys where !(context.isForWriting && keys.first?.typed != nil) {
            if let holder = holder(of: keys, besides: action) {
                objections.append(objection(keys, holder, index))
            } else if !taken.contains(keys) {
                taken.append(keys)
            }
        }
        if !taken.isEmpty { used.insert(index) }
        entries[place].keys = taken.isEmpty ? old.filter { holder(of: $0, besides: action) == nil } : taken
    }

    private func objection(_ keys: [Key], _ holder: Action, _ index: Int) -> KeyObjection {
        let name = keys.map(\.name).joined(separator: " ")
        return KeyObjection(
            change: index,
            reason: .taken(key: name, by: holder.settingName, place: context.settingName))
    }

    /// Who has these keys, the beginning of them, or more that begins with them.
    private func holder(of keys: [Key], besides action: Action) -> Action? {
        entries.first { entry in
            entry.action != action
                && entry.keys.contains { other in
                    let (short, long) = keys.count <= other.count ? (keys, other) : (other, keys)
                    return Array(long.prefix(short.count)) == short
                }
        }?.action
    }
}
