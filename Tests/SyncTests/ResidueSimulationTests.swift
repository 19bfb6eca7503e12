import Backend
import FoundationEssentials
import Models
import Store
import Sync
import TestSupport
import Testing

/// Whatever is sent, lost, dropped and deleted in whatever order, a file is at the service when a message names it, and
/// only then.
@Suite(.timeLimit(.minutes(2))) struct ResidueSimulationTests {
    private let thread = UUID.example(100)

    @Test(arguments: 0..<60)
    func filesAndMessagesAgreeInTheEnd(_ seed: UInt64) async throws {
        let spool = FileManager.default.temporaryDirectory.path + "/pingline-residue-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: spool, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: spool) }  // a leftover harms nobody
        let server = FakeServer()
        server.addConversation(thread, of: [.ana, .ben])
        let store = try MessageStore.inMemory(for: .ana, spoolFolder: spool)
        let backend = FakeBackend(server: server)
        var outbox = Outbox(store: store, backend: backend)
        var random = SeededRandom(seed: seed)
        var dropped: Set<UUID> = []

        for step in 0..<40 {
            switch Int.random(in: 0..<12, using: &random) {
            case 0...2: try await attach("file \(step)", in: spool, to: store)
            case 3: backend.planUploads(Self.uploadFaults.randomElement(using: &random) ?? .lostAnswer)
            case 4: backend.plan(Self.faults.randomElement(using: &random) ?? .lostAnswer)
            case 5: outbox = Outbox(store: store, backend: backend)  // as after a crash
            case 6:
                dropped.formUnion(try await loseOne(of: store, outbox, &random))
            case 7:
                // While something is under way.
                let working = outbox
                async let end = working.deliver(thread)
                dropped.formUnion(try await loseOne(of: store, working, &random))
                _ = try await end
            case 8: try await store.merge(IncomingRows(messages: server.messages(in: thread)))
            default:
                _ = try await outbox.deliver(thread)
                _ = try await outbox.deliver(.ana)
            }
        }
        try await settle(Outbox(store: store, backend: backend), backend)

        let messages = server.messages(in: thread)
        let failed = try await store.newestPage(in: thread, limit: 100).messages.filter { $0.failure != nil }
        let named = Set(messages.compactMap { $0.attachment?.path })
        #expect(named.isSubset(of: server.files.keys), "seed \(seed)")
        for path in server.files.keys where !named.contains(path) {
            // A message that may be sent again keeps what was brought for it.
            #expect(failed.contains { path.contains($0.id.text) }, "seed \(seed)")
        }
        #expect(messages.allSatisfy { $0.isDeleted || !dropped.contains($0.id) }, "seed \(seed)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: spool).count == failed.count)
    }

    private static let uploadFaults: [FakeBackend.UploadFault] = [
        .lostAnswer, .answer(.wait(after: nil, because: .offline)), .answer(.refused(.quotaUsedUp)),
    ]
    private static let faults: [FakeBackend.Fault] = [
        .lostAnswer, .answer(.wait(after: nil, because: .serverFailed)),
    ]

    private func attach(_ name: String, in spool: String, to store: MessageStore) async throws {
        try Data(name.utf8).write(to: URL(filePath: spool + "/" + name))
        let file = OutgoingFile(
            copy: name, attachment: Models.Attachment(path: "", name: name, size: Int64(name.utf8.count)),
            sha256: "of " + name)
        try await store.enqueue(.typed("", id: UUID(), in: thread), file: file)
    }

    /// Deletes a message as the screen does: one that waits or failed is dropped, one that is there deleted.
    private func loseOne(of store: MessageStore, _ outbox: Outbox, _ random: inout SeededRandom)
        async throws -> [UUID]
    {
        let all = try await store.newestPage(in: thread, limit: 100).messages.filter { !$0.isDeleted }
        guard let message = all.randomElement(using: &random) else { return [] }
        if message.position == nil {
            let mayHaveArrived = await outbox.mayHaveSent(message.id)
            _ = try await store.drop(message.id, mayHaveArrived: mayHaveArrived)
        } else {
            try await store.enqueue(.delete(messageID: message.id), in: thread)
        }
        return [message.id]
    }

    private func settle(_ outbox: Outbox, _ backend: FakeBackend) async throws {
        for _ in 0..<100 {
            let ends = try await [outbox.deliver(thread), outbox.deliver(.ana)]
            if ends == [.empty, .empty] { return }
        }
        Issue.record("something waits for ever")
    }
}
