import FoundationEssentials
import Models
import Screens
import Synchronization
import Terminal
import TestSupport
import Testing

@testable import App

/// Remembers what was asked for, and answers when it is told to.
private final class Studio: Sendable {
    private let open = Mutex<[String: CheckedContinuation<PictureAlbum.Entry?, Never>]>([:])
    private let log = Mutex<(begun: [String], cancelled: [String])>(([], []))

    var begun: [String] { log.withLock { $0.begun } }
    var cancelled: [String] { log.withLock { $0.cancelled } }

    func draw(_ wish: PictureWish) async -> PictureAlbum.Entry? {
        let name = wish.attachment.path
        log.withLock { $0.begun.append(name) }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiting in open.withLock { $0[name] = waiting } }
        } onCancel: {
            log.withLock { $0.cancelled.append(name) }
        }
    }

    func isWaiting(_ name: String) -> Bool { open.withLock { $0[name] != nil } }

    func answer(_ name: String, _ entry: PictureAlbum.Entry?) {
        open.withLock { $0.removeValue(forKey: name) }?.resume(returning: entry)
    }
}

@MainActor @Suite(.timeLimit(.minutes(1))) struct PictureGalleryTests {
    private let studio = Studio()
    private let gallery: PictureGallery

    init() {
        let studio = studio
        gallery = PictureGallery { await studio.draw($0) }
    }

    private func wish(_ name: String) throws -> PictureWish {
        let room = try #require(PictureRoom(columns: 20, threadRows: 21))
        return PictureWish(
            key: PictureKey(account: .example, path: name, room: room),
            attachment: Models.Attachment(path: name),
            limit: nil)
    }

    private func want(_ names: String...) throws { gallery.want(try names.map(wish)) }

    private func entry(_ name: String) throws -> PictureAlbum.Entry? {
        gallery.album.entries[try wish(name).key]
    }

    private func mosaic(_ columns: Int = 2) throws -> PictureAlbum.Entry {
        .drawn(
            try MosaicReader.read(
                [UInt8](repeating: 0x20, count: columns), limit: Size(columns: Columns(columns), rows: 1)))
    }

    private func begin(_ names: String...) async {
        await until { [studio] in names.allSatisfy(studio.isWaiting) }
    }

    @Test func twoAreDrawnAtATimeTheLowestFirst() async throws {
        try want("a", "b", "c")
        await begin("b", "c")
        #expect(Set(studio.begun) == ["b", "c"])
        studio.answer("c", try mosaic())
        await begin("a")
        #expect(try entry("c") == mosaic())
        #expect(try entry("a") == nil)
        studio.answer("a", nil)
        studio.answer("b", nil)
        await gallery.close()
    }

    @Test func whatIsOutOfSightIsCancelledAndTheNextTakesItsPlace() async throws {
        try want("a", "b")
        await begin("a", "b")
        try want("b", "c")
        #expect(studio.cancelled == ["a"])
        studio.answer("a", nil)
        await begin("c")
        studio.answer("b", try mosaic())
        studio.answer("c", try mosaic())
        await until { [gallery] in gallery.album.entries.count == 2 }
        #expect(try entry("a") == nil)
    }

    @Test func whatIsDrawnIsDrawnOnce() async throws {
        try want("a")
        await begin("a")
        studio.answer("a", try mosaic())
        await until { [gallery] in gallery.album.entries.count == 1 }
        try want()
        try want("a")
        await settle()
        #expect(studio.begun == ["a"])
    }

    @Test func whatFailedIsTriedAgainWhenItComesBack() async throws {
        try want("a")
        await begin("a")
        studio.answer("a", .failed(UserCopy("No.", next: "")))
        await until { [gallery] in gallery.album.entries.count == 1 }
        try want("a")
        #expect(studio.begun == ["a"])
        try want()
        #expect(try entry("a") == nil)
        try want("a")
        await begin("a")
        #expect(studio.begun == ["a", "a"])
        studio.answer("a", nil)
        await gallery.close()
    }

    @Test func theOldestOutOfSightGoWhenThereAreTooMany() async throws {
        let large = PictureGallery.cellLimit / 3 + 1
        for name in ["a", "b", "c"] {
            try want(name)
            await begin(name)
            studio.answer(name, try mosaic(large))
            await until { [gallery] in gallery.album.entries.values.count > 0 && !studio.isWaiting(name) }
            await settle()
        }
        #expect(try entry("a") == nil)
        #expect(try entry("b") != nil && entry("c") != nil)
    }

    @Test func closingWaitsForWhatRuns() async throws {
        try want("a")
        await begin("a")
        let closing = Task { [gallery] in await gallery.close() }
        await until { [studio] in studio.cancelled == ["a"] }
        studio.answer("a", nil)
        await closing.value
        #expect(gallery.album.entries.isEmpty)
    }
}
