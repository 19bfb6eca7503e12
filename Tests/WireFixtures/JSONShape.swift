import FoundationEssentials
import SupabaseWire

/// Compares two pieces of JSON by their keys and the types of their values, not by the values.
///
/// Null fits everything: a column that may be empty is null in one row and not in another. Texts are of a kind: an
/// id, a time in one of the wire's forms, a token, a path with a token, or any other.
package enum JSONShape {
    /// - Returns: What differs, each with its path; empty when the shapes are alike.
    package static func differences(
        _ actual: JSONValue, from expected: JSONValue, at path: String = "$"
    ) -> [String] {
        switch (actual, expected) {
        case (.null, _), (_, .null): return []
        case (.object(let actual), .object(let expected)): return members(actual, expected, path)
        case (.array(let actual), .array(let expected)): return elements(actual, expected, path)
        case (.string(let actual), .string(let expected)):
            let (one, other) = (kind(actual), kind(expected))
            return one == other ? [] : ["\(path) is \(one) and not \(other)"]
        case (.bool, .bool), (.integer, .integer), (.number, .number), (.integer, .number): return []
        default: return ["\(path) is of another type"]
        }
    }

    private static func members(
        _ actual: [String: JSONValue], _ expected: [String: JSONValue], _ path: String
    ) -> [String] {
        // Under ids, as in a presence: whose they are is no part of the shape.
        if let pattern = expected.first, expected.keys.allSatisfy({ kind($0) == "an id" }) {
            guard actual.keys.allSatisfy({ kind($0) == "an id" }) else { return ["\(path) is not by ids"] }
            return actual.values.flatMap { differences($0, from: pattern.value, at: path + ".*") }
        }
        let (has, wants) = (Set(actual.keys), Set(expected.keys))
        return wants.subtracting(has).sorted().map { "\(path).\($0) is missing" }
            + has.subtracting(wants).sorted().map { "\(path).\($0) is too much" }
            + has.intersection(wants).sorted().flatMap { key in
                differences(actual[key] ?? .null, from: expected[key] ?? .null, at: "\(path).\(key)")
            }
    }

    /// Every element must be like some element of the other list.
    private static func elements(_ actual: [JSONValue], _ expected: [JSONValue], _ path: String) -> [String] {
        guard !expected.isEmpty else { return actual.isEmpty ? [] : ["\(path) is not empty"] }
        guard !actual.isEmpty else { return ["\(path) is empty"] }
        return actual.enumerated().flatMap { index, element in
            expected.map { differences(element, from: $0, at: "\(path)[\(index)]") }.min {
                $0.count < $1.count
            }
                ?? []
        }
    }

    private static func kind(_ text: String) -> String {
        if UUID(uuidString: text) != nil { return text == text.lowercased() ? "an id" : "an id in capitals" }
        if let fraction = fraction(of: text, zone: "+00:00") {
            // As many digits as it needs, and no point without one.
            let isShort = fraction.isEmpty || (2...7).contains(fraction.utf8.count) && fraction.last != "0"
            return isShort ? "a time of a row" : "a time with a needless digit"
        }
        if let fraction = fraction(of: text, zone: "Z") {
            return "a time of \(fraction.utf8.count - 1) digits"
        }
        if text.hasPrefix("eyJ"), text.split(separator: ".").count == 3 { return "a token" }
        return text.contains("?token=eyJ") ? "a path with a token" : "a text"
    }

    /// What stands between the seconds of a date and its zone; `nil` for what is no date.
    private static func fraction(of text: String, zone: String) -> Substring? {
        let pattern = "0000-00-00T00:00:00"
        guard text.utf8.count >= pattern.utf8.count + zone.utf8.count, text.hasSuffix(zone) else {
            return nil
        }
        for (byte, wanted) in zip(text.utf8, pattern.utf8) {
            let isDigit = (0x30...0x39).contains(byte)
            guard wanted == UInt8(ascii: "0") ? isDigit : byte == wanted else { return nil }
        }
        return text.dropFirst(pattern.count).dropLast(zone.count)
    }
}
