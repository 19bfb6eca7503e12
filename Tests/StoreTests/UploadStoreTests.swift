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
        #expect(try await store.noteUploaded(kept.id, in: room, at: "a/b/c"))
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
            #expect(try await store.noteUploaded(kept.id, in: room, at: "x") == false)
            await store.close()
        }
    }

    // MARK: Residue

    /// What waits to be removed.
    private func removal(_ store: MessageStore) async throws -> StoredOperation? {
        try await store.nextWaiting(in: .ana)?.operation
    }

    @Test func aDeletedMessageTakesItsFileWithItOnceTheServiceHasDeletedIt() async throws {
        defer { cleanUp() }
        for road in ["answer", "echo, answer", "answer, restart", "restart, answer"] {
            var store = try open()
            let kept = try await store.enqueue(.typed("look", id: UUID(), in: room), file: file)
            let send = try #require(try await store.nextWaiting(in: room))
            try await store.finish(send, with: IncomingRows(messages: [confirmed(kept)]))
            #expect(try await store.enqueue(.delete(messageID: kept.id), in: room))
            #expect(try await removal(store) == nil)
            var gone = confirmed(kept)
            (gone.version, gone.deletedAt) = (6, gone.createdAt)
            for step in road.split(separator: ", ") {
                switch step {
                case "echo": try await store.merge(IncomingRows(messages: [gone]))
                case "answer":
                    let delete = try #require(try await store.nextWaiting(in: room))
                    try await store.finish(delete, with: IncomingRows(messages: [gone]))
                default:
                    await store.close()
                    store = try open()
                }
            }
            let wish = StoredOperation.removeFiles(
                messageID: kept.id, conversationID: room, isUnsure: false)
            #expect(try await removal(store) == wish)
            #expect(try await store.waitingCount() == 0)
            #expect(try await store.conversationsWaiting() == [.ana])
            let row = try #require(try await store.nextWaiting(in: .ana))
            try await store.finish(row, with: IncomingRows())
            #expect(try await removal(store) == nil)
            await store.close()
        }
    }

    @Test func aDeleteThatTheServiceRefusesLeavesTheFile() async throws {
        defer { cleanUp() }
        let store = try open()
        let kept = try await store.enqueue(.typed("look", in: room), file: file)
        let send = try #require(try await store.nextWaiting(in: room))
        try await store.finish(send, with: IncomingRows(messages: [confirmed(kept)]))
        try await store.enqueue(.delete(messageID: kept.id), in: room)
        let delete = try #require(try await store.nextWaiting(in: room))
        try await store.refuse(delete, because: .serverFailing)
        #expect(try await removal(store) == nil)
    }

    @Test func aMessageThatIsDroppedOnTheWayLeavesNoFile() async throws {
        defer { cleanUp() }
        for state in ["waits", "tried", "uploaded", "failed", "sent in doubt"] {
            let store = try open()
            let kept = try await store.enqueue(.typed("", id: UUID(), in: room), file: file)
            if state != "waits" { try await store.noteUploadTry(of: kept.id) }
            if ["uploaded", "failed", "sent in doubt"].contains(state) {
                #expect(try await store.noteUploaded(kept.id, in: room, at: "a/b/c"))
            }
            let row = try #require(try await store.nextWaiting(in: room))
            if state == "failed" {
                try await store.refuse(row, because: .serverFailing)
                try await store.enqueue(.delete(messageID: kept.id), in: room)
            } else {
                _ = try await store.drop(kept.id, mayHaveArrived: state == "sent in doubt")
            }
            let wanted = StoredOperation.removeFiles(
                messageID: kept.id, conversationID: room, isUnsure: state == "tried")
            if state == "sent in doubt" {
                // It never arrived: its file did.
                let delete = try #require(try await store.nextWaiting(in: room))
                #expect(delete.operation == .delete(messageID: kept.id))
                try await store.refuse(delete, because: .messageGone)
            }
            #expect(try await removal(store) == (state == "waits" ? nil : wanted), "\(state)")
            #expect(try await store.nextWaiting(in: room) == nil, "\(state)")
            await store.close()
            cleanUp()
        }
    }

    @Test func whatArrivesAfterItWasDroppedIsTakenBack() async throws {
        defer { cleanUp() }
        let store = try open()
        let kept = try await store.enqueue(.typed("oops", in: room), file: file)
        let send = try #require(try await store.nextWaiting(in: room))
        _ = try await store.drop(kept.id, mayHaveArrived: false)
        try await store.finish(send, with: IncomingRows(messages: [confirmed(kept)]))
        #expect(try await store.nextWaiting(in: room)?.operation == .delete(messageID: kept.id))
        #expect(try await store.newestPage(in: room, limit: 5).messages.isEmpty)
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
        #expect(try await store.noteUploaded(kept.id, in: room, at: "x") == false)
    }
}
