extension Key {
    /// The name people read and write: `Ctrl-n`, `Alt-Enter`, `PgUp`, `F1`, `Space`, `?`.
    package var name: String {
        var name = ""
        if modifiers.contains(.control) { name += "Ctrl-" }
        if modifiers.contains(.alt) { name += "Alt-" }
        if modifiers.contains(.shift) { name += "Shift-" }
        return name + code.name
    }

    /// Reads a name as `name` writes it; the words may be in any case and shortened (`C-n`, `M-x`, `PageUp`).
    ///
    /// Names of keys a terminal cannot tell apart give the one key there is: `Ctrl-i` is Tab.
    /// - Returns: `nil` when it names no key.
    package init?(_ name: String) {
        var rest = name[...]
        var modifiers: Modifiers = []
        while let dash = rest.dropFirst().firstIndex(of: "-"), rest.index(after: dash) < rest.endIndex {
            switch rest[..<dash].lowercased() {
            case "ctrl", "control", "c": modifiers.insert(.control)
            case "alt", "meta", "m", "a": modifiers.insert(.alt)
            case "shift", "s": modifiers.insert(.shift)
            default: return nil
            }
            rest = rest[rest.index(after: dash)...]
        }
        guard let code = Code(name: rest) else { return nil }
        self = Key(code, modifiers).canonical
    }

    /// Whether terminals send it as it is, without being asked for another protocol.
    package var isSent: Bool {
        switch code {
        case .character(let character) where modifiers.contains(.control):
            ("a"..."z").contains(character) || " \\]^_".contains(character)
        case .character: true
        case .enter, .backspace, .escape: modifiers.isDisjoint(with: [.control, .shift])
        case .tab: !modifiers.contains(.control)
        case .delete, .insert, .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .function: true
        }
    }

    /// The key the terminal really sends.
    var canonical: Key {
        guard case .character(let character) = code else { return self }
        guard modifiers.contains(.control) else {
            guard modifiers.contains(.shift), let upper = character.uppercased().first else { return self }
            return Key(.character(upper), modifiers.subtracting(.shift))
        }
        let rest = modifiers.subtracting([.control, .shift])
        switch character.lowercased() {
        case "i": return Key(.tab, rest)
        case "m": return Key(.enter, rest)
        case "h": return Key(.backspace, rest)
        case "[": return Key(.escape, rest)
        case "/": return Key(.character("_"), rest.union(.control))
        case "@": return Key(.character(" "), rest.union(.control))
        case let letter: return Key(.character(letter.first ?? character), rest.union(.control))
        }
    }
}

extension Key.Code {
    fileprivate var name: String {
        switch self {
        case .character(" "): "Space"
        case .character(let character): String(character)
        case .enter: "Enter"
        case .tab: "Tab"
        case .escape: "Esc"
        case .backspace: "Backspace"
        case .delete: "Delete"
        case .insert: "Insert"
        case .up: "Up"
        case .down: "Down"
        case .left: "Left"
        case .right: "Right"
        case .home: "Home"
        case .end: "End"
        case .pageUp: "PgUp"
        case .pageDown: "PgDn"
        case .function(let number): "F\(number)"
        }
    }

    fileprivate init?(name: Substring) {
        if name.count == 1, let character = name.first {
            self = .character(character)
            return
        }
        switch name.lowercased() {
        case "space": self = .character(" ")
        case "enter", "return", "ret", "cr": self = .enter
        case "tab": self = .tab
        case "esc", "escape": self = .escape
        case "backspace", "bs": self = .backspace
        case "delete", "del": self = .delete
        case "insert", "ins": self = .insert
        case "up": self = .up
        case "down": self = .down
        case "left": self = .left
        case "right": self = .right
        case "home": self = .home
        case "end": self = .end
        case "pgup", "pageup": self = .pageUp
        case "pgdn", "pgdown", "pagedown": self = .pageDown
        case let word:
            guard word.hasPrefix("f"), let number = Int(word.dropFirst()), (1...24).contains(number) else {
                return nil
            }
            self = .function(number)
        }
    }
}
