import FoundationEssentials
import Models
import Timestamps

/// The query of a REST call, encoded so that nothing in a value can become syntax.
struct RestQuery: Sendable {
    private(set) var text = ""

    mutating func add(_ name: String, _ value: String) {
        text += text.isEmpty ? "?" : "&"
        text += PercentEncoding.encode(name) + "=" + PercentEncoding.encode(value)
    }

    func adding(_ name: String, _ value: String) -> RestQuery {
        var query = self
        query.add(name, value)
        return query
    }

    /// A value inside a group, where commas and parentheses are syntax.
    static func quoted(_ value: String) -> String {
        var text = "\""
        for character in value.unicodeScalars {
            if character == "\"" || character == "\\" { text.unicodeScalars.append("\\") }
            text.unicodeScalars.append(character)
        }
        return text + "\""
    }

    /// Rows past a place in an order, by the first column that differs:
    /// `(a.gt.1,and(a.eq.1,b.gt.2))` for columns `a`, `b`.
    static func past(_ place: [(column: String, value: String)], _ comparison: String) -> String {
        var parts: [String] = []
        for (index, last) in place.enumerated() {
            let equal = place[..<index].map { "\($0.column).eq.\($0.value)" }
            let part = "\(last.column).\(comparison).\(last.value)"
            parts.append(equal.isEmpty ? part : "and(\((equal + [part]).joined(separator: ",")))")
        }
        return "(" + parts.joined(separator: ",") + ")"
    }
}
