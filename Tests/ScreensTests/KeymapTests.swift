import Terminal
import Testing
import ViewModels

@testable import Screens

@Suite struct KeymapTests {
    private func changed(_ changes: KeyChange...) -> (keys: Keymap, objections: [KeyObjection]) {
        Keymap.standard(changedBy: changes)
    }

    private func change(_ place: String?, _ action: String, _ names: String...) -> KeyChange {
        KeyChange(
            place: place, action: action,
            keys: names.map { $0.split(separator: " ").compactMap { Key(String($0)) } })
    }

    private func action(_ name: String, in context: KeyContext, _ keymap: Keymap) -> Action? {
        let keys = name.split(separator: " ").compactMap { Key(String($0)) }
        if case .action(let action) = keymap[context].meaning(of: keys) { return action }
        return nil
    }

    @Test func withoutChangesTheKeysAreTheBuiltInOnes() {
        let (keys, objections) = changed()
        #expect(objections == [])
        for context in KeyContext.allCases {
            #expect(keys[context].entries == KeyTable.all[context]?.entries)
        }
    }

    @Test func aChangeTakesThePlaceOfTheBuiltInKeys() {
        let (keys, objections) = changed(change("thread", "reply", "F2", "z z"))
        #expect(objections == [])
        #expect(action("F2", in: .thread, keys) == .reply)
        #expect(action("z z", in: .thread, keys) == .reply)
        #expect(action("r", in: .thread, keys) == nil)
    }

    @Test func withoutAPlaceItChangesEveryTableThatHasTheAction() {
        let (keys, _) = changed(change(nil, "help", "F3", "H"))
        #expect(action("F3", in: .anywhere, keys) == .help)
        #expect(action("H", in: .list, keys) == .help)
        #expect(action("H", in: .anywhere, keys) == nil, "in the composer a letter is text")
        #expect(action("?", in: .thread, keys) == nil)
    }

    @Test func aKeyOfAnotherActionIsRefusedAndTheActionKeepsItsOwn() {
        let (keys, objections) = changed(change("thread", "reply", "q"))
        #expect(
            objections == [
                KeyObjection(change: 0, reason: .taken(key: "q", by: "quit", place: "thread"))
            ])
        #expect(action("r", in: .thread, keys) == .reply)
        #expect(action("q", in: .thread, keys) == .quit)
    }

    @Test func aKeyThatABuiltInSequenceBeginsWithIsTaken() {
        let (_, objections) = changed(change("list", "open", "d"))
        #expect(
            objections.map(\.reason) == [.taken(key: "d", by: "leave", place: "list")])
    }

    @Test func twoActionsMayExchangeTheirKeys() {
        let (keys, objections) = changed(change("thread", "reply", "e"), change("thread", "edit", "r"))
        #expect(objections == [])
        #expect(action("e", in: .thread, keys) == .reply)
        #expect(action("r", in: .thread, keys) == .edit)
    }

    @Test func aLetterWhereAllIsTextIsRefused() {
        let (keys, objections) = changed(change(nil, "send", "s"))
        #expect(objections == [KeyObjection(change: 0, reason: .typesText)])
        #expect(action("Enter", in: .composer, keys) == .send)
    }

    @Test func anEmptyListTakesTheKeysAway() {
        let (keys, objections) = changed(change("list", "quit"))
        #expect(objections == [])
        #expect(action("q", in: .list, keys) == nil)
        #expect(action("q", in: .thread, keys) == .quit)
    }

    @Test func aPopupKeepsAWayOut() {
        let (keys, objections) = changed(change("confirm", "cancel"))
        #expect(objections.map(\.reason) == [.needed])
        #expect(action("Esc", in: .confirm, keys) == .cancel)
    }

    @Test func anActionWithoutAKeyCanBeGivenOne() {
        let (keys, objections) = changed(change("anywhere", "login", "F4"))
        #expect(objections == [])
        #expect(action("F4", in: .anywhere, keys) == .addAccount)
        #expect(action("F4", in: .anywhere, .standard) == nil)
    }

    @Test func textFieldsFollowTheComposer() {
        let (keys, _) = changed(change("composer", "text-kill-to-line-start", "F5"))
        #expect(keys.textField.meaning(of: [.function(5)]) == .action(.text(.killToLineStart)))
    }

    @Test func everySettingNameIsOneWord() {
        for names in Keymap.settingNames.values {
            #expect(names.allSatisfy { $0.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" } })
        }
    }

    @MainActor @Test func theHelpPageAndTheHintsShowTheRealKeys() async {
        let scene = Scene(columns: 100, rows: 30, keys: changed(change("list", "new", "F6")).keys)
        await scene.begin([])
        #expect(scene.picture.contains("F6"))
        scene.press("?")
        #expect(scene.picture.contains("F6"))
    }
}
