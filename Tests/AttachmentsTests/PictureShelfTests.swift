import Backend
import FoundationEssentials
import Glibc
import Models
import TestSupport
import Testing

@testable import Attachments

@Suite(.timeLimit(.minutes(1))) struct PictureShelfTests {
    private let folder: String
    private let backend = FakeBackend()

    init() throws {
        folder =
            FileManager.default.temporaryDirectory.path + "/pingline-shelf-" + UUID().uuidString + "/account"
    }

    private func shelf(room: Int64 = 1 << 20) -> PictureShelf {
        PictureShelf(folder, saver: FileSaver(backend) { _ in }, room: room)
    }

    /// The beginning of a PNG; its pixels do not matter here.
    private func png(_ width: UInt32 = 40, _ height: UInt32 = 30, size: Int = 100) -> Data {
        func big(_ number: UInt32) -> [UInt8] {
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
        }
        let head = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        let bytes = head + big(width) + big(height)
        return Data(bytes + [UInt8](repeating: 0, count: max(size - bytes.count, 0)))
    }

    private func keep(_ bytes: Data, at path: String = "c/m/cat.png") -> Models.Attachment {
        backend.server.keep(bytes, at: path)
        return Models.Attachment(path: path, name: "../evil name.png", mimeType: "image/png")
    }

    private var names: [String] {
        // There is none before the first picture.
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    private func remove() {
        try? FileManager.default.removeItem(atPath: String(folder.dropLast(8)))  // a leftover harms no test
    }

    @Test func aPictureIsFetchedOnceIntoAFileOfItsOwnerAlone() async throws {
        defer { remove() }
        let cat = keep(png())
        let first = try await shelf().picture(cat, limit: 1_000)
        #expect(first.width == 40 && first.height == 30)
        #expect(FileManager.default.contents(atPath: first.path) == png())
        #expect(mode(first.path) == 0o600 && mode(folder) == 0o700)
        #expect(names.count == 1 && names[0].count == 64 && names[0].allSatisfy(\.isHexDigit))
        #expect(try await shelf().picture(cat, limit: 1_000) == first)
        #expect(backend.fetchOffsets == [0])
    }

    @Test func whatIsLargerThanTheLimitIsNotFetched() async throws {
        defer { remove() }
        let cat = keep(png(size: 5_000))
        await #expect(throws: PictureError.tooLarge) { try await shelf().picture(cat, limit: 4_999) }
        #expect(backend.fetchOffsets.isEmpty && names.isEmpty)
        _ = try await shelf().picture(cat, limit: nil)
    }

    @Test(arguments: ["<svg xmlns='http://www.w3.org/2000/svg'/>", "", "GIF8", "\u{89}PNG", "#!/bin/sh"])
    func whatIsNoPictureIsRefusedWhateverItIsCalled(_ text: String) async throws {
        defer { remove() }
        let file = keep(Data(text.utf8))
        await #expect(throws: PictureError.noPicture) { try await shelf().picture(file, limit: nil) }
    }

    @Test func aPictureOfMorePixelsThanMemoryIsRefused() async throws {
        defer { remove() }
        let bomb = keep(png(60_000, 60_000))
        await #expect(throws: PictureError.tooManyPixels) { try await shelf().picture(bomb, limit: nil) }
    }

    @Test func aPictureThatIsGoneOrNotSentYetSaysSo() async throws {
        defer { remove() }
        let gone = Models.Attachment(path: "c/m/gone.png", mimeType: "image/png")
        await #expect(throws: PictureError.save(.service(.notFound))) {
            try await shelf().picture(gone, limit: nil)
        }
        await #expect(throws: PictureError.notThere) {
            try await shelf().picture(Models.Attachment(path: ""), limit: nil)
        }
    }

    @Test func aLinkPutInItsPlaceIsNotFollowed() async throws {
        defer { remove() }
        let cat = keep(png())
        let path = try await shelf().picture(cat, limit: nil).path
        unlink(path)
        symlink("/etc/passwd", path)
        #expect(try await shelf().picture(cat, limit: nil).width == 40)
        var status = stat()
        #expect(lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG)
        let way = path + ".full"
        symlink("/etc/passwd", way)
        #expect(shelf().drawing(of: cat, way: "full", limit: 10_000) == nil)
    }

    @Test func whatWasDrawnIsKeptForItsWayOnly() async throws {
        defer { remove() }
        let cat = keep(png())
        _ = try await shelf().picture(cat, limit: nil)
        shelf().keep(Array("tiles".utf8), of: cat, way: "20x7-240")
        #expect(shelf().drawing(of: cat, way: "20x7-240", limit: 5) == Array("tiles".utf8))
        #expect(shelf().drawing(of: cat, way: "20x7-240", limit: 4) == nil)
        #expect(shelf().drawing(of: cat, way: "20x8-240", limit: 5) == nil)
        #expect(names.allSatisfy { mode("\(folder)/\($0)") == 0o600 })
    }

    @Test func theOldestGoWhenTheyAreTooMany() async throws {
        defer { remove() }
        let shelf = shelf(room: 2_500)
        var paths: [String] = []
        for number in 0..<3 {
            let picture = keep(png(size: 1_000), at: "c/m/\(number).png")
            paths.append(try await shelf.picture(picture, limit: nil).path)
            var times = [
                timespec(tv_sec: 1_000 + number, tv_nsec: 0), timespec(tv_sec: 1_000 + number, tv_nsec: 0),
            ]
            if number < 2 { utimensat(AT_FDCWD, paths[number], &times, 0) }
        }
        #expect(paths.map { access($0, F_OK) == 0 } == [false, true, true])
        shelf.clear()
        #expect(access(folder, F_OK) != 0)
    }

    @Test(arguments: [(1, [40, 30]), (3, [40, 30]), (6, [30, 40]), (8, [30, 40])])
    func aPhotographThatWasTurnedHasItsShapeTurned(_ orientation: Int, _ size: [Int]) {
        let entry: [UInt8] = [0x12, 1, 3, 0, 1, 0, 0, 0, UInt8(orientation), 0, 0, 0]
        let exif = Array("Exif\0\0II*\0".utf8) + [8, 0, 0, 0, 1, 0] + entry + [0, 0, 0, 0]
        let head: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif
        let jpeg = head + [0xFF, 0xC0, 0, 17, 8, 0, 30, 0, 40, 3, 1, 0x22, 0]
        #expect(PixelSize.read(jpeg).map { [$0.width, $0.height] } == size)
        for cut in 2..<jpeg.count { _ = PixelSize.read(Array(jpeg.prefix(cut))) }
    }

    @Test func theShapesOfWebPFilesAreRead() {
        func webp(_ kind: String, _ rest: [UInt8]) -> [UInt8] {
            Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBP".utf8) + Array(kind.utf8) + [0, 0, 0, 0] + rest
        }
        let pad = [UInt8](repeating: 0, count: 16)
        func size(_ head: [UInt8]) -> [Int]? { PixelSize.read(head + pad).map { [$0.width, $0.height] } }
        #expect(size(webp("VP8X", [0, 0, 0, 0, 0x1F, 3, 0, 0x57, 2, 0])) == [800, 600])
        #expect(size(webp("VP8L", [0x2F, 0x1F, 0xC3, 0x95, 0])) == [800, 600])
        #expect(size(webp("VP8 ", [0, 0, 0, 0x9D, 1, 0x2A, 0x20, 3, 0x58, 2])) == [800, 600])
        #expect(size(webp("XXXX", [])) == nil)
    }
}
