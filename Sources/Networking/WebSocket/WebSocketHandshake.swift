import Digest
import FoundationEssentials

/// The opening handshake of RFC 6455 section 4, without any socket.
package enum WebSocketHandshake {
    /// Why a server does not upgrade, with the status to answer.
    package enum Refusal: Error, Equatable, Sendable {
        case notAnUpgrade
        case methodNotGET
        case badKey
        /// Answer with `Sec-WebSocket-Version: 13`.
        case unsupportedVersion

        package var status: Int {
            switch self {
            case .notAnUpgrade, .unsupportedVersion: 426
            case .methodNotGET: 405
            case .badKey: 400
            }
        }
    }

    /// Checks a request to upgrade (section 4.2.1).
    /// - Returns: The value for `Sec-WebSocket-Accept` of the 101, which also carries `Upgrade: websocket`
    ///   and `Connection: Upgrade`.
    package static func check(method: String, headers: HTTPHeaders) throws(Refusal) -> String {
        guard method == "GET" else { throw .methodNotGET }
        guard headers.hasToken("websocket", in: "Upgrade"), headers.hasToken("upgrade", in: "Connection")
        else {
            throw .notAnUpgrade
        }
        guard headers.values("Sec-WebSocket-Version") == ["13"] else { throw .unsupportedVersion }
        let keys = headers.values("Sec-WebSocket-Key")
        guard keys.count == 1, let key = keys.first, Data(base64Encoded: key)?.count == 16 else {
            throw .badKey
        }
        return accept(key: key)
    }

    /// What proves that a server has understood `key` (section 4.2.2).
    package static func accept(key: String) -> String {
        Data(Digest.sha1(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))).base64EncodedString()
    }

    /// A fresh key for a client's request: 16 random bytes in base64.
    static func makeKey() -> String {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        return Data(bytes).base64EncodedString()
    }

    /// A client's request (section 4.1), ready for the wire.
    static func request(target: String, authority: String, key: String, headers: HTTPHeaders) -> String {
        var lines = [
            "GET \(target) HTTP/1.1", "Host: \(authority)", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Key: \(key)", "Sec-WebSocket-Version: 13",
        ]
        lines += headers.fields.map { "\($0.name): \($0.value)" }
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }

    /// Whether a 101 is the answer to `key` (section 4.1), with no extension and only a protocol we offered.
    static func isAccepted(_ answer: HTTPHeaders, key: String, offered: HTTPHeaders) -> Bool {
        guard answer.hasToken("websocket", in: "Upgrade"), answer.hasToken("upgrade", in: "Connection") else {
            return false
        }
        guard answer.values("Sec-WebSocket-Accept") == [accept(key: key)] else { return false }
        guard answer["Sec-WebSocket-Extensions"] == nil else { return false }
        guard let chosen = answer["Sec-WebSocket-Protocol"] else { return true }
        return offered.hasToken(chosen, in: "Sec-WebSocket-Protocol")
    }
}
