/// Reads a query string's small languages from the front.
///
/// Scalar by scalar, as PostgREST does: a mark behind a comma makes another character of it to Swift, and is still one
/// comma and one mark to everyone else.
struct TextScanner {
    private(set) var rest: Substring.UnicodeScalarView

    init(_ text: some StringProtocol) { rest = Substring(text).unicodeScalars }

    var isAtEnd: Bool { rest.isEmpty }

    /// What has not been read.
    var text: String { String(Substring(rest)) }

    /// Whether `text` comes next.
    func isNext(_ text: String) -> Bool { rest.starts(with: text.unicodeScalars) }

    /// Takes `text` if it comes next.
    mutating func take(_ text: String) -> Bool {
        guard isNext(text) else { return false }
        rest = rest.dropFirst(text.unicodeScalars.count)
        return true
    }

    /// Takes everything up to a scalar of `ends` or the end.
    mutating func take(until ends: Set<Unicode.Scalar>) -> String {
        let taken = rest.prefix { !ends.contains($0) }
        rest = rest[taken.endIndex...]
        return String(Substring(taken))
    }

    mutating func takeAll() -> String {
        defer { rest = rest[rest.endIndex...] }
        return text
    }

    /// A value inside a group or list: in double quotes with `\"` and `\\`, or up to a comma or parenthesis.
    mutating func listValue() -> String? {
        guard rest.first == "\"" else { return take(until: [",", ")"]) }
        rest = rest.dropFirst()
        var value = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"": return String(value)
            case "\\":
                guard let escaped = rest.popFirst() else { return nil }
                value.append(escaped)
            default: value.append(scalar)
            }
        }
        return nil
    }

    /// A name: letters, digits and `_`, or anything in double quotes.
    mutating func name() -> String? {
        if rest.first == "\"" { return listValue() }
        let taken = rest.prefix { scalar in
            scalar == "_" || scalar == "$" || scalar.properties.isAlphabetic
                || scalar.properties.numericType != nil
        }
        rest = rest[taken.endIndex...]
        return taken.isEmpty ? nil : String(Substring(taken))
    }
}
