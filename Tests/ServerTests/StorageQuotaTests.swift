import FoundationEssentials
import SupabaseWire
import Synchronization
import Testing

@testable import Server

@Suite struct StorageQuotaTests {
    private let kilobyte = [UInt8](repeating: 7, count: 1_024)

    private func content(_ number: UInt8, _ count: Int = 1_024) -> [UInt8] {
        [number] + [UInt8](repeating: 7, count: count - 1)
    }

    @Test func anAccountHasItsRoomAndNoMore() async throws {
        try await StorageRoom.run({ $0.limits.accountBytes = 2_048 }) { room async throws in
            #expect(try await room.upload("a", content(1)).status == 200)
            #expect(try await room.upload("b", content(2)).status == 200)
            let refused = try await room.upload("c", [3])
            #expect(refused.status == 400 && refused.fault == "507")
            #expect(try refused.json["code"] == "QuotaExceeded")
            #expect(try await room.download("c").fault == "404")
            // Equal contents share a file, and count all the same: it is a limit of the account, not of the disk.
            #expect(try await room.upload("d", content(1)).fault == "507")
            // The others have theirs, and what is removed makes room.
            #expect(try await room.upload("e", content(5), by: room.bo).status == 200)
            let path = "/object/attachments/\(room.folder)/a"
            #expect(try await room.call("DELETE", path, token: room.ada.token).status == 200)
            #expect(try await room.upload("c", content(3)).status == 200)
        }
    }

    @Test func whatIsReplacedDoesNotCount() async throws {
        try await StorageRoom.run({ $0.limits.accountBytes = 1_500 }) { room async throws in
            #expect(try await room.upload("a", content(1)).status == 200)
            #expect(try await room.upload("a", content(2, 1_500), method: "PUT").status == 200)
            #expect(try await room.upload("a", content(3, 1_501), method: "PUT").fault == "507")
            #expect(try await room.download("a").bytes == content(2, 1_500))
        }
    }

    @Test func aCopyCountsAndTheServiceRoleHasNoQuota() async throws {
        try await StorageRoom.run({ $0.limits.accountBytes = 1_500 }) { room async throws in
            try await room.upload("a", content(1))
            let copy: JSONValue = [
                "bucketId": "attachments", "sourceKey": .string(room.folder + "/a"),
                "destinationKey": .string(room.folder + "/b"),
            ]
            #expect(
                try await room.call("POST", "/object/copy", json: copy, token: room.ada.token).fault == "507")
            #expect(
                try await room.call("POST", "/object/copy", json: copy, token: room.service).status == 200)
        }
    }

    @Test func manyAtOnceDoNotTakeMoreThanTheAccountHas() async throws {
        try await StorageRoom.run({ $0.limits.accountBytes = 4_096 }) { room async throws in
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<12 {
                    group.addTask {
                        try await room.upload("f\(number)", content(UInt8(number))).status
                    }
                }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(statuses.count { $0 == 200 } == 4)
        }
    }

    @Test func allFilesTogetherHaveALimitInWhichEqualOnesCountOnce() async throws {
        try await StorageRoom.run({ $0.limits.storedBytes = 2_500 }) { room async throws in
            #expect(try await room.upload("a", content(1)).status == 200)
            #expect(try await room.upload("b", content(1), by: room.bo).status == 200)
            #expect(try await room.upload("c", content(2)).status == 200)
            let refused = try await room.upload("d", content(3))
            #expect(refused.status == 500 && refused.fault == "507")
            #expect(try refused.json["code"] == "StorageFull")
            #expect(await room.server.server.health().fileBytes == 2_048)
            for name in ["a", "c"] {
                _ = try await room.call(
                    "DELETE", "/object/attachments/\(room.folder)/\(name)", token: room.ada.token)
            }
            #expect(await room.server.server.health().fileBytes == 1_024)
            #expect(try await room.upload("d", content(3)).status == 200)
        }
    }

    @Test func aServerCountsWhatAnEarlierRunLeft() throws {
        let path = FileManager.default.temporaryDirectory.path + "/pingline-" + UUIDText.random()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }  // a leftover harms nobody
        for run in 0..<2 {
            let shelf = FileShelf(directory: path)
            try shelf.prepare()
            #expect(shelf.room.used == Int64(run) * 3)
            let file = try shelf.temporaryFile()
            try file.append([1, 2, 3][...])
            try shelf.place(file, digest: "d")
            #expect(shelf.room.used == 3)
        }
    }

    // MARK: - The disk

    @Test func theDiskKeepsItsReserveHoweverManyUploadsAreUnderWay() throws {
        let room = DiskRoom(limit: .max, reserve: 100) { 1_000 }
        let first = try room.promise(500)
        #expect(throws: StorageFault.storageFull) { try room.promise(401) }
        let second = try room.promise(400)
        #expect(room.isEnough)
        withExtendedLifetime((first, second)) {}
    }

    @Test func roomIsGivenBackWhateverBecomesOfAnUpload() throws {
        let room = DiskRoom(limit: 1_000, reserve: 0) { nil }
        do {
            let promise = try room.promise(900)
            try promise.use(300)
            #expect(throws: StorageFault.storageFull) { try room.promise(200) }
        }
        _ = try room.promise(1_000)
    }

    @Test func aBodyWithoutALengthAsksForRoomAsItComes() throws {
        let room = DiskRoom(limit: 6 << 20, reserve: 0) { nil }
        let promise = try room.promise(0)
        try promise.use(1)
        #expect(throws: StorageFault.storageFull) { try room.promise(3 << 20) }
        #expect(throws: StorageFault.storageFull) { try promise.use(5 << 20) }
    }

    @Test func aDiskThatOthersFillEndsAnUploadOnItsWay() throws {
        let free = Mutex<Int64>(100 << 20)
        let room = DiskRoom(limit: .max, reserve: 10 << 20) { free.withLock { $0 } }
        let promise = try room.promise(40 << 20)
        for _ in 0..<4 {
            try promise.use(1 << 20)
            free.withLock { $0 -= 1 << 20 }
        }
        free.withLock { $0 = 20 << 20 }
        #expect(throws: StorageFault.storageFull) { for _ in 0..<4 { try promise.use(1 << 20) } }
    }

    @Test func whatFindsNoRoomOnTheWayLeavesNothing() async throws {
        let path = FileManager.default.temporaryDirectory.path + "/pingline-" + UUIDText.random()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }  // a leftover harms nobody
        try await StorageRoom.run({
            $0.directory = path
            $0.limits.freeBytes = .max / 2
        }) { room async throws in
            #expect(try await room.upload("a", kilobyte).fault == "507")
            let incoming = try FileManager.default.contentsOfDirectory(atPath: path + "/storage/incoming")
            #expect(incoming.isEmpty)
        }
    }
}
