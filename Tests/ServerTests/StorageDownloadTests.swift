import Networking
import SupabaseWire
import Testing

@testable import Server

@Suite struct StorageDownloadTests {
    private let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    @Test func onlyMembersSeeThatAnObjectIsThere() async throws {
        try await StorageRoom.run { room async throws in
            try await room.upload("a.bin", bytes)
            #expect(try await room.download("a.bin").bytes == bytes)
            let hidden = try await room.download("a.bin", by: room.xi)
            #expect(hidden.status == 400)
            #expect(hidden.fault == "404")
            #expect(try hidden.json["code"] == "NoSuchKey")
            let missing = try await room.download("b.bin")
            #expect(try missing.json == hidden.json)
            let path = "attachments/\(room.folder)/a.bin"
            #expect(
                try await room.call("GET", "/object/authenticated/\(path)", token: room.bo.token).bytes
                    == bytes)
            #expect(try await room.call("GET", "/object/public/\(path)", token: nil).fault == "404")
            let anonymous = try await room.call(
                "GET", "/object/\(path)", token: room.server.address.publishableKey)
            #expect(anonymous.fault == "404")
        }
    }

    @Test func headersTellTypeLengthTagAndAge() async throws {
        try await StorageRoom.run({ $0.now = { 1_772_600_766_123_456 } }) { room async throws in
            try await room.upload("a.png", bytes, headers: [("cache-control", "max-age=3600")])
            let answer = try await room.download("a.png")
            #expect(answer.headers["Content-Type"] == "image/png")
            #expect(answer.headers["Content-Length"] == "200000")
            #expect(answer.headers["Last-Modified"] == "Wed, 04 Mar 2026 05:06:06 GMT")
            #expect(answer.headers["Cache-Control"] == "max-age=3600")
            #expect(answer.headers["Accept-Ranges"] == "bytes")
            let tag = try #require(answer.headers["ETag"])
            #expect(tag.hasPrefix("\"") && tag.hasSuffix("\""))
            #expect(
                try await room.download("a.png", headers: [("If-None-Match", "\"x\", \(tag)")]).status == 304)
            let changed = try await room.download("a.png", headers: [("If-None-Match", "\"x\"")])
            #expect(changed.status == 200)
            let head = try await room.call(
                "HEAD", "/object/attachments/\(room.folder)/a.png", token: room.bo.token)
            #expect(head.status == 200)
            #expect(head.bytes.isEmpty)
            #expect(head.headers["Content-Length"] == "200000")
        }
    }

    @Test func aRangeIsAPartAndOneBehindTheEndIsRefused() async throws {
        try await StorageRoom.run { room async throws in
            try await room.upload("a.bin", bytes)
            func part(_ range: String, _ more: [(String, String)] = []) async throws -> StorageAnswer {
                try await room.download("a.bin", headers: [("Range", range)] + more)
            }
            let first = try await part("bytes=0-9")
            #expect(first.status == 206)
            #expect(first.bytes == Array(bytes[0..<10]))
            #expect(first.headers["Content-Range"] == "bytes 0-9/200000")
            #expect(try await part("bytes=199990-").bytes == Array(bytes[199_990...]))
            #expect(try await part("bytes=-5").bytes == Array(bytes[199_995...]))
            #expect(try await part("bytes=5-999999999").bytes == Array(bytes[5...]))
            #expect(try await part("bytes=0-1,4-5").status == 200)
            #expect(try await part("bytes=9-1").status == 200)
            #expect(try await part("lines=0-1").status == 200)
            #expect(try await part("bytes=0-9", [("If-Range", "\"another\"")]).status == 200)
            let behind = try await part("bytes=200000-")
            #expect(behind.fault == "416")
            #expect(behind.headers["Content-Range"] == "bytes */200000")
        }
    }

    @Test func whatABrowserWouldRunIsSentAsText() async throws {
        try await StorageRoom.run { room async throws in
            let types = [
                "text/html", "Text/HTML; charset=utf-8", "image/svg+xml", "application/xhtml+xml", "text/xml",
                "application/javascript", "text/plain; a=b,text/html",
            ]
            for (number, type) in types.enumerated() {
                try await room.upload("f\(number)", Array("<script>".utf8), type: type)
                let answer = try await room.download("f\(number)")
                #expect(answer.headers["Content-Type"] == "text/plain", "\(type)")
                #expect(answer.headers["Content-Disposition"] == "attachment", "\(type)")
                let info = try await room.call(
                    "GET", "/object/info/attachments/\(room.folder)/f\(number)", token: room.bo.token)
                #expect(try info.json["content_type"]?.string == type)
            }
            try await room.upload("z", [1], type: "application/zip")
            #expect(try await room.download("z").headers["Content-Disposition"] == nil)
            try await room.upload("n", [1], type: "nonsense")
            #expect(try await room.download("n").headers["Content-Type"] == "application/octet-stream")
        }
    }

    @Test func aDownloadNamesTheFileWithoutLettingItBreakTheHeader() async throws {
        try await StorageRoom.run { room async throws in
            try await room.upload("cat.png", [1])
            func disposition(_ query: String) async throws -> String? {
                try await room.download("cat.png?download\(query)").headers["Content-Disposition"]
            }
            #expect(try await disposition("") == "attachment; filename=\"cat.png\"")
            #expect(try await disposition("=x.png") == "attachment; filename=\"x.png\"")
            #expect(try await disposition("=a%22%0D%0Ab") == "attachment; filename=\"a_b\"")
            #expect(
                try await disposition("=%C3%A9.png")
                    == "attachment; filename=\"_.png\"; filename*=UTF-8''%C3%A9.png")
        }
    }

    @Test func aSignedURLOpensOneObjectForAWhileWithoutAKey() async throws {
        let time = TestClock()
        try await StorageRoom.run({ $0.now = time.read }) { room async throws in
            try await room.upload("a%20b.png", bytes)
            try await room.upload("b.png", [1])
            let path = "\(room.folder)/a%20b.png"
            let signed = try await room.call(
                "POST", "/object/sign/attachments/\(path)", json: ["expiresIn": "60"], token: room.bo.token)
            let url = try #require(try signed.json["signedURL"]?.string)
            #expect(url.hasPrefix("/object/sign/attachments/\(path)?token="))
            let answer = try await room.call("GET", url, token: nil)
            #expect(answer.bytes == bytes)
            #expect(answer.headers["Content-Type"] == "image/png")
            #expect(answer.headers["Expires"] == "Mon, 21 Sep 2026 14:14:20 GMT")
            let saved = try await room.call("GET", url + "&download=x.png", token: nil)
            #expect(saved.headers["Content-Disposition"] == "attachment; filename=\"x.png\"")
            let altered = try await room.call("GET", url + "x", token: nil)
            #expect(altered.status == 400)
            #expect(try altered.json["code"] == "InvalidJWT")
            let token = url.split(separator: "?").last ?? ""
            let other = try await room.call(
                "GET", "/object/sign/attachments/\(room.folder)/b.png?\(token)", token: nil)
            #expect(try other.json["code"] == "InvalidSignature")
            // Signing in is another matter: neither kind of token stands for the other.
            let access = try await room.call(
                "GET", "/object/sign/attachments/\(path)?token=\(room.ada.token)", token: nil)
            #expect(try access.json["code"] == "InvalidSignature")
            let bearer = try await room.download(
                "b.png", headers: [("Authorization", "Bearer \(token.dropFirst(6))")])
            #expect(bearer.fault == "403")
            time.advance(seconds: 60)
            #expect(try await room.call("GET", url, token: nil).json["code"] == "InvalidJWT")
        }
    }

    @Test func manyURLsAreSignedAtOnceAndTheMissingSaySo() async throws {
        try await StorageRoom.run { room async throws in
            try await room.upload("a.png", bytes)
            func sign(_ user: TestUser) async throws -> JSONValue {
                try await room.call(
                    "POST", "/object/sign/attachments",
                    json: ["expiresIn": 60, "paths": [.string("\(room.folder)/a.png"), "no/such"]],
                    token: user.token
                ).json
            }
            let answer = try await sign(room.bo).array ?? []
            #expect(answer.first?["error"] == .null)
            let url = try #require(answer.first?["signedURL"]?.string)
            #expect(try await room.call("GET", url, token: nil).bytes == bytes)
            #expect(answer.last?["signedURL"] == .null)
            #expect(answer.last?["error"]?.string?.hasPrefix("Either the object does not exist") == true)
            #expect(try await sign(room.xi).array?.first?["signedURL"] == .null)
        }
    }
}
