/// Reads a query string's small languages from the front.
struct TextScanner {
    private(set) var rest: Substring

    init(_ text: some StringProtocol) { rest = Substring(text) }

    var isAtEnd: Bool { rest.isEmpty }

    /// Takes `text` if it comes next.
    mutating func take(_ text: String) -> Bool {
        guard rest.hasPrefix(text) else { return false }
        rest = rest.dropFirst(text.count)
        return true
    }

    /// Takes everything up to a character of `ends` or the end.
    mutating func take(until ends: Set<Character>) -> String {
        let taken = rest.prefix { !ends.contains($0) }
        rest = rest[taken.endIndex...]
        return String(taken)
    }

    mutating func takeAll() -> String {
        defer { rest = "" }
        return String(rest)
    }

    /// A value inside a group or list: in double quotes with `\"` and `\\`, or up to a comma or parenthesis.
    mutating func listValue() -> String? {
        guard rest.first == "\"" else { return take(until: [",", ")"]) }
        rest = rest.dropFirst()
        var value = ""
        while let character = rest.popFirst() {
            switch character {
            case "\"": return value
            case "\\":
                guard let escaped = rest.popFirst() else { return nil }
                value.append(escaped)
            default: value.append(character)
            }
        }
        return nil
    }

    /// A name: letters, digits and `_`, or anything in double quotes.
    mutating func name() -> String? {
        if rest.first == "\"" { return listValue() }
        let taken = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
        rest = rest[taken.endIndex...]
        return taken.isEmpty ? nil : String(taken)
    }
}
