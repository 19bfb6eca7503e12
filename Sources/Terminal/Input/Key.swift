/// A key as it was pressed, as far as a terminal tells.
///
/// Terminals send one code for some pairs, and so there is one key for each: Ctrl-i is Tab, Ctrl-m Enter,
/// Ctrl-h Backspace, Ctrl-[ Escape. Ctrl-j is kept apart from Enter.
package struct Key: Hashable, Sendable {
    package enum Code: Hashable, Sendable {
        /// A typed cluster. With Control it is lower case; the case of a letter holds its Shift.
        case character(Character)
        case enter, tab, escape, backspace, delete, insert
        case up, down, left, right, home, end, pageUp, pageDown
        /// F1 and up.
        case function(Int)
    }

    package struct Modifiers: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let shift = Modifiers(rawValue: 1)
        package static let alt = Modifiers(rawValue: 2)
        package static let control = Modifiers(rawValue: 4)
    }

    package var code: Code
    package var modifiers: Modifiers

    package init(_ code: Code, _ modifiers: Modifiers = []) {
        self.code = code
        self.modifiers = modifiers
    }

    package static func character(_ character: Character) -> Key { Key(.character(character)) }
    package static func control(_ letter: Character) -> Key { Key(.character(letter), .control) }
    package static func alt(_ character: Character) -> Key { Key(.character(character), .alt) }
    package static func function(_ number: Int) -> Key { Key(.function(number)) }

    package static let enter = Key(.enter)
    package static let tab = Key(.tab)
    package static let backtab = Key(.tab, .shift)
    package static let escape = Key(.escape)
    package static let backspace = Key(.backspace)
    package static let delete = Key(.delete)
    package static let insert = Key(.insert)
    package static let up = Key(.up)
    package static let down = Key(.down)
    package static let left = Key(.left)
    package static let right = Key(.right)
    package static let home = Key(.home)
    package static let end = Key(.end)
    package static let pageUp = Key(.pageUp)
    package static let pageDown = Key(.pageDown)

    /// The same key with Alt held too.
    package var withAlt: Key { Key(code, modifiers.union(.alt)) }

    /// What the key types into a text field; `nil` when it is no plain character.
    package var typed: Character? {
        if case .character(let character) = code, modifiers.isEmpty { character } else { nil }
    }
}
