import Terminal
import Testing
import ViewModels

@testable import Screens

@Suite struct KeyTableTests {
    @Test(arguments: KeyContext.allCases)
    func noKeyMeansTwoThings(_ context: KeyContext) throws {
        let table = try #require(KeyTable.all[context])
        #expect(table.clashes == [])
    }

    @Test(arguments: KeyContext.allCases)
    func everyKeyHasANameThatReadsBack(_ context: KeyContext) throws {
        for entry in try #require(KeyTable.all[context]).entries {
            #expect(!entry.keys.isEmpty && entry.keys.allSatisfy { !$0.isEmpty }, "\(entry.help)")
            for name in entry.keyNames {
                let keys = name.split(separator: " ").compactMap { Key(String($0)) }
                #expect(entry.keys.contains(keys), "\(name)")
            }
        }
    }

    @Test func aClashIsFound() {
        let table = KeyTable(
            .list,
            [
                KeyEntry("g", does: .first, ""), KeyEntry("g g", does: .last, ""),
                KeyEntry("q", does: .quit, ""),
            ])
        #expect(table.clashes.count == 1)
    }

    /// Keys that terminals or people keep for something else.
    @Test func noTerminalKeyIsTaken() {
        let kept = ["Ctrl-s", "Ctrl-q", "Ctrl-\\", "F11", "F12", "Ctrl-Space"].compactMap { Key($0) }
        for table in KeyTable.all.values {
            for keys in table.entries.flatMap(\.keys) {
                #expect(Set(keys).isDisjoint(with: kept), "\(table.context)")
            }
        }
    }

    @Test(arguments: Action.all)
    func everyActionHasACommand(_ action: Action) {
        #expect(Action(command: action.command) == action)
        #expect(Command(action.command) == .action(action))
    }

    @Test func everyActionOfATableIsListed() {
        for entry in KeyTable.all.values.flatMap(\.entries) {
            #expect(Action.all.contains(entry.action))
        }
    }

    /// Alt may arrive as Esc and a letter: whatever Alt does has another way.
    @Test func everyAltKeyHasAPlainWay() {
        for entry in KeyTable.all.values.flatMap(\.entries)
        where entry.keys.allSatisfy({ $0.contains { $0.modifiers.contains(.alt) } }) {
            #expect(Action(command: entry.action.command) != nil)
        }
    }
}
