import SQLite
import SupabaseWire

/// Writes JSON as bytes, in the order it is told to: rows keep the order of their columns.
struct JSONText {
    private(set) var bytes: [UInt8] = []

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Adds text that is JSON already.
    mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

    mutating func raw(_ other: [UInt8]) { bytes.append(contentsOf: other) }

    /// Adds a string in quotes.
    mutating func string(_ text: String) {
        bytes.append(0x22)
        for byte in text.utf8 {
            switch byte {
            case 0x22: raw("\\\"")
            case 0x5C: raw("\\\\")
            case 0x0A: raw("\\n")
            case 0x0D: raw("\\r")
            case 0x09: raw("\\t")
            case 0..<0x20: raw("\\u00" + Self.hex(byte))
            default: bytes.append(byte)
            }
        }
        bytes.append(0x22)
    }

    mutating func value(_ value: JSONValue) {
        switch value {
        case .null: raw("null")
        case .bool(let value): raw(value ? "true" : "false")
        case .integer(let value): raw(String(value))
        case .number(let value): raw(value.isFinite ? "\(value)" : "null")
        case .string(let value): string(value)
        case .array(let values): list(values) { $0.value($1) }
        case .object(let members):
            object(members.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }) {
                $0.value($1)
            }
        }
    }

    /// Adds `[…]`, each element written by `write`.
    mutating func list<Element>(_ elements: [Element], _ write: (inout JSONText, Element) -> Void) {
        raw("[")
        for (index, element) in elements.enumerated() {
            if index > 0 { raw(",") }
            write(&self, element)
        }
        raw("]")
    }

    /// Adds `{…}` with the members in the order given.
    mutating func object<Value>(
        _ members: [(name: String, value: Value)], _ write: (inout JSONText, Value) -> Void
    ) {
        raw("{")
        for (index, member) in members.enumerated() {
            if index > 0 { raw(",") }
            string(member.name)
            raw(":")
            write(&self, member.value)
        }
        raw("}")
    }

    private static func hex(_ byte: UInt8) -> String {
        let text = String(byte, radix: 16)
        return text.utf8.count == 1 ? "0" + text : text
    }
}

extension JSONValue {
    /// The value as JSON text, keys sorted.
    var jsonText: String {
        var writer = JSONText()
        writer.value(self)
        return writer.text
    }
}
