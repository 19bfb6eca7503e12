import CNcurses
import Terminal

/// The bytes that take the terminal and give it back.
struct ModeSequences {
    let enter: [UInt8]
    let leave: [UInt8]
    /// The terminal shows window titles.
    let showsTitles: Bool

    /// - Parameters:
    ///   - name: The description in use.
    ///   - mustWrap: Autowrap is left on.
    ///   - capability: Looks a string capability up in it.
    init(
        name: String, hasExtendedTitles: Bool, mustWrap: Bool = false, capability: (String) -> String?
    ) {
        func text(_ name: String) -> String { capability(name).map(withoutPadding) ?? "" }
        let titled = [
            "xterm", "screen", "tmux", "rxvt", "alacritty", "foot", "kitty", "wezterm", "ghostty", "st-",
        ]
        showsTitles = hasExtendedTitles || titled.contains { name.hasPrefix($0) }
        let alternate = text("smcup")
        // xterm's own description keeps the title already.
        let keepsTitle = showsTitles && !alternate.contains("\u{1B}[22")
        enter = Array(
            ((keepsTitle ? "\u{1B}[22;2t" : "") + alternate + (mustWrap ? "" : "\u{1B}[?7l")
                + "\u{1B}[?2004h\u{1B}[?1004h").utf8)
        // A sequence of ours that was cut off ends at ESC \.
        var leave = "\u{1B}\\\u{1B}[?2026l\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l\u{1B}[?1004l\u{1B}[?2004l"
        leave += "\u{1B}7\u{1B}[r\u{1B}8\u{1B}[?7h" + text("sgr0") + text("cnorm")
        leave += alternate.isEmpty ? text("clear") : text("rmcup")
        leave += keepsTitle ? "\u{1B}[23;2t" : ""
        self.leave = Array(leave.utf8)
    }

    static func mouse(_ isOn: Bool) -> [UInt8] {
        Array(
            (isOn ? "\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h" : "\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l")
                .utf8)
    }

    /// Text that is clean holds no byte that could end the sequence.
    static func title(_ title: CleanText) -> [UInt8] {
        Array("\u{1B}]2;\(title.prefix(fitting: 100, ellipsis: true).string)\u{1B}\\".utf8)
    }

    /// Undoes a scroll region of another height after the size has changed; the cursor stays.
    static let wholeScrollRegion = Array("\u{1B}7\u{1B}[r\u{1B}8".utf8)
    static let beginSynchronised = Array("\u{1B}[?2026h".utf8)
    static let endSynchronised = Array("\u{1B}[?2026l".utf8)
}

/// terminfo marks pauses as `$<5>`; no terminal of today needs them, and none should see them.
private func withoutPadding(_ capability: String) -> String {
    var kept = ""
    var rest = capability[...]
    while let dollar = rest.firstIndex(of: "$") {
        let after = rest.index(after: dollar)
        guard after < rest.endIndex, rest[after] == "<", let end = rest[after...].firstIndex(of: ">") else {
            kept += rest[...dollar]
            rest = rest[after...]
            continue
        }
        kept += rest[..<dollar]
        rest = rest[rest.index(after: end)...]
    }
    return kept + rest
}
