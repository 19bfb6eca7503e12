import FoundationEssentials

/// What is read from a place in a document. A member that nobody asks for is not looked at, so it may be of any
/// kind: it hides nothing.
package protocol WireReadable: Sendable {
    /// - Throws: `.missing` or `.mismatch` with the name of the member that does not fit.
    init(_ node: JSONNode) throws(WireError)
}

/// What is read from the members of an object.
package protocol WireObject: WireReadable {
    init(_ members: JSONMembers) throws(WireError)
}

extension WireObject {
    /// - Throws: `.mismatch` also when the place holds no object.
    package init(_ node: JSONNode) throws(WireError) {
        guard let members = node.members else { throw .mismatch(path: "") }
        try self.init(members)
    }
}

extension WireCoding {
    /// Reads a body of the wire, leniently within strings: what is no UTF-8, and half of a surrogate pair, becomes
    /// U+FFFD.
    /// - Throws: `.notJSON`, and what the type throws.
    package static func decode<Value: WireReadable>(_ type: Value.Type = Value.self, from data: Data)
        throws(WireError) -> Value
    {
        try Value(JSONDocument(Array(data)).root)
    }

    /// As `decode(_:from:)` of data.
    package static func decode<Value: WireReadable>(_ type: Value.Type = Value.self, from text: String)
        throws(WireError) -> Value
    {
        try Value(JSONDocument(text).root)
    }
}
