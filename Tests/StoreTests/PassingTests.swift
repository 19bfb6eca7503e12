import FoundationEssentials
import Glibc
import Models
import SQLite
import Store
import TestSupport
import Testing

/// A store in memory beside a file that takes no writing.
@Suite(.serialized) struct PassingTests {
    private let directory = FileManager.default.temporaryDirectory.appending(path: "passing-\(UUID())").path
    private let room = UUID.example(100)
    private var spool: String { directory + "/passing-spool" }

    private func cleanUp() {
        try? FileManager.default.removeItem(atPath: directory)  // a leftover harms nobody
    }

    /// A closed store with a message of each state, and each kind of wish.
    private func fill() async throws -> [Message] {
        let store = try MessageStore.open(directory: directory, for: .ana)
        let old = (0..<3).map { Message.stored("old-\($0)", in: room, from: .ana, at: Int64($0)) }
        try await store.merge(IncomingRows(messages: old + [.stored("theirs", in: room, at: 9)]))
        mkdir(directory + "/spool", 0o700)
        try Data("bytes".utf8).write(to: URL(filePath: directory + "/spool/copy-1"))
        let file = OutgoingFile(
            copy: "copy-1", attachment: Attachment(path: "", name: "a.txt", size: 5), sha256: "x")
        try await store.enqueue(.typed("waiting", in: room), file: file)
        try await store.enqueue(.edit(messageID: old[0].id, body: "edited"), in: room)
        try await store.enqueue(.delete(messageID: old[1].id), in: room)
        try await store.enqueueReaction("❤", isOn: true, to: old[2].id, in: room)
        try await store.markRead(upTo: old[0].id, in: room)
        try await store.enqueue(.typed("refused", in: .example(101)))
        try await store.refuse(
            try #require(try await store.nextWaiting(in: .example(101))), because: .notAMember)
        try await store.saveDraft("half", in: room)
        await store.close()
        return old
    }

    @Test func whatWaitsGoesOutFromMemory() async throws {
        defer { cleanUp() }
        _ = try await fill()
        let store = try await MessageStore.passing(directory: directory, for: .ana, spoolFolder: spool)
        let entries = try await store.outboxEntries()
        #expect(
            entries.map(\.kind) == [
                .markDelivered, .send, .edit, .delete, .react(symbol: "❤", isOn: true), .markRead, .send,
            ])
        #expect(entries.map(\.failure) == [nil, nil, nil, nil, nil, nil, .notAMember])
        #expect(try await store.draft(in: room) == "half")
        // The copy is where this store looks for it.
        #expect(try await store.neededCopies() == ["copy-1"])
        #expect(FileManager.default.contents(atPath: spool + "/copy-1") == Data("bytes".utf8))
        await store.close()
        // The file still has everything.
        let kept = try MessageStore.open(directory: directory, for: .ana)
        #expect(try await kept.outboxEntries().count == 7)
        await kept.close()
    }

    @Test func whatIsSentFromMemoryIsRemovedThereAndStaysInTheFolder() async throws {
        defer { cleanUp() }
        _ = try await fill()
        let store = try await MessageStore.passing(directory: directory, for: .ana, spoolFolder: spool)
        var sent = false
        while let row = try await store.nextWaiting(in: room) {
            guard case .send(let message) = row.operation else {
                try await store.finish(row, with: IncomingRows())
                continue
            }
            var confirmed = message
            (confirmed.position, confirmed.version) = (50, 50)
            try await store.finish(row, with: IncomingRows(messages: [confirmed]))
            sent = true
        }
        #expect(sent)
        #expect(!FileManager.default.fileExists(atPath: spool + "/copy-1"))
        #expect(FileManager.default.fileExists(atPath: directory + "/spool/copy-1"))
        await store.close()
    }

    /// What of the file can be done once more over a newer wish.
    private func repeatable() async throws -> [OutboxEntry.Kind] {
        let store = try MessageStore.open(directory: directory, for: .ana)
        let kinds = try await store.outboxEntries().map(\.kind)
        await store.close()
        return kinds.filter {
            switch $0 {
            case .edit, .react: true
            case .send, .delete, .markRead, .markDelivered, .removeFiles: false
            }
        }
    }

