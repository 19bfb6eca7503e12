import Backend
import FoundationEssentials
import Models
import SQLite
import Store
import Sync
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) final class OutboxFileTests: Sendable {
    private let server = FakeServer()
    private let thread = UUID.example(100)
    private let name: String
    private let spool: String
    private let store: MessageStore
    init() throws {
        name = "pingline-outbox-" + UUID().uuidString
        spool = FileManager.default.temporaryDirectory.path + "/" + name
        try FileManager.default.createDirectory(atPath: spool, withIntermediateDirectories: false)
        store = try MessageStore.inMemory(for: .ana, named: name, spoolFolder: spool)
        server.addConversation(thread, of: [.ana, .ben])
    }

    deinit { try? FileManager.default.removeItem(atPath: spool) }  // a leftover harms no test

    private func attach(_ name: String = "cat.png") async throws -> Message {
        let bytes = Data(name.utf8)
        try bytes.write(to: URL(filePath: spool + "/" + name))
        let file = OutgoingFile(
            copy: name,
            attachment: Models.Attachment(
                path: "", name: name, mimeType: "image/png", size: Int64(bytes.count)),
            sha256: "hash of " + name)
        return try await store.enqueue(.typed("", in: thread), file: file)
    }

    private func backend(_ answers: OperationOutcome...) -> FakeBackend {
        FakeBackend(server: server, answers: answers)
    }

    private func outbox(_ backend: FakeBackend) -> Outbox { Outbox(store: store, backend: backend) }

    private var sentPaths: [String] { server.messages(in: thread).compactMap { $0.attachment?.path } }

    @Test func aFileGoesBeforeItsMessageAndInItsPlaceInTheLine() async throws {
        try await store.enqueue(.typed("before", in: thread))
        let message = try await attach()
        try await store.enqueue(.typed("after", in: thread))
        let backend = backend()
        #expect(try await outbox(backend).deliver(thread) == .empty)
        #expect(server.messages(in: thread).map(\.body) == ["before", "", "after"])
        #expect(sentPaths == Array(server.files.keys))
        #expect(server.files.values.first == Data("cat.png".utf8))
        #expect(backend.uploads.map(\.messageID) == [message.id])
        #expect(backend.uploads.first?.localPath == spool + "/cat.png")
        #expect(try FileManager.default.contentsOfDirectory(atPath: spool).isEmpty)
    }

    @Test func aServiceThatAsksForAPauseForAFileIsLeftAlone() async throws {
        _ = try await attach()
        let backend = backend()
        backend.planUploads(.answer(.wait(after: .seconds(60), because: .askedToWait)))
        let clock = TestClock()
        let outbox = Outbox(store: store, backend: backend, clock: clock)
        #expect(try await outbox.deliver(thread) == .wait(after: .seconds(60), because: .askedToWait))
        clock.advance(by: .seconds(20))
        // The link came back, or somebody wants it now.
        #expect(try await outbox.deliver(thread) == .wait(after: .seconds(40), because: .askedToWait))
        #expect(backend.uploads.count == 1)
        clock.advance(by: .seconds(40))
        #expect(try await outbox.deliver(thread) == .empty)
        #expect(sentPaths.count == 1)
    }

    /// Whatever is lost at whichever step, one object and one message are there in the end.
    @Test func aPauseForAFileIsKeptToAlsoWhenTheStoreFailsMeanwhile() async throws {
        _ = try await attach()
        let (backend, gate, clock) = (backend(), Gate(), TestClock())
        backend.planUploads(.answer(.wait(after: .seconds(60), because: .askedToWait)))
        backend.holdUploads(at: gate)
        let outbox = Outbox(store: store, backend: backend, clock: clock)
        // Another way to the store's tables: where one is missing, whatever needs it fails.
        let disk = try SQLConnection(.sharedMemory(name))
        let thread = thread
        let delivery = Task { try await outbox.deliver(thread) }
        await gate.arrival()
        try disk.execute("ALTER TABLE uploads RENAME TO hidden")
        gate.open()
        await #expect(throws: StoreError.self) { try await delivery.value }
        try disk.execute("ALTER TABLE hidden RENAME TO uploads")
        clock.advance(by: .seconds(20))
        #expect(try await outbox.deliver(thread) == .wait(after: .seconds(40), because: .askedToWait))
        #expect(backend.uploads.count == 1)
    }

    @Test func aPauseForAFileIsKeptToAlsoWhenItsMessageIsDropped() async throws {
        let message = try await attach()
        try await store.enqueue(.typed("after", in: thread))
        let (backend, gate, clock) = (backend(), Gate(), TestClock())
        backend.planUploads(.answer(.wait(after: .seconds(60), because: .askedToWait)))
        backend.holdUploads(at: gate)
        let outbox = Outbox(store: store, backend: backend, clock: clock)
        async let end = outbox.deliver(thread)
        await gate.arrival()
        _ = try await store.drop(message.id, mayHaveArrived: false)
        gate.open()
        #expect(try await end == .wait(after: .seconds(60), because: .askedToWait))
        #expect(server.messages(in: thread).isEmpty)
        clock.advance(by: .seconds(60))
        #expect(try await outbox.deliver(thread) == .empty)
        #expect(server.messages(in: thread).map(\.body) == ["after"])
    }

    @Test(arguments: [
        ["cut"], ["lost upload"], ["lost insert"], ["cut", "lost upload", "lost insert"],
        ["lost upload", "restart", "lost insert", "restart"], ["cut", "restart", "lost upload", "restart"],
    ])
    func aCutAtAnyStepSendsOnce(_ road: [String]) async throws {
        _ = try await attach()
        try await store.enqueue(.typed("after", in: thread))
        let backend = backend()
        for step in road {
            switch step {
            case "cut": backend.planUploads(.answer(.wait(after: nil, because: .offline)))
            case "lost upload": backend.planUploads(.lostAnswer)
            case "lost insert": backend.plan(.lostAnswer)
            default: break
            }
        }
        var outbox = outbox(backend)
        for _ in 0..<6 where try await outbox.deliver(thread) != .empty { outbox = self.outbox(backend) }
        #expect(server.files.count == 1)
        #expect(server.messages(in: thread).map(\.body) == ["", "after"])
        #expect(sentPaths == Array(server.files.keys))
        #expect(try await store.waitingCount() == 0)
    }

    @Test func aServiceThatAsksForPatienceIsNotAskedForTheFileSooner() async throws {
        _ = try await attach()
        let backend = backend()
        backend.planUploads(.answer(.wait(after: .seconds(3_000), because: .askedToWait)))
        let outbox = outbox(backend)
        _ = try await outbox.deliver(thread)
        guard case .wait(let left?, because: .askedToWait) = try await outbox.deliver(thread) else {
            Issue.record("it did not wait")
            return
        }
        #expect(left > .seconds(2_900))
        #expect(backend.uploads.count == 1)
    }

    @Test func anUploadThatIsDoneIsNotDoneAgain() async throws {
        _ = try await attach()
        let backend = backend(.wait(after: nil, because: .serverFailed))
        #expect(try await outbox(backend).deliver(thread) == .wait(after: nil, because: .serverFailed))
        #expect(try await outbox(backend).deliver(thread) == .empty)
        #expect(backend.uploads.count == 1)
    }

    @Test func aRefusedFileFailsItsMessageAndLetsTheNextPass() async throws {
        _ = try await attach()
        try await store.enqueue(.typed("after", in: thread))
        let backend = backend()
        backend.planUploads(.answer(.refused(.fileTooLarge(limit: 9))))
        #expect(try await outbox(backend).deliver(thread) == .empty)
        let messages = try await store.newestPage(in: thread, limit: 5).messages
        #expect(messages.map(\.failure) == [nil, .fileTooLarge(limit: 9)])
        #expect(server.files.isEmpty)
    }

    @Test func aCopyThatIsGoneFailsTheMessage() async throws {
        let message = try await attach()
        try FileManager.default.removeItem(atPath: spool + "/cat.png")
        #expect(try await outbox(backend()).deliver(thread) == .empty)
        let held = try await store.newestPage(in: thread, limit: 5).messages.first
        #expect(held?.id == message.id && held?.failure == .fileUnreadable)
    }

    @Test func aMissingSignInLeavesTheFileWaiting() async throws {
        _ = try await attach()
        let backend = backend()
        backend.endSession(true)
        #expect(try await outbox(backend).deliver(thread) == .waitForSignIn)
        backend.endSession(false)
        #expect(try await outbox(backend).deliver(thread) == .empty)
        #expect(server.files.count == 1)
    }

    @Test func whatIsDroppedWhileItIsUploadedIsNotSent() async throws {
        let message = try await attach()
        try await store.enqueue(.typed("after", in: thread))
        let backend = backend()
        let gate = Gate()
        backend.holdUploads(at: gate)
        let outbox = outbox(backend)
        async let end = outbox.deliver(thread)
        await gate.arrival()
        #expect(await outbox.mayHaveSent(message.id) == false)
        _ = try await store.drop(message.id, mayHaveArrived: false)
        await outbox.cancelUpload(of: message.id)
        gate.open()
        #expect(try await end == .empty)
        #expect(server.messages(in: thread).map(\.body) == ["after"])
        #expect(try await store.waitingCount() == 0)
    }

    @Test func t72ATriedFileIsSaidToHaveBeenTried() async throws {
        _ = try await attach()
        let backend = backend()
        backend.planUploads(.lostAnswer)
        #expect(try await outbox(backend).deliver(thread) == .wait(after: nil, because: .timedOut))
        #expect(try await outbox(backend).deliver(thread) == .empty)
        #expect(backend.uploads.map(\.wasTried) == [false, true])
        #expect(server.files.count == 1)
    }

    @Test func whatIsDroppedWhileItsUploadEndsIsLookedForTwice() async throws {
        let message = try await attach()
        let backend = backend()
        let gate = Gate()
        backend.holdUploads(at: gate)
        let outbox = outbox(backend)
        async let end = outbox.deliver(thread)
        await gate.arrival()
        _ = try await store.drop(message.id, mayHaveArrived: false)
        try Data("cat.png".utf8).write(to: URL(filePath: spool + "/cat.png"))  // it was being read already
        // The first look comes before the upload has ended at the service.
        #expect(try await outbox.deliver(.ana) == .wait(after: .seconds(15), because: .askedToWait))
        gate.open()
        #expect(try await end == .empty)
        #expect(server.files.count == 1)
        #expect(try await outbox.deliver(.ana) == .empty)
        #expect(server.files.isEmpty)
    }

    /// The upload goes on for longer than anybody looks.
    @Test func whatIsDroppedAndWholeLongAfterThatIsRemovedOnceItIs() async throws {
        let message = try await attach()
        let backend = backend()
        let gate = Gate()
        backend.holdUploads(at: gate)
        let clock = TestClock()
        let outbox = Outbox(store: store, backend: backend, clock: clock)
        async let end = outbox.deliver(thread)
        await gate.arrival()
        _ = try await store.drop(message.id, mayHaveArrived: false)
        try Data("cat.png".utf8).write(to: URL(filePath: spool + "/cat.png"))  // it was being read already
        #expect(try await outbox.deliver(.ana) == .wait(after: .seconds(15), because: .askedToWait))
        clock.advance(by: .seconds(15))
        #expect(try await outbox.deliver(.ana) == .empty)
        gate.open()
        #expect(try await end == .empty)
        #expect(server.files.count == 1)
        #expect(try await store.conversationsWaiting() == [.ana])
        #expect(try await outbox.deliver(.ana) == .empty)
        #expect(server.files.isEmpty)
        #expect(server.messages(in: thread).isEmpty)
    }

    @Test func whatIsDeletedWhileItIsUploadedLeavesNothing() async throws {
        let message = try await attach()
        let backend = backend()
        let gate = Gate()
        backend.holdUploads(at: gate)
        let outbox = outbox(backend)
        async let end = outbox.deliver(thread)
        await gate.arrival()
        try await store.enqueue(.delete(messageID: message.id), in: thread)
        gate.open()
        #expect(try await end == .empty)
        #expect(try await outbox.deliver(.ana) == .empty)
        #expect(server.files.isEmpty)
        #expect(server.messages(in: thread).allSatisfy { $0.isDeleted })
    }

    /// Its send has begun since somebody looked whether it had.
    @Test(arguments: [false, true])
    func whatIsDroppedInTheMomentItIsSentIsTakenBackThoughItsAnswerIsLost(_ isTakenBack: Bool) async throws {
        let message = try await attach()
        let backend = backend()
        backend.plan(.lostAnswer)
        let gate = Gate()
        backend.hold(at: gate)
        let outbox = outbox(backend)
        async let end = outbox.deliver(thread)
        await gate.arrival()
        if isTakenBack {
            _ = try await store.takeBack(message.id, mayHaveArrived: false)
        } else {
            _ = try await store.drop(message.id, mayHaveArrived: false)
        }
        gate.open()
        #expect(try await end == .wait(after: nil, because: .timedOut))
        #expect(server.messages(in: thread).count == 1)
        #expect(try await outbox.deliver(thread) == .empty)
        #expect(server.messages(in: thread).allSatisfy { $0.isDeleted })
        while try await outbox.deliver(.ana) != .empty {}
        #expect(server.files.isEmpty)
    }

    @Test func aDeletedMessageTakesItsFileWithItThroughCutsAndRestarts() async throws {
        let message = try await attach()
        let backend = backend()
        #expect(try await outbox(backend).deliver(thread) == .empty)
        #expect(server.files.count == 1)
        try await store.enqueue(.delete(messageID: message.id), in: thread)
        backend.plan(.lostAnswer, .answer(.wait(after: nil, because: .offline)))
        #expect(try await outbox(backend).deliver(thread) == .wait(after: nil, because: .timedOut))
        #expect(try await outbox(backend).deliver(thread) == .wait(after: nil, because: .offline))
        #expect(try await outbox(backend).deliver(thread) == .empty)
        backend.plan(.lostAnswer)
        #expect(try await outbox(backend).deliver(.ana) == .wait(after: nil, because: .timedOut))
        #expect(try await outbox(backend).deliver(.ana) == .empty)
        #expect(server.files.isEmpty)
        #expect(server.messages(in: thread).allSatisfy { $0.isDeleted })
    }

    @Test func aRemovalThatTheServiceFailsOnIsNeverGivenUpAndHoldsUpNobody() async throws {
        let message = try await attach()
        let backend = backend()
        #expect(try await outbox(backend).deliver(thread) == .empty)
        try await store.enqueue(.delete(messageID: message.id), in: thread)
        #expect(try await outbox(backend).deliver(thread) == .empty)
        let clock = TestClock()
        let outbox = Outbox(store: store, backend: backend, clock: clock)
        for _ in 0..<3 {
            backend.plan(.answer(.wait(after: nil, because: .serverFailed)))
            #expect(try await outbox.deliver(.ana) == .wait(after: nil, because: .serverFailed))
            clock.advance(by: .seconds(601))
        }
        try await store.enqueue(.typed("meanwhile", in: thread))
        #expect(try await outbox.deliver(thread) == .empty)
        #expect(try await outbox.deliver(.ana) == .empty)
        #expect(server.files.isEmpty)
    }

    @Test func progressIsToldUntilTheUploadEnds() async throws {
        let message = try await attach()
        let told = Mutex<[TransferProgress?]>([])
        let outbox = Outbox(
            store: store, backend: backend(),
            onTransfer: { id, progress in
                if id == message.id { told.withLock { $0.append(progress) } }
            })
        _ = try await outbox.deliver(thread)
        #expect(
            told.withLock { $0 } == [
                TransferProgress(moved: 0, total: 7), TransferProgress(moved: 3, total: 7), nil,
            ])
    }
}
