import SQLite

/// SQL put together from constants, with its values beside it, in order.
struct SQLText: Sendable {
    private(set) var text = ""
    private(set) var values: [SQLValue] = []

    init(_ text: String = "", _ values: [SQLValue] = []) {
        self.text = text
        self.values = values
    }

    mutating func add(_ text: String, _ values: [SQLValue] = []) {
        self.text += text
        self.values += values
    }

    mutating func add(_ other: SQLText) { add(other.text, other.values) }

    /// The parts between `separator`s, each in parentheses.
    static func joined(_ parts: [SQLText], by separator: String) -> SQLText {
        var whole = SQLText()
        for (index, part) in parts.enumerated() {
            if index > 0 { whole.add(separator) }
            whole.add("(")
            whole.add(part)
            whole.add(")")
        }
        return whole
    }
}
