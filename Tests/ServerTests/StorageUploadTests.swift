import Networking
import SupabaseWire
import Testing

@testable import Server

@Suite struct StorageUploadTests {
    private let bytes = Array("not really a cat".utf8)

    @Test func anUploadIsAnsweredWithItsKeyAndReadByTheOthers() async throws {
        try await StorageRoom.run { room async throws in
            let answer = try await room.upload("cat.png", bytes)
            #expect(answer.status == 200)
            #expect(try answer.json["Key"]?.string == "attachments/\(room.folder)/cat.png")
            #expect(try answer.json["Id"]?.string.flatMap(UUIDText.canonical) != nil)
            #expect(try await room.download("cat.png").bytes == bytes)
        }
    }

    @Test func aSecondUploadIsADuplicateUnlessItMayReplace() async throws {
        try await StorageRoom.run { room async throws in
            let first = try await room.upload("cat.png", bytes)
            let again = try await room.upload("cat.png", [1])
            #expect(again.status == 400)
            #expect(again.fault == "409")
            #expect(try again.json["error"] == "Duplicate")
            #expect(try await room.download("cat.png").bytes == bytes)
            let replaced = try await room.upload("cat.png", [2], headers: [("x-upsert", "true")])
            #expect(try replaced.json["Id"] == first.json["Id"])
            #expect(try await room.download("cat.png").bytes == [2])
            #expect(try await room.upload("cat.png", [3], method: "PUT").status == 200)
            #expect(try await room.download("cat.png").bytes == [3])
            // Another member may not, though they may make objects of their own.
            #expect(try await room.upload("cat.png", [4], by: room.bo, method: "PUT").fault == "403")
            #expect(try await room.upload("dog.png", [4], by: room.bo).status == 200)
        }
    }

    @Test func aFormIsReadWithItsFieldsBeforeAndAfterTheFile() async throws {
        try await StorageRoom.run { room async throws in
            for (name, part) in [("a.png", "file"), ("b.png", "")] {
                let body =
                    "--frontier\r\nContent-Disposition: form-data; name=\"cacheControl\"\r\n\r\n77\r\n"
                    + "--frontier\r\nContent-Disposition: form-data; name=\"\(part)\"; filename=\"x.png\"\r\n"
                    + "Content-Type: image/png\r\n\r\n\r\n--front is no frontier\r\n\r\n"
                    + "--frontier\r\nContent-Disposition: form-data; name=\"metadata\"\r\n\r\n{\"a\":1}\r\n"
                    + "--frontier--\r\n"
                let answer = try await room.upload(
                    name, Array(body.utf8), type: "multipart/form-data; boundary=frontier")
                #expect(answer.status == 200)
                let got = try await room.download(name)
                #expect(got.bytes == Array("\r\n--front is no frontier\r\n".utf8))
                #expect(got.headers["Content-Type"] == "image/png")
                #expect(got.headers["Cache-Control"] == "max-age=77")
                let info = try await room.call(
                    "GET", "/object/info/attachments/\(room.folder)/\(name)", token: room.ada.token)
                #expect(try info.json["metadata"] == ["a": 1])
            }
        }
    }

    @Test func aFormWithoutAnEndOrAFileLeavesNothing() async throws {
        try await StorageRoom.run { room async throws in
            let type = "multipart/form-data; boundary=b"
            let head = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x\"\r\n\r\n"
            for body in [
                head + "abc", "--b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n1\r\n--b--",
                "nothing",
            ] {
                #expect(try await room.upload("x", Array(body.utf8), type: type).fault == "400")
            }
            #expect(try await room.download("x").fault == "404")
        }
    }

    @Test func whoIsNoMemberMayNotUpload() async throws {
        try await StorageRoom.run { room async throws in
            #expect(try await room.upload("x.png", bytes, by: room.xi).fault == "403")
            let anonymous = try await room.call(
                "POST", "/object/attachments/\(room.folder)/x.png", bytes,
                token: room.server.address.publishableKey)
            #expect(anonymous.fault == "403")
            let path = "/object/attachments/\(room.folder)/x.png"
            #expect(try await room.call("POST", path, bytes, token: nil).status == 401)
            let altered = try await room.call("POST", path, bytes, token: room.ada.token + "x")
            #expect(altered.fault == "403")
            #expect(try altered.json["message"] == "signature verification failed")
        }
    }

    @Test func pathsFollowTheRules() async throws {
        try await StorageRoom.run { room async throws in
            func fault(_ path: String) async throws -> String? {
                try await room.call("POST", "/object/attachments/\(path)", bytes, token: room.ada.token).fault
            }
            for path in ["..%2Fx", "a//b", "a%01b", "a%2F..%2Fb", "a/", "caf%C3%A9", ""] {
                #expect(try await fault(path) == "400", "\(path)")
            }
            for path in ["x", "\(room.conversation)/x", "\(room.conversation)/x/y", "\(room.folder)/a/b"] {
                #expect(try await fault(path) == "403", "\(path)")
            }
            let missing = try await room.call("POST", "/object/nosuch/a", bytes, token: room.ada.token)
            #expect(try missing.json["code"] == "NoSuchBucket")
            #expect(try await room.upload("it's%20a%20(name)%2C%20%2B1.png", bytes).status == 200)
            #expect(try await room.download("it's%20a%20(name)%2C%20+1.png").bytes == bytes)
        }
    }

    @Test func aLargeObjectIsRefusedWithThirteenAndLeavesNothing() async throws {
        try await StorageRoom.run({ $0.limits.objectBytes = 100_000 }) { room async throws in
            let fits = [UInt8](repeating: 7, count: 100_000)
            #expect(try await room.upload("fits", fits).status == 200)
            #expect(try await room.upload("raw", fits + [1]).fault == "413")
            let head = "--b\r\nContent-Disposition: form-data; name=\"\"; filename=\"x\"\r\n\r\n"
            let form = Array(head.utf8) + fits + [1] + Array("\r\n--b--\r\n".utf8)
            #expect(
                try await room.upload("form", form, type: "multipart/form-data; boundary=b").fault == "413")
            #expect(try await room.download("form").fault == "404")
            // Far too much is not read at all.
            let huge = [UInt8](repeating: 7, count: 3_000_000)
            let answer = try await room.upload("huge", huge, headers: [("Expect", "100-continue")])
            #expect(answer.fault == "413")
        }
    }

    @Test func ofTwoUploadsOfOnePathAtOnceExactlyOneSucceeds() async throws {
        try await StorageRoom.run { room async throws in
            let answers = try await withThrowingTaskGroup(of: String?.self) { group in
                for number in 0..<4 {
                    group.addTask {
                        let body = [UInt8](repeating: UInt8(number), count: 300_000)
                        let answer = try await room.upload("one.bin", body)
                        return answer.status == 200 ? "stored" : answer.fault
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.filter { $0 == "stored" }.count == 1)
            #expect(answers.filter { $0 == "409" }.count == 3)
        }
    }

    @Test func aUserHasOnlySoManyUploadsAtATime() async throws {
        let places = UploadPlaces(
            { () -> ServerLimits in
                var limits = ServerLimits()
                limits.uploads = 3
                limits.uploadsPerUser = 2
                return limits
            }())
        var held = [places.take(.user("a")), places.take(.user("a"))]
        #expect(places.take(.user("a")) == nil)
        held.append(places.take(.user("b")))
        #expect(held.allSatisfy { $0 != nil })
        #expect(places.take(.user("c")) == nil)
        held.removeAll()
        #expect(places.take(.user("c")) != nil)
    }
}
