import FoundationEssentials
import Testing

@testable import Networking

struct WebSocketHandshakeTests {
    private let request: HTTPHeaders = [
        "Host": "example.org", "Upgrade": "websocket", "Connection": "keep-alive, Upgrade",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13",
    ]

    @Test func theExampleOfTheStandardIsAccepted() throws {
        #expect(
            try WebSocketHandshake.check(method: "GET", headers: request) == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    @Test(arguments: [
        ("Upgrade", "h2c", WebSocketHandshake.Refusal.notAnUpgrade), ("Connection", "close", .notAnUpgrade),
        ("Sec-WebSocket-Version", "8", .unsupportedVersion), ("Sec-WebSocket-Key", "c2hvcnQ=", .badKey),
        ("Sec-WebSocket-Key", "not base64 at all!!!!!!!", .badKey),
    ])
    func aFaultyRequestIsRefused(name: String, value: String, refusal: WebSocketHandshake.Refusal) {
        var headers = request
        headers[name] = value

        #expect(throws: refusal) { try WebSocketHandshake.check(method: "GET", headers: headers) }
    }

    @Test func anIncompleteOrDoubledRequestIsRefused() {
        for name in ["Upgrade", "Connection", "Sec-WebSocket-Key", "Sec-WebSocket-Version"] {
            var headers = request
            headers[name] = nil
            #expect(throws: WebSocketHandshake.Refusal.self) {
                try WebSocketHandshake.check(method: "GET", headers: headers)
            }
        }
        var doubled = request
        doubled.add("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")
        #expect(throws: WebSocketHandshake.Refusal.badKey) {
            try WebSocketHandshake.check(method: "GET", headers: doubled)
        }
        #expect(throws: WebSocketHandshake.Refusal.methodNotGET) {
            try WebSocketHandshake.check(method: "POST", headers: request)
        }
    }

    @Test func keysAreFreshAndOfTheRightLength() {
        let keys = Set((0..<100).map { _ in WebSocketHandshake.makeKey() })

        #expect(keys.count == 100)
        #expect(keys.allSatisfy { Data(base64Encoded: $0)?.count == 16 })
    }

    @Test func onlyAnOfferedProtocolMayBeChosen() {
        let key = "dGhlIHNhbXBsZSBub25jZQ=="
        var answer: HTTPHeaders = [
            "Upgrade": "WebSocket", "Connection": "upgrade",
            "Sec-WebSocket-Accept": "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
        ]
        #expect(WebSocketHandshake.isAccepted(answer, key: key, offered: [:]))
        answer["Sec-WebSocket-Protocol"] = "chat"
        #expect(!WebSocketHandshake.isAccepted(answer, key: key, offered: [:]))
        #expect(
            WebSocketHandshake.isAccepted(
                answer, key: key, offered: ["Sec-WebSocket-Protocol": "other, chat"]))
        answer["Sec-WebSocket-Protocol"] = nil
        answer["Sec-WebSocket-Extensions"] = "permessage-deflate"
        #expect(!WebSocketHandshake.isAccepted(answer, key: key, offered: [:]))
    }

    @Test(arguments: [
        ("5\r\nhello\r\n0\r\n\r\n", "hello"), ("2;ext=1\r\nhe\r\n3\r\nllo\r\n", "hello"),
        ("A\r\nhello", "hello"),
        ("x\r\nhello", ""), ("-5\r\nhello", ""), ("+5\r\nhello", ""),
        ("", ""), ("FFFFFFFFFFFFFFFF\r\nhello", ""),
    ])
    func aChunkedBodyIsReadAsFarAsItMakesSense(coded: String, body: String) {
        #expect(ChunkedBody.decode(Array(coded.utf8)) == Array(body.utf8))
    }
}
