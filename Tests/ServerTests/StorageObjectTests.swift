import Networking
import SupabaseWire
import Testing

@testable import Server

@Suite struct StorageObjectTests {
    @Test func aListShowsOneLevelWithFoldersWithoutAnId() async throws {
        try await StorageRoom.run { room async throws in
            try await room.upload("b.png", [1, 2])
            try await room.upload("a.png", [1])
            func list(_ body: JSONValue, _ user: TestUser) async throws -> [JSONValue] {
                try await room.call("POST", "/object/list/attachments", json: body, token: user.token).json
                    .array ?? []
            }
            let files = try await list(["prefix": .string(room.folder)], room.bo)
            #expect(files.map { $0["name"]?.string } == ["a.png", "b.png"])
            #expect(files[1]["metadata"]?["size"] == 2)
            #expect(files[1]["metadata"]?["mimetype"] == "image/png")
            #expect(files[1]["id"]?.string != nil)
            #expect(try await list(["prefix": .string(room.folder + "/")], room.bo) == files)
            let folders = try await list(["prefix": .string(room.conversation)], room.bo)
            #expect(folders.count == 1)
            #expect(folders[0]["id"] == .null)
            #expect(folders[0]["name"]?.string == room.folder.split(separator: "/").last.map(String.init))
            #expect(try await list(["prefix": ""], room.bo).map { $0["name"]?.string } == [room.conversation])
            #expect(try await list(["prefix": .string(room.folder)], room.xi).isEmpty)
            #expect(try await list(["prefix": ""], room.xi).isEmpty)
            let last = try await list(
                [
                    "prefix": .string(room.folder), "limit": 1, "offset": 1,
                    "sortBy": ["column": "name", "order": "desc"],
                ], room.bo)
            #expect(last.map { $0["name"]?.string } == ["a.png"])
            let found = try await list(["prefix": .string(room.folder), "search": "B"], room.bo)
            #expect(found.map { $0["name"]?.string } == ["b.png"])
            #expect(try await list(["prefix": .string(room.folder), "search": "%"], room.bo).isEmpty)
        }
    }

    @Test func onlyTheUploaderRemoves() async throws {
        try await StorageRoom.run { room async throws in
            try await room.upload("a.png", [1])
            let path = JSONValue.string("\(room.folder)/a.png")
            func remove(_ user: TestUser) async throws -> JSONValue {
                try await room.call(
                    "DELETE", "/object/attachments", json: ["prefixes": [path, "no/such"]], token: user.token
                ).json
            }
            #expect(try await remove(room.bo) == [])
            #expect(try await remove(room.xi) == [])
            let removed = try await remove(room.ada).array ?? []
            #expect(removed.map { $0["name"] } == [path])
            #expect(try await room.download("a.png").fault == "404")
            try await room.upload("b.png", [1])
            let one = "/object/attachments/\(room.folder)/b.png"
            #expect(try await room.call("DELETE", one, token: room.bo.token).fault == "404")
            let answer = try await room.call("DELETE", one, token: room.ada.token)
            #expect(try answer.json == ["message": "Successfully deleted"])
        }
    }

    /// Their paths would be those of objects in other buckets.
    @Test(arguments: ["a%2Fb/c", "%2E%2E/c", "./c", "%00/c", "/c"]) func aBucketIsOnePlainWord(_ path: String)
    {
        #expect(throws: StorageFault.self) { try ObjectPath(encoded: path[...]) }
    }

    @Test func whoLeftSeesAndChangesNothingAnyMore() async throws {
        try await StorageRoom.run { room async throws in
            let group = try await room.ada.open(with: [room.bo], title: "Crew")
            let path = "/object/attachments/\(group)/\(UUIDText.random())/x"
            #expect(try await room.call("POST", path, [1], token: room.bo.token).status == 200)
            _ = try await room.bo.rpc("leave_conversation", ["p_conversation_id": .string(group)])
            #expect(try await room.call("GET", path, token: room.bo.token).fault == "404")
            #expect(try await room.call("PUT", path, [2], token: room.bo.token).fault == "403")
            #expect(try await room.call("DELETE", path, token: room.bo.token).fault == "404")
            #expect(try await room.call("GET", path, token: room.ada.token).bytes == [1])
        }
    }

