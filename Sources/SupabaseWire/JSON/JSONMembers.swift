import FoundationEssentials
import Timestamps

/// An object's members, read one by one by whoever knows their names.
package struct JSONMembers: Sendable {
    let object: JSONNode

    /// The value under a key; the first of several. A null is a value.
    package subscript(key: String) -> JSONNode? {
        var key = key
        return key.withUTF8 { find($0) }
    }

    private func find(_ key: UnsafeBufferPointer<UInt8>) -> JSONNode? {
        let document = object.document
        return document.tokens.withUnsafeBufferPointer { tokens in
            document.bytes.withUnsafeBufferPointer { bytes in
                var index = object.index + 1
                let end = Int(tokens[object.index].next)
                while index < end {
                    if Self.isEqual(tokens[index], key, bytes) {
                        return JSONNode(document: document, index: index + 1)
                    }
                    index = Int(tokens[index + 1].next)
                }
                return nil
            }
        }
    }

    private static func isEqual(
        _ token: JSONDocument.Token, _ key: UnsafeBufferPointer<UInt8>, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        let name = UnsafeBufferPointer(
            rebasing: bytes[Int(token.bytes.lowerBound)..<Int(token.bytes.upperBound)])
        guard token.kind == .plainString else {
            return JSONEscapes.text(name).utf8.elementsEqual(key)
        }
        return name.count == key.count && name.elementsEqual(key)
    }

    /// - Throws: `.missing` when the key is not there, `.mismatch` when its value is of another kind or null.
    package func value<Value: JSONReadable>(_ key: some CodingKey) throws(WireError) -> Value {
        guard let node = self[key.stringValue] else { throw .missing(key: key.stringValue) }
        guard let value = Value(node) else { throw .mismatch(path: key.stringValue) }
        return value
    }

    /// - Returns: `nil` when the key is not there, or null.
    /// - Throws: `.mismatch` when its value is of another kind.
    package func optional<Value: JSONReadable>(_ key: some CodingKey) throws(WireError) -> Value? {
        guard let node = self[key.stringValue], !node.isNull else { return nil }
        guard let value = Value(node) else { throw .mismatch(path: key.stringValue) }
        return value
    }
}

/// What may stand under a key.
package protocol JSONReadable {
    /// `nil` when the value is of another kind.
    init?(_ node: JSONNode)
}

extension String: JSONReadable {
    package init?(_ node: JSONNode) {
        guard let string = node.string else { return nil }
        self = string
    }
}

extension Bool: JSONReadable {
    package init?(_ node: JSONNode) {
        guard let bool = node.bool else { return nil }
        self = bool
    }
}

extension Int64: JSONReadable {
    package init?(_ node: JSONNode) {
        guard let integer = node.integer else { return nil }
        self = integer
    }
}

extension Int: JSONReadable {
    package init?(_ node: JSONNode) {
        guard let integer = node.integer else { return nil }
        self.init(exactly: integer)
    }
}

extension Timestamp: JSONReadable {
    package init?(_ node: JSONNode) {
        guard let text = node.string else { return nil }
        self.init(text)
    }
}

extension UUID: JSONReadable {
    package init?(_ node: JSONNode) {
        let value =
            switch node.token.kind {
            case .plainString: node.withBytes { Self.value($0) }
            case .escapedString:
                (node.string ?? "").utf8.withContiguousStorageIfAvailable { Self.value($0) } ?? nil
            case .null, .yes, .no, .number, .array, .object: uuid_t?.none
            }
        guard let value else { return nil }
        self.init(uuid: value)
    }

    /// Reads `8-4-4-4-12` digits of either case: `UUID(uuidString:)` goes through `sscanf`.
    private static func value(_ bytes: UnsafeBufferPointer<UInt8>) -> uuid_t? {
        guard bytes.count == 36 else { return nil }
        var value: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        let isUUID = withUnsafeMutableBytes(of: &value) { room in
            var index = 0
            for place in 0..<16 {
                if [4, 6, 8, 10].contains(place) {
                    guard bytes[index] == UInt8(ascii: "-") else { return false }
                    index += 1
                }
                guard let high = HexDigit.value(bytes[index]), let low = HexDigit.value(bytes[index + 1])
                else { return false }
                room[place] = high << 4 | low
                index += 2
            }
            return true
        }
        return isUUID ? value : nil
    }
}
