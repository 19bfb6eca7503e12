import Addresses
import FoundationEssentials

/// The doors under a server's address.
extension ServerAddress {
    func auth(_ path: String) -> String { base + "/auth/v1" + path }
    func rest(_ path: String) -> String { base + "/rest/v1" + path }
    func storage(_ path: String) -> String { base + "/storage/v1" + path }
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
