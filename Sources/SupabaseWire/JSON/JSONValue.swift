import FoundationEssentials

/// JSON of any shape. Integers that fit keep every digit as `Int64`; other numbers are `Double`.
package enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// The value under a key; `nil` when this is no object or the key is absent. A null is `.null`.
    package subscript(key: String) -> JSONValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    package var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    package var integer: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    package var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    package var array: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    package var object: [String: JSONValue]? {
        if case .object(let value) = self { value } else { nil }
    }

    package var isNull: Bool { self == .null }

    /// The value of a node, with everything in it. Of members with one name the first counts.
    package init(_ node: JSONNode) {
        switch node.token.kind {
        case .null: self = .null
        case .yes: self = .bool(true)
        case .no: self = .bool(false)
        case .number: self = node.integer.map { .integer($0) } ?? .number(node.double ?? .nan)
        case .plainString, .escapedString: self = .string(node.string ?? "")
        case .array: self = .array(node.children.map { JSONValue($0) })
        case .object:
            var members: [String: JSONValue] = [:]
            var key = node.index + 1
            while key < Int(node.token.next) {
                let value = JSONNode(document: node.document, index: key + 1)
                let name = JSONNode(document: node.document, index: key).string ?? ""
                if members[name] == nil { members[name] = JSONValue(value) }
                key = Int(value.token.next)
            }
            self = .object(members)
        }
    }
}

extension JSONValue: Codable {
    package init(from decoder: any Decoder) throws {
        if let keyed = try? decoder.container(keyedBy: AnyKey.self) {  // failing means: not an object
            var members: [String: JSONValue] = [:]
            for key in keyed.allKeys {
                members[key.stringValue] = try keyed.decode(JSONValue.self, forKey: key)
            }
            self = .object(members)
        } else if var items = try? decoder.unkeyedContainer() {  // failing means: not an array
            var values: [JSONValue] = []
            while !items.isAtEnd { values.append(try items.decode(JSONValue.self)) }
            self = .array(values)
        } else {
            self = try JSONValue(scalar: decoder.singleValueContainer())
        }
    }

    /// Each failed read below only says that the scalar is of another kind.
    private init(scalar container: any SingleValueDecodingContainer) throws {
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(String.self) {  // another kind
            self = .string(value)
        } else if let value = try? container.decode(Int64.self) {  // another kind, or more than 64 bits
            self = .integer(value)
        } else if let value = try? container.decode(Bool.self) {  // another kind
            self = .bool(value)
        } else {
            self = .number(try container.decode(Double.self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

/// A key of any name.
package struct AnyKey: CodingKey {
    package let stringValue: String
    package var intValue: Int? { nil }
    package init(stringValue: String) { self.stringValue = stringValue }
    package init?(intValue: Int) { nil }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(nilLiteral: ()) { self = .null }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
    }
}
