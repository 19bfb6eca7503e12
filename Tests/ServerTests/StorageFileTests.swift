import Digest
import FoundationEssentials
import Glibc
import Networking
import SQLite
import SupabaseWire
import Testing

@testable import Server

@Suite struct StorageFileTests {
    /// A data directory of its own that is gone afterwards.
    private func withDirectory(_ body: (String) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.path + "/pingline-" + UUIDText.random()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        do { try await body(path) } catch {
            try FileManager.default.removeItem(atPath: path)
            throw error
        }
        try FileManager.default.removeItem(atPath: path)
    }

    private func names(_ path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    @Test func equalContentsShareOneFileWhichGoesWithTheLastOfThem() async throws {
        try await withDirectory { path in
            try await StorageRoom.run({ $0.directory = path }) { room async throws in
                let bytes = Array("the same".utf8)
                let name = Hex.encode(Digest.sha256(bytes))
                try await room.upload("a", bytes)
                try await room.upload("b", bytes)
                #expect(try names(path + "/storage/objects") == [name])
                #expect(try names(path + "/storage/incoming") == [])
                var status = stat()
                #expect(stat(path + "/storage/objects/" + name, &status) == 0)
                #expect(status.st_mode & 0o077 == 0)
                let folder = "/object/attachments/\(room.folder)"
                #expect(try await room.call("DELETE", folder + "/a", token: room.ada.token).status == 200)
                #expect(try await room.download("b").bytes == bytes)
                #expect(try await room.call("DELETE", folder + "/b", token: room.ada.token).status == 200)
                #expect(try names(path + "/storage/objects") == [])
            }
        }
    }

    @Test func whatIsReplacedOrRefusedLeavesNoFile() async throws {
        try await withDirectory { path in
            try await StorageRoom.run({ $0.directory = path }) { room async throws in
                try await room.upload("a", [1])
                try await room.upload("a", [2], method: "PUT")
                #expect(try await room.upload("a", [3]).fault == "409")
                #expect(try await room.upload("b", [4], by: room.xi).fault == "403")
                let name = Hex.encode(Digest.sha256([UInt8(2)]))
                #expect(try names(path + "/storage/objects") == [name])
            }
        }
    }

    @Test func objectsAreThereInTheNextRun() async throws {
        try await withDirectory { path in
            var (folder, token) = ("", "")
            try await StorageRoom.run({ $0.directory = path }) { room async throws in
                try await room.upload("a", [1, 2, 3])
                (folder, token) = (room.folder, room.bo.token)
            }
            try await TestServer.run({ $0.directory = path }) { server in
                let answer = try await server.call(
                    "GET", "/storage/v1/object/attachments/\(folder)/a", token: token)
                #expect(answer.text == "\u{1}\u{2}\u{3}")
            }
        }
    }

    @Test func anUploadThatBreaksLeavesNeitherObjectNorFile() async throws {
        try await withDirectory { path in
            try await StorageRoom.run({ $0.directory = path }) { room async throws in
                let half = try HalfUpload(room, "broken", sending: 500_000, of: 1_000_000)
                half.close()
                #expect(try await room.download("broken").fault == "404")
            }
            #expect(try names(path + "/storage/incoming") == [])
            #expect(try names(path + "/storage/objects") == [])
        }
    }

    @Test func aServerStopsWhileAnUploadIsUnderWay() async throws {
        try await withDirectory { path in
            var half: HalfUpload?
            try await StorageRoom.run({ $0.directory = path }) { room async throws in
                half = try HalfUpload(room, "slow", sending: 500_000, of: 1_000_000)
            }
            half?.close()
            #expect(try names(path + "/storage/incoming") == [])
        }
    }

    @Test func aStartSweepsWhatAnEarlierRunLeftBehind() async throws {
        try await withDirectory { path in
            var name = ""
            try await StorageRoom.run({ $0.directory = path }) { room async throws in
                try await room.upload("a", [1])
                name = Hex.encode(Digest.sha256([UInt8(1)]))
            }
            let stray = path + "/storage/objects/" + String(repeating: "a", count: 64)
            for file in [stray, path + "/storage/incoming/left"] {
                #expect(FileManager.default.createFile(atPath: file, contents: Data([9])))
            }
            let configuration = ServerConfiguration(directory: path)
            let database = Database(configuration: configuration)
            try await database.open(.file(path + "/server.sqlite"))
            let shelf = FileShelf(directory: path)
            try shelf.prepare()
            let gate = Gate(signer: TokenSigner(secret: []), publishableKey: "", opaqueKey: "")
            await StorageDoor(database: database, gate: gate, shelf: shelf, configuration: configuration)
                .sweep()
            await database.close()
            #expect(try names(path + "/storage/objects") == [name])
            #expect(try names(path + "/storage/incoming") == [])
        }
    }

    @Test func aCondemnedFileIsAcquittedByWhoeverPlacesItsContent() async throws {
        try await withDirectory { path in
            let shelf = FileShelf(directory: path)
            try shelf.prepare()
            func place() throws {
                let file = try shelf.temporaryFile()
                try file.append([1, 2][...])
                try shelf.place(file, digest: "d")
            }
            try place()
            #expect(!shelf.condemn("d"))
            shelf.release("d")
            #expect(shelf.condemn("d"))
            try place()
            shelf.release("d")
            shelf.removeCondemned("d")
            #expect(shelf.digests() == ["d"])
            #expect(shelf.condemn("d"))
            shelf.removeCondemned("d")
            #expect(shelf.digests() == [])
        }
    }

    @Test func filesOfAServerInMemoryGoWithIt() async throws {
        let shelf = FileShelf(directory: nil)
        try shelf.prepare()
        do {
            let file = try shelf.temporaryFile()
            try shelf.place(file, digest: "d")
        }
        _ = try shelf.open("d")
        shelf.removeTemporary()
        #expect(throws: StorageFault.noObject) { try shelf.open("d") }
        #expect(shelf.digests() == [])
    }
}

/// An upload that stops in the middle of its body.
final class HalfUpload {
    struct Failed: Error {}

    private let descriptor: Int32

    init(_ room: StorageRoom, _ name: String, sending count: Int, of length: Int) throws {
        let port = UInt16(room.server.address.baseURL.split(separator: ":").last ?? "") ?? 0
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        guard connected == 0 else { throw Failed() }
        let head =
            "POST /storage/v1/object/attachments/\(room.folder)/\(name) HTTP/1.1\r\nHost: x\r\n"
            + "apikey: \(room.server.address.publishableKey)\r\nAuthorization: Bearer \(room.ada.token)\r\n"
            + "Content-Length: \(length)\r\n\r\n"
        var rest = (Array(head.utf8) + [UInt8](repeating: 5, count: count))[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { throw Failed() }
            rest = rest.dropFirst(sent)
        }
    }

    func close() { _ = Glibc.close(descriptor) }
}
