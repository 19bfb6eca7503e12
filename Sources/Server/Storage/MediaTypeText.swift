/// Media types as senders write them (RFC 9110 section 8.3.1).
enum MediaTypeText {
    /// For bytes of which nothing is known.
    static let unknown = "application/octet-stream"
    private static let longest = 255

    /// Type and subtype in lower case, without parameters.
    static func essence(_ type: String) -> String {
        (type.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false).first ?? "")
            .trimmingSpaces().lowercased()
    }

    /// The type as it may be kept and sent back: `unknown` for what is no type.
    static func kept(_ type: String?) -> String {
        guard let type, type.utf8.count <= longest, type.utf8.allSatisfy({ (0x20..<0x7F).contains($0) })
        else { return unknown }
        let halves = essence(type).split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2, halves.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isToken) }) else {
            return unknown
        }
        return type
    }

    /// Whether a browser that is shown such a body would run what is in it.
    static func isActive(_ type: String) -> Bool {
        // Of a list browsers take the last type they know.
        if type.utf8.contains(UInt8(ascii: ",")) { return true }
        let essence = essence(type)
        return active.contains(essence) || essence.hasSuffix("+xml") || essence.contains("script")
    }

    private static let active: Set<String> = [
        "text/html", "text/xml", "application/xml", "text/xsl", "application/xslt", "text/x-component",
        "text/cache-manifest", "multipart/x-mixed-replace", "multipart/related", "message/rfc822",
        "application/x-shockwave-flash", "text/vbs",
    ]

    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$&^_.+-".utf8.contains(byte)
        }
    }
}
