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
}

extension JSONValue: WireReadable {
    /// Arrays and objects inside each other; deeper ones would cost stack.
    private static let deepest = 512

    /// The value of a node, with everything in it. Of members with one name the first counts. A number that no
    /// `Double` reaches is null where broken text is replaced.
    /// - Throws: `.notJSON` for more than 512 levels, and such a number where broken text is refused.
    package init(_ node: JSONNode) throws(WireError) { try self.init(node, levels: Self.deepest) }

    private init(_ node: JSONNode, levels: Int) throws(WireError) {
        switch node.token.kind {
        case .null: self = .null
        case .yes: self = .bool(true)
        case .no: self = .bool(false)
        case .number: self = try Self.number(node)
        case .plainString, .escapedString: self = .string(node.string ?? "")
        case .array:
            guard levels > 0 else { throw .notJSON }
            var values: [JSONValue] = []
            for child in node.children { values.append(try JSONValue(child, levels: levels - 1)) }
            self = .array(values)
        case .object:
            guard levels > 0 else { throw .notJSON }
            var members: [String: JSONValue] = [:]
            var key = node.index + 1
            while key < Int(node.token.next) {
                let value = JSONNode(document: node.document, index: key + 1)
                let name = JSONNode(document: node.document, index: key).string ?? ""
                if members[name] == nil { members[name] = try JSONValue(value, levels: levels - 1) }
                key = Int(value.token.next)
            }
            self = .object(members)
        }
    }

    private static func number(_ node: JSONNode) throws(WireError) -> JSONValue {
        if let integer = node.integer { return .integer(integer) }
        if let double = node.double, double.isFinite { return .number(double) }
        guard node.document.brokenText == .replaced else { throw .notJSON }
        return .null
    }
}

extension WireCoding {
    /// JSON of any shape.
    /// - Throws: `.notJSON`.
    package static func decode(
        _ type: JSONValue.Type = JSONValue.self, from bytes: [UInt8],
        brokenText: JSONDocument.BrokenText = .replaced
    ) throws(WireError) -> JSONValue {
        try JSONValue(JSONDocument(bytes, brokenText: brokenText).root)
    }

    /// As `decode(_:from:)` of bytes.
    package static func decode(_ type: JSONValue.Type = JSONValue.self, from data: Data) throws(WireError)
        -> JSONValue
    {
        try decode(from: Array(data))
    }

    /// As `decode(_:from:)` of bytes.
    package static func decode(_ type: JSONValue.Type = JSONValue.self, from text: String) throws(WireError)
        -> JSONValue
    {
        try decode(from: Array(text.utf8))
    }
}

extension JSONValue: Encodable {
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