    @Test func objectsAreMovedAndCopiedByTheRulesOfBothPlaces() async throws {
        try await StorageRoom.run { room async throws in
            try await room.upload("a.png", [1, 2, 3])
            func call(_ what: String, _ from: String, _ to: String, _ user: TestUser) async throws
                -> StorageAnswer
            {
                try await room.call(
                    "POST", "/object/\(what)",
                    json: [
                        "bucketId": "attachments", "sourceKey": .string(from), "destinationKey": .string(to),
                    ],
                    token: user.token)
            }
            let (source, target) = ("\(room.folder)/a.png", "\(room.folder)/b.png")
            #expect(try await call("copy", source, target, room.xi).fault == "404")
            #expect(try await call("move", source, target, room.bo).fault == "403")
            let copied = try await call("copy", source, target, room.bo)
            #expect(try copied.json["Key"]?.string == "attachments/" + target)
            #expect(try await call("copy", source, target, room.bo).fault == "409")
            #expect(try await call("move", source, target, room.ada).fault == "409")
            #expect(try await call("move", source, "elsewhere/a", room.ada).fault == "403")
            #expect(try await call("move", source, "\(room.folder)/c.png", room.ada).status == 200)
            #expect(try await room.download("a.png").fault == "404")
            #expect(try await room.download("b.png").bytes == [1, 2, 3])
            #expect(try await room.download("c.png").bytes == [1, 2, 3])
        }
    }

    @Test func theServiceRoleMakesBucketsAndNobodyElse() async throws {
        try await StorageRoom.run { room async throws in
            let service = await room.service
            let pictures: JSONValue = [
                "id": "pictures", "name": "pictures", "public": true, "file_size_limit": 10,
                "allowed_mime_types": ["image/*"],
            ]
            #expect(
                try await room.call("POST", "/bucket", json: pictures, token: room.ada.token).fault == "403")
            #expect(
                try await room.call("POST", "/bucket", json: pictures, token: service).json == [
                    "name": "pictures"
                ])
            #expect(try await room.call("POST", "/bucket", json: pictures, token: service).fault == "409")
            let known = try await room.call("GET", "/bucket/pictures", token: room.ada.token).json
            #expect(known["file_size_limit"] == 10)
            #expect(known["allowed_mime_types"] == ["image/*"])
            func put(_ type: String, _ body: [UInt8], _ token: String) async throws -> StorageAnswer {
                try await room.call(
                    "POST", "/object/pictures/x", body, token: token, headers: [("Content-Type", type)])
            }
            #expect(try await put("image/png", [1], room.ada.token).fault == "403")
            #expect(try await put("text/html", [1], service).fault == "415")
            #expect(try await put("image/png", [UInt8](repeating: 1, count: 11), service).fault == "413")
            #expect(try await put("IMAGE/png; x=1", [1], service).status == 200)
            #expect(try await room.call("GET", "/object/public/pictures/x", token: nil).bytes == [1])
            #expect(try await room.call("GET", "/object/pictures/x", token: room.ada.token).fault == "404")
            #expect(try await room.call("DELETE", "/bucket/pictures", token: service).fault == "409")
            #expect(try await room.call("POST", "/bucket/pictures/empty", token: service).status == 200)
            #expect(try await room.call("DELETE", "/bucket/pictures", token: service).status == 200)
            #expect(try await room.call("GET", "/bucket/pictures", token: service).fault == "404")
            let all = try await room.call("GET", "/bucket", token: room.ada.token).json.array ?? []
            #expect(all.map { $0["id"] } == ["attachments"])
            #expect(all.first?["file_size_limit"] == 52_428_800)
            #expect(all.first?["allowed_mime_types"] == .null)
        }
    }

    @Test func theServiceKeyIsNoKeyToTheOtherDoors() async throws {
        try await StorageRoom.run { room async throws in
            let service = await room.service
            let health = try await room.server.call("GET", "/health")
            #expect(!health.text.contains(service))
            let rows = try await room.server.call("GET", "/rest/v1/messages", token: service)
            #expect(rows.status == 401)
            let mine = try await room.call(
                "POST", "/object/list/attachments", Array("{}".utf8), token: service,
                headers: [("apikey", service)])
            #expect(mine.status == 200)
        }
    }

    @Test func anUnknownRouteIsTrulyMissing() async throws {
        try await StorageRoom.run { room async throws in
            let calls = [
                ("GET", "/nosuch"), ("POST", "/object/upload/sign/attachments/x"),
                ("PATCH", "/object/attachments/x"), ("GET", "/object"),
            ]
            for (method, path) in calls {
                let status = try await room.call(method, path, token: room.ada.token).status
                #expect(status == 404, "\(path)")
            }
        }
    }
}
