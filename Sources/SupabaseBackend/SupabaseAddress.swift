import FoundationEssentials

/// A server's base address in one spelling, and the doors under it.
package struct SupabaseAddress: Hashable, Sendable {
    /// `scheme://host[:port][/path]`: scheme and host in lower case, no default port, no slash at the end.
    package let base: String
    /// Whether the host is this machine.
    package let isLoopback: Bool

    /// Reads what a person typed: spaces around it and slashes at the end are dropped, and a missing scheme
    /// is https, or http for this machine.
    /// - Returns: `nil` for another scheme, no host, a name or password, a query or a fragment.
    package init?(_ typed: String) {
        let text = typed.filter { !$0.isWhitespace }
        guard text.count == typed.split(whereSeparator: \.isWhitespace).first?.count else { return nil }
        let hasScheme = text.contains("://")
        guard let parts = URLComponents(string: hasScheme ? text : "https://" + text),
            let host = parts.host?.lowercased(), !host.isEmpty,
            parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil
        else { return nil }
        isLoopback = Self.isLoopback(host)
        let scheme = hasScheme ? parts.scheme?.lowercased() ?? "" : isLoopback ? "http" : "https"
        guard let defaultPort = ["http": 80, "https": 443][scheme] else { return nil }
        guard parts.port.map({ (1...65_535).contains($0) }) ?? true else { return nil }
        let port = parts.port.flatMap { $0 == defaultPort ? nil : ":\($0)" } ?? ""
        var path = Substring(parts.percentEncodedPath)
        while path.last == "/" { path = path.dropLast() }
        base = "\(scheme)://\(host)\(port)\(path)"
    }

    /// Whether what travels can be read on the way.
    package var isPlain: Bool { base.hasPrefix("http:") }

    func auth(_ path: String) -> String { base + "/auth/v1" + path }
    func rest(_ path: String) -> String { base + "/rest/v1" + path }
    var health: String { base + "/health" }

    /// The Realtime door, speaking version 1 of the protocol.
    func realtime(key: String) -> String {
        "ws\(base.dropFirst(4))/realtime/v1/websocket?apikey=\(PercentEncoding.encode(key))&vsn=1.0.0"
    }

    /// Where an attachment is read with the session's token.
    func attachment(_ path: String) -> URL? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let encoded = parts.map { PercentEncoding.encode(String($0)) }.joined(separator: "/")
        return URL(string: base + "/storage/v1/object/authenticated/attachments/" + encoded)
    }

    private static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host == "[::1]" || host == "::1" || host.hasSuffix(".localhost")
            || host.split(separator: ".").count == 4 && host.hasPrefix("127.")
    }
}

/// Percent-encoding for query parts and path segments (RFC 3986 section 2).
enum PercentEncoding {
    /// Leaves only unreserved characters: a bare `+` would be read as a space, `&` as the next parameter.
    static func encode(_ text: String) -> String {
        let hex: [UInt8] = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isUnreserved(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 0x0F)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: false
        }
    }
}
