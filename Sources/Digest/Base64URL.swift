import FoundationEssentials

/// Base64 with the URL-safe alphabet and no padding (RFC 4648 section 5), as JSON Web Tokens use it.
package enum Base64URL {
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let standard = Data(bytes).base64EncodedString()
        var text: [UInt8] = []
        text.reserveCapacity(standard.utf8.count)
        for character in standard.utf8 {
            switch character {
            case UInt8(ascii: "+"): text.append(UInt8(ascii: "-"))
            case UInt8(ascii: "/"): text.append(UInt8(ascii: "_"))
            case UInt8(ascii: "="): break
            default: text.append(character)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// - Returns: `nil` for a character outside the URL-safe alphabet (padding is one) or an impossible
    ///   length.
    package static func decode(_ text: String) -> [UInt8]? {
        var standard: [UInt8] = []
        for character in text.utf8 {
            switch character {
            case UInt8(ascii: "-"): standard.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): standard.append(UInt8(ascii: "/"))
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
            default: standard.append(character)
            }
        }
        guard standard.count % 4 != 1 else { return nil }
        while !standard.count.isMultiple(of: 4) { standard.append(UInt8(ascii: "=")) }
        return Data(base64Encoded: Data(standard)).map { Array($0) }
    }
}
