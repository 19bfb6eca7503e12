import FoundationEssentials
import Models
import Store
import TestSupport
import Testing

@Suite struct UploadStoreTests {
    private let room = UUID.example(100)
    private let directory = FileManager.default.temporaryDirectory.appending(path: "upload-\(UUID())").path
    private let file = OutgoingFile(
        copy: "copy-1",
        attachment: Models.Attachment(path: "", name: "cat.png", mimeType: "image/png", size: 3),
        sha256: "ab")

    private func open() throws -> MessageStore {
        let store = try MessageStore.open(directory: directory, for: .ana)
        let spool = directory + "/spool"
        try FileManager.default.createDirectory(atPath: spool, withIntermediateDirectories: true)
        try Data([1, 2, 3]).write(to: URL(filePath: spool + "/copy-1"))
        return store
    }

    private var hasCopy: Bool { FileManager.default.fileExists(atPath: directory + "/spool/copy-1") }

    private func cleanUp() {
        try? FileManager.default.removeItem(atPath: directory)  // a leftover harms nobody
    }

    private func confirmed(_ message: Message) -> Message {
        var row = message
        (row.position, row.version, row.deliveryState) = (5, 5, .sent)
        row.attachment?.path = "a/b/c"
        return row
    }

    @Test func aFileWaitsWithItsMessageThroughARestart() async throws {
        defer { cleanUp() }
        var store = try open()
        let kept = try await store.enqueue(.typed("", in: room), file: file)
        #expect(kept.attachment == file.attachment)
        await store.close()
        store = try open()
        #expect(
            try await store.waitingUpload(of: kept.id).map { [$0.copy, $0.sha256] } == ["copy-1", "ab"])
        #expect(try await store.neededCopies() == ["copy-1"])
        #expect(try await store.noteUploaded(kept.id, at: "a/b/c"))
        await store.close()
        store = try open()
        #expect(try await store.waitingUpload(of: kept.id) == nil)
        guard case .send(let message) = try await store.nextWaiting(in: room)?.operation else {
            Issue.record("the message does not wait")
            return
        }
        #expect(message.attachment?.path == "a/b/c")
        #expect(hasCopy)
    }

    @Test func theCopyGoesWithTheConfirmationByAnyRoad() async throws {
        defer { cleanUp() }
        for isEcho in [true, false] {
            let store = try open()
            let kept = try await store.enqueue(.typed("", id: UUID(), in: room), file: file)
            let row = try #require(try await store.nextWaiting(in: room))
            let rows = IncomingRows(messages: [confirmed(kept)])
            if isEcho { try await store.merge(rows) } else { try await store.finish(row, with: rows) }
            #expect(!hasCopy)
            #expect(try await store.neededCopies().isEmpty)
            #expect(try await store.noteUploaded(kept.id, at: "x") == false)
            await store.close()
        }
    }

    @Test func theCopyGoesWithADroppedMessageAndStaysWithAFailedOne() async throws {
        defer { cleanUp() }
        let store = try open()
        let kept = try await store.enqueue(.typed("", in: room), file: file)
        let row = try #require(try await store.nextWaiting(in: room))
        try await store.refuse(row, because: .fileTooLarge(limit: 3))
        #expect(hasCopy)
        let failed = try await store.newestPage(in: room, limit: 1).messages.first
        #expect(failed?.failure == .fileTooLarge(limit: 3))
        _ = try await store.retry(kept.id)
        #expect(try await store.waitingUpload(of: kept.id) != nil)
        _ = try await store.drop(kept.id, mayHaveArrived: false)
        #expect(!hasCopy)
        #expect(try await store.noteUploaded(kept.id, at: "x") == false)
    }
}