    private func finishAll(of store: MessageStore) async throws {
        while let row = try await store.nextWaiting(in: room) {
            try await store.finish(row, with: IncomingRows())
            // A message without its row waits on; the store does not ask for it twice here.
            if case .send(let message) = row.operation {
                var confirmed = message
                (confirmed.position, confirmed.version) = (50, 50)
                try await store.merge(IncomingRows(messages: [confirmed]))
            }
        }
    }

    @Test func anEditThatIsDoneIsNotDoneAgainAtTheNextStart() async throws {
        defer { cleanUp() }
        _ = try await fill()
        let store = try await MessageStore.passing(directory: directory, for: .ana, spoolFolder: spool)
        try await finishAll(of: store)
        await store.close()
        #expect(try await repeatable().isEmpty)
        // Whatever else is in the file stays there.
        let kept = try MessageStore.open(directory: directory, for: .ana)
        #expect(try await kept.outboxEntries().count == 5)
        await kept.close()
    }

    @Test func whatTheFileDoesNotTakeIsStruckOutOnceItDoes() async throws {
        defer { cleanUp() }
        let old = try await fill()
        let file = directory + "/store.sqlite"
        try SQLConnection(.file(file)).execute("PRAGMA wal_checkpoint(TRUNCATE)")
        for name in ["-wal", "-shm"] {
            unlink(file + name)
            mkdir(file + name, 0o700)
        }
        let store = try await MessageStore.passing(directory: directory, for: .ana, spoolFolder: spool)
        try await finishAll(of: store)
        for name in ["-wal", "-shm"] { rmdir(file + name) }
        // Not by itself, but with the next wish, whatever that is.
        try await store.merge(IncomingRows(messages: old))
        try await store.enqueueReaction("👍", isOn: true, to: old[0].id, in: room)
        #expect(try Remaining(file).kinds.filter { ["edit", "react"].contains($0) } == [])
        await store.close()
    }

    @Test func whatWaitsStillAtTheEndWaitsInTheFile() async throws {
        defer { cleanUp() }
        _ = try await fill()
        let store = try await MessageStore.passing(directory: directory, for: .ana, spoolFolder: spool)
        await store.close()
        #expect(try await repeatable() == [.edit, .react(symbol: "❤", isOn: true)])
    }

    /// SQLite cannot make the index of a log where nothing can be made.
    @Test func aFileIsReadWhereItsLogCannotBeOpened() async throws {
        defer { cleanUp() }
        _ = try await fill()
        let file = directory + "/store.sqlite"
        try SQLConnection(.file(file)).execute("PRAGMA wal_checkpoint(TRUNCATE)")
        unlink(file + "-wal")
        unlink(file + "-shm")
        // As good as a folder that takes no writing, for a test that may write everywhere.
        mkdir(file + "-wal", 0o700)
        mkdir(file + "-shm", 0o700)
        let store = try await MessageStore.passing(directory: directory, for: .ana, spoolFolder: nil)
        #expect(try await store.waitingCount() == 4)
        await store.close()
    }

    @Test(arguments: ["plain", "with ? and # and % 41", "ümlaut"])
    func anUnchangingFileIsFoundWhateverItsName(_ name: String) throws {
        defer { cleanUp() }
        mkdir(directory, 0o700)
        let path = directory + "/" + name
        try SQLConnection(.file(path)).execute("CREATE TABLE t (n); INSERT INTO t VALUES (7)")
        let connection = try SQLConnection(.unchangingFile(path), readOnly: true)
        let value = try connection.first("SELECT n FROM t") { (row) throws(SQLiteError) in
            try row.get(0, as: Int.self)
        }
        #expect(value == 7)
        #expect(throws: SQLiteError.self) { try connection.execute("INSERT INTO t VALUES (8)") }
    }
}

/// The outbox of a file, looked at while somebody else has it.
private struct Remaining {
    let kinds: [String]

    init(_ path: String) throws(SQLiteError) {
        kinds = try SQLConnection(.file(path), readOnly: true).query("SELECT kind FROM outbox ORDER BY seq") {
            (row) throws(SQLiteError) in try row.get(0, as: String.self)
        }
    }
}
