import FoundationEssentials

/// Reads and writes the JSON of the wire, with the failures in one type.
package enum WireCoding {
    /// - Throws: `WireError` with the path of the first key that does not fit.
    package static func decode<Value: Decodable>(_ type: Value.Type = Value.self, from data: Data)
        throws(WireError) -> Value
    {
        do {
            return try JSONDecoder().decode(Value.self, from: data)
        } catch { throw WireError(error) }
    }

    package static func decode<Value: Decodable>(_ type: Value.Type = Value.self, from text: String)
        throws(WireError) -> Value
    {
        try decode(from: Data(text.utf8))
    }

    /// Bytes without spaces; slashes are left as they are.
    package static func encode(_ value: some Encodable) throws(WireError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        do {
            return try encoder.encode(value)
        } catch { throw WireError(error) }
    }

    package static func text(_ value: some Encodable) throws(WireError) -> String {
        String(decoding: try encode(value), as: UTF8.self)
    }
}

/// JSON that is not of the shape the contract gives. Holds the place, never the value: values may be private.
package enum WireError: Error, Equatable, Sendable {
    /// A key the row must have is not there: "unchanged" in a change event, a fault elsewhere.
    case missing(key: String)
    /// The value at this path is of another kind.
    case mismatch(path: String)
    /// Not JSON at all.
    case notJSON

    init(_ error: any Error) {
        guard let error = error as? DecodingError else {
            self = (error as? WireError) ?? .notJSON
            return
        }
        switch error {
        case .keyNotFound(let key, _): self = .missing(key: key.stringValue)
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            self = .mismatch(path: Self.path(context.codingPath))
        case .dataCorrupted(let context):
            self = context.codingPath.isEmpty ? .notJSON : .mismatch(path: Self.path(context.codingPath))
        @unknown default: self = .notJSON
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }
}
