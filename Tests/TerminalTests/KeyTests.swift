import Terminal
import Testing

struct KeyTests {
    @Test(arguments: [
        (Key.control("n"), "Ctrl-n"), (Key(.enter, .alt), "Alt-Enter"), (.pageUp, "PgUp"),
        (.function(1), "F1"),
        (.character("?"), "?"), (.character(" "), "Space"), (.character("-"), "-"), (.alt("-"), "Alt--"),
        (.backtab, "Shift-Tab"), (.control("_"), "Ctrl-_"), (.alt("/"), "Alt-/"), (.alt("0"), "Alt-0"),
        (.character("G"), "G"), (Key(.down, .alt), "Alt-Down"), (.escape, "Esc"), (.character("é"), "é"),
    ])
    func aNameReadsBackAsItsKey(key: Key, name: String) {
        #expect(key.name == name)
        #expect(Key(name) == key)
    }

    @Test(arguments: [
        ("C-x", Key.control("x")), ("M-Return", Key(.enter, .alt)), ("pageup", .pageUp),
        ("Ctrl-N", .control("n")),
        ("Shift-g", .character("G")), ("Ctrl-i", .tab), ("Ctrl-m", .enter), ("Ctrl-h", .backspace),
        ("Ctrl-[", .escape), ("Ctrl-/", .control("_")), ("Ctrl-j", .control("j")), ("Ctrl-@", .control(" ")),
    ])
    func otherSpellingsNameTheSameKey(name: String, key: Key) { #expect(Key(name) == key) }

    @Test(arguments: ["", "Ctrl-", "Hyper-x", "F0", "F99", "Nothing", "Ctrl-Nothing", "xy"])
    func whatNamesNoKeyIsRefused(name: String) { #expect(Key(name) == nil) }

    @Test(arguments: ["Ctrl-Enter", "Shift-Enter", "Ctrl-Tab", "Ctrl-1", "Ctrl-.", "Shift-Backspace"])
    func aKeyThatTerminalsDoNotSendIsKnownAsSuch(name: String) { #expect(Key(name)?.isSent == false) }

    @Test(arguments: [
        "a", "Ctrl-a", "Ctrl-_", "Ctrl-Space", "Alt-Enter", "Shift-Tab", "Ctrl-Left", "F5", "Shift-g",
    ])
    func aKeyThatTerminalsSendIsKnownAsSuch(name: String) { #expect(Key(name)?.isSent == true) }

    @Test func onlyPlainCharactersAreTyped() {
        #expect(Key.character("日").typed == "日")
        #expect(Key.alt("a").typed == nil)
        #expect(Key.enter.typed == nil)
    }
}
