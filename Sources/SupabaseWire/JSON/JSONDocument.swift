/// The structure of one JSON text, found in a single pass over its bytes; values are read when asked for.
///
/// A frame of the change feed names every column of its table beside the row: what nobody asks for costs a few
/// compares here and no allocation. The grammar is that of RFC 8259, to the letter.
package final class JSONDocument: Sendable {
    /// One value of the text. Those inside an array or an object follow it, up to `next`.
    struct Token: Sendable {
        enum Kind: Sendable {
            case null, yes, no, number, plainString, escapedString, array, object
        }

        let kind: Kind
        /// Where the value stands; of a string, what is between the quotes.
        let bytes: Range<Int32>
        /// The first token behind this value.
        var next: Int32
    }

    /// What is done with text that is not Unicode: bytes that are no UTF-8, half of a surrogate pair.
    package enum BrokenText: Sendable {
        /// U+FFFD stands for it, so that the rest can be read.
        case replaced
        /// The whole document is none.
        case refused
    }

    let bytes: [UInt8]
    let tokens: [Token]
    let brokenText: BrokenText

    package convenience init(_ text: String) throws(WireError) {
        try self.init(Array(text.utf8), brokenText: .replaced)
    }

    /// Levels are not limited: reading them here costs no stack.
    /// - Throws: `.notJSON`, also for 2 GiB or more.
    package init(_ bytes: [UInt8], brokenText: BrokenText = .replaced) throws(WireError) {
        guard bytes.count < Int32.max else { throw .notJSON }
        if brokenText == .refused {
            guard String(validating: bytes, as: UTF8.self) != nil else { throw .notJSON }
        }
        var scanner = JSONScanner(bytes.count, refusesHalfPairs: brokenText == .refused)
        let isJSON = bytes.withUnsafeBufferPointer { scanner.scan($0) }
        guard isJSON else { throw .notJSON }
        self.bytes = bytes
        self.brokenText = brokenText
        tokens = scanner.tokens
    }

    /// The whole value.
    package var root: JSONNode { JSONNode(document: self, index: 0) }
}

/// A value in a document.
package struct JSONNode: Sendable {
    let document: JSONDocument
    let index: Int

    var token: JSONDocument.Token { document.tokens[index] }

    package var isNull: Bool { token.kind == .null }

    package var bool: Bool? {
        switch token.kind {
        case .yes: true
        case .no: false
        case .null, .number, .plainString, .escapedString, .array, .object: nil
        }
    }

    /// A whole number that fits; `nil` for any other value. One that is written with a fraction or an exponent must
    /// be so small that a `Double` has all its digits.
    package var integer: Int64? {
        guard token.kind == .number else { return nil }
        if let integer = withBytes({ Int64(digits: $0) }) { return integer }
        guard let double, abs(double) < 9_007_199_254_740_992 else { return nil }
        return Int64(exactly: double)
    }

    /// Infinite for a number that no `Double` reaches.
    package var double: Double? {
        guard token.kind == .number else { return nil }
        return withBytes { Double(String(decoding: $0, as: UTF8.self)) }
    }

    /// Half of a surrogate pair without the other half becomes U+FFFD.
    package var string: String? {
        switch token.kind {
        case .plainString: withBytes { String(decoding: $0, as: UTF8.self) }
        case .escapedString: withBytes { JSONEscapes.text($0) }
        case .null, .yes, .no, .number, .array, .object: nil
        }
    }

    /// The elements of an array; `nil` when it is none.
    package var elements: [JSONNode]? { token.kind == .array ? children : nil }

    /// The members of an object; `nil` when it is none.
    package var members: JSONMembers? { token.kind == .object ? JSONMembers(object: self) : nil }

    /// The value under a key of an object; the first of several.
    package subscript(key: String) -> JSONNode? { members?[key] }

    var children: [JSONNode] {
        var children: [JSONNode] = []
        var child = index + 1
        while child < Int(token.next) {
            children.append(JSONNode(document: document, index: child))
            child = Int(document.tokens[child].next)
        }
        return children
    }

    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let token = token
        return document.bytes.withUnsafeBufferPointer {
            body(UnsafeBufferPointer(rebasing: $0[Int(token.bytes.lowerBound)..<Int(token.bytes.upperBound)]))
        }
    }
}

extension Int64 {
    /// Digits with a sign; `nil` for anything else, also for more than fits.
    fileprivate init?(digits: UnsafeBufferPointer<UInt8>) {
        let isNegative = digits.first == UInt8(ascii: "-")
        var value: Int64 = 0
        for byte in digits.dropFirst(isNegative ? 1 : 0) {
            guard byte >= 0x30, byte <= 0x39 else { return nil }
            // Downwards, for the least number has no positive.
            let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
            let (next, more) = tens.subtractingReportingOverflow(Int64(byte - 0x30))
            guard !overflow, !more else { return nil }
            value = next
        }
        guard !isNegative else {
            self = value
            return
        }
        guard value != .min else { return nil }
        self = -value
    }
}
