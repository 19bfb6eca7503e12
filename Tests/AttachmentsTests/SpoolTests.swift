import Digest
import FoundationEssentials
import Glibc
import Models
import Testing

@testable import Attachments

@Suite final class SpoolTests: Sendable {
    private let folder: String

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/pingline-spool-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }  // a leftover harms no test

    private var spool: Spool { Spool(folder + "/spool", limit: 1_000_000) }

    private func write(_ bytes: [UInt8], as name: String) throws -> String {
        let path = folder + "/" + name
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder + "/spool").sorted()
    }

    @Test func aFileIsCopiedWholeWithItsNameSizeKindAndDigest() async throws {
        let bytes = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let path = try write(bytes, as: "Röntgen bild.zip")
        let file = try await spool.take(path)
        #expect(
            file.attachment
                == Models.Attachment(
                    path: "", name: "Röntgen bild.zip", mimeType: "application/zip", size: 700_000))
        #expect(file.sha256 == Hex.encode(Digest.sha256(bytes)))
        let copy = folder + "/spool/" + file.copy
        #expect(FileManager.default.contents(atPath: copy) == Data(bytes))
        var status = stat()
        #expect(stat(copy, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(stat(folder + "/spool", &status) == 0 && status.st_mode & 0o777 == 0o700)
    }

    @Test func whatHappensToTheFileLaterChangesNothing() async throws {
        let path = try write([1, 2, 3], as: "a.bin")
        let file = try await spool.take(path)
        unlink(path)
        #expect(FileManager.default.contents(atPath: folder + "/spool/" + file.copy) == Data([1, 2, 3]))
        spool.discard(file)
        #expect(try names().isEmpty)
    }

    @Test func whatIsNoReadableFileIsRefusedAndLeavesNothing() async throws {
        await #expect(throws: AttachError.notFound) { try await spool.take(folder + "/nothing") }
        await #expect(throws: AttachError.notAFile) { try await spool.take(folder) }
        #expect(mkfifo(folder + "/pipe", 0o600) == 0)
        await #expect(throws: AttachError.notAFile) { try await spool.take(folder + "/pipe") }
        await #expect(throws: AttachError.notAFile) { try await spool.take("/dev/zero") }
        let large = try write([UInt8](repeating: 0, count: 1_000_001), as: "large")
        await #expect(throws: AttachError.tooLarge(limit: 1_000_000)) { try await spool.take(large) }
        let none = Spool(folder + "/spool", limit: nil)
        await #expect(throws: AttachError.notTaken) { try await none.take(large) }
        #expect(!FileManager.default.fileExists(atPath: folder + "/spool"))
    }

    @Test func aSpoolThatCannotBeWrittenIsNoFaultOfTheFile() async throws {
        let path = try write([1], as: "a")
        let spool = Spool(folder + "/missing/spool", limit: 10)
        await #expect(throws: AttachError.failed(code: ENOENT)) { try await spool.take(path) }
    }

    @Test func sweepingKeepsWhatMessagesNeed() async throws {
        let path = try write([1], as: "a")
        let kept = try await spool.take(path)
        _ = try await spool.take(path)
        _ = try write([2], as: "spool/half.part")
        spool.sweep(keeping: [kept.copy])
        #expect(try names() == [kept.copy])
        Spool(folder + "/never", limit: 1).sweep(keeping: [])
    }

    @Test func aPictureIsKnownByItsBytesAndMeasured() async throws {
        var png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
        png += Array("IHDR".utf8) + [0, 0, 2, 0x80, 0, 0, 1, 0xE0, 8, 6, 0, 0, 0]
        let picture = try await spool.take(try write(png, as: "shot")).attachment
        #expect(picture.mimeType == "image/png" && picture.width == 640 && picture.height == 480)
        let jpeg: [UInt8] = [
            0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xC0, 0, 17, 8, 0, 100, 0, 200, 3, 1, 0x11, 0,
        ]
        #expect(PixelSize.read(jpeg)?.width == 200 && PixelSize.read(jpeg)?.height == 100)
        let gif = Array("GIF89a".utf8) + [0x10, 0, 0x20, 0]
        #expect(PixelSize.read(gif)?.width == 16 && PixelSize.read(gif)?.height == 32)
        let fake = try await spool.take(try write(Array("hello".utf8), as: "fake.png")).attachment
        #expect(fake.mimeType == "application/octet-stream" && fake.width == nil)
    }

    @Test(arguments: [
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], [0xFF, 0xD8, 0xFF, 0xE0, 0, 0], [0xFF, 0xD8, 0xFF],
    ])
    func aBrokenPictureHasNoSize(_ head: [UInt8]) {
        #expect(PixelSize.read(head) == nil)
    }
}
