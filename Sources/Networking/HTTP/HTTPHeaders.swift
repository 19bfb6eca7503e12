/// Header fields in the order they stand on the wire. Names are compared without regard to case.
package struct HTTPHeaders: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    package struct Field: Sendable, Equatable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package private(set) var fields: [Field]

    package init(_ fields: [Field] = []) {
        self.fields = fields
    }

    /// Keeps the order of the literal, also repeated names.
    package init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field($0.0, $0.1) }
    }

    /// The first value under `name`. Setting replaces every field of that name; `nil` removes them.
    package subscript(name: String) -> String? {
        get { fields.first { Self.same($0.name, name) }?.value }
        set {
            fields.removeAll { Self.same($0.name, name) }
            if let newValue { fields.append(Field(name, newValue)) }
        }
    }

    /// Every value under `name`, in order.
    package func values(_ name: String) -> [String] {
        fields.filter { Self.same($0.name, name) }.map(\.value)
    }

    /// Adds a field beside those of the same name.
    package mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name, value))
    }

    /// Whether the comma-separated lists under `name` hold `token`, in any case (RFC 9110 section 5.6.1).
    package func hasToken(_ token: String, in name: String) -> Bool {
        values(name).contains { value in
            value.utf8.split(separator: UInt8(ascii: ",")).contains {
                Self.same(String(decoding: Self.trimmed($0), as: UTF8.self), token)
            }
        }
    }

    /// Whether every name is a token and no value holds a control character, so that nothing said in a value
    /// can start a header of its own.
    package var areWellFormed: Bool {
        fields.allSatisfy { field in
            HTTPSyntax.isToken(field.name)
                && field.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
        }
    }

    private static func same(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count
            && left.utf8.elementsEqual(right.utf8) { HTTPSyntax.lowercased($0) == HTTPSyntax.lowercased($1) }
    }

    private static func trimmed(_ bytes: Substring.UTF8View) -> Substring.UTF8View {
        HTTPSyntax.trimmed(bytes)
    }
}

/// The smallest rules of HTTP's grammar (RFC 9110 section 5.6).
enum HTTPSyntax {
    static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                case UInt8(ascii: "0")...UInt8(ascii: "9"): true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    /// Without spaces and tabs at either end.
    static func trimmed<Bytes: BidirectionalCollection<UInt8>>(_ bytes: Bytes) -> Bytes.SubSequence {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let start = bytes.firstIndex { !isBlank($0) } ?? bytes.endIndex
        guard let last = bytes[start...].lastIndex(where: { !isBlank($0) }) else {
            return bytes[start..<start]
        }
        return bytes[start...last]
    }
}
