import FoundationEssentials
import Glibc
import Models
import SQLite
import Store
import TestSupport
import Testing

/// Stores that were torn, cut off or emptied, as they were reported of other messengers.
@Suite final class StorageTrialTests {
    private let directory = FileManager.default.temporaryDirectory.appending(path: "torn-\(UUID())").path
    private let room = UUID.example(100)
    private var file: String { directory + "/store.sqlite" }

    deinit { try? FileManager.default.removeItem(atPath: directory) }  // a leftover harms nobody

    /// Two messages and a wish that wait, a draft, and a long history behind them in the file.
    private func fill() async throws {
        let store = try MessageStore.open(directory: directory, for: .ana)
        for body in ["one", "two"] { try await store.enqueue(.typed(body, in: room)) }
        try await store.saveDraft("half", in: room)
        let old = (0..<2_000).map {
            Message.stored(
                "old-\($0)-" + String(repeating: "x", count: 60), in: room, from: .ben, at: Int64($0))
        }
        try await store.merge(IncomingRows(messages: old))
        try await store.enqueue(.edit(messageID: old[0].id, body: "wish"), in: room)
        await store.close()
        try SQLConnection(.file(file)).execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    private var bytes: Data {
        get throws { try Data(contentsOf: URL(filePath: file)) }
    }

    private func write(_ bytes: Data) throws { try bytes.write(to: URL(filePath: file)) }

    private func setAside() throws -> Data { try Data(contentsOf: URL(filePath: file + ".damaged-1")) }

    enum Damage: CaseIterable { case empty, zeros, braces, brackets, null, text, noHeader }

    private func damaged(_ whole: Data, by damage: Damage) -> Data {
        switch damage {
        case .empty: Data()
        case .zeros: Data(repeating: 0, count: whole.count)
        case .braces: Data("{}".utf8)
        case .brackets: Data("[]".utf8)
        case .null: Data("null".utf8)
        case .text: Data(repeating: 0x41, count: whole.count)
        case .noHeader: Data(repeating: 0, count: 100) + whole.dropFirst(100)
        }
    }

    @Test(arguments: Damage.allCases) func t61AStoreThatIsNoneIsSetAsideAndReplaced(_ damage: Damage)
        async throws
    {
        try await fill()
        let torn = damaged(try bytes, by: damage)
        try write(torn)
        let (store, rescue) = try await MessageStore.openOrRebuild(directory: directory, for: .ana)
        #expect(rescue?.setAsideAs == "store.sqlite.damaged-1")
        #expect(try setAside() == torn)
        try await store.enqueue(.typed("on we go", in: room))
        await store.close()
        let (again, news) = try await MessageStore.openOrRebuild(directory: directory, for: .ana)
        #expect(news == nil)
        #expect(try await again.waitingCount() == 1)
        await again.close()
    }

    @Test func t61OfAStoreCutInHalfWhatWaitedIsCarriedOver() async throws {
        try await fill()
        let whole = try bytes
        let torn = whole.prefix(whole.count / 2)
        try write(torn)
        let (store, rescue) = try await MessageStore.openOrRebuild(directory: directory, for: .ana)
        #expect(rescue?.messages == 2)
        #expect(rescue?.drafts == 1)
        #expect(rescue?.changes == 1)
        #expect(try await store.draft(in: room) == "half")
        #expect(try setAside() == torn)
        await store.close()
    }

    @Test func t61ADoubledTailHarmsNothing() async throws {
        try await fill()
        let whole = try bytes
        try write(whole + whole.suffix(whole.count / 2))
        let (store, rescue) = try await MessageStore.openOrRebuild(directory: directory, for: .ana)
        #expect(rescue == nil)
        #expect(try await store.waitingCount() == 3)
        await store.close()
    }

    @Test func t61AStoreOfALaterVersionIsLeftAsItIs() async throws {
        try await fill()
        try SQLConnection(.file(file)).execute("PRAGMA user_version = 999")
        try SQLConnection(.file(file)).execute("PRAGMA wal_checkpoint(TRUNCATE)")
        let before = try bytes
        await #expect(throws: StoreError.tooNew) {
            try await MessageStore.openOrRebuild(directory: directory, for: .ana)
        }
        #expect(try bytes == before)
    }

    @Test func t61DamageWhereTheOutboxIsIsFoundAtTheStart() async throws {
        try await fill()
        var torn = try bytes
        let root = try #require(
            try SQLConnection(.file(file)).first("SELECT rootpage FROM sqlite_master WHERE name = 'outbox'") {
                (row) throws(SQLiteError) in try row.get(0, as: Int.self)
            })
        let page = (root - 1) * 4_096
        torn.replaceSubrange(page..<page + 4_096, with: Data(repeating: 0, count: 4_096))
        try write(torn)
        let (store, rescue) = try await MessageStore.openOrRebuild(directory: directory, for: .ana)
        // The messages themselves are elsewhere; the wish was on the page.
        #expect(rescue?.messages == 2)
        #expect(try await store.waitingCount() == 2)
        #expect(try setAside() == torn)
        await store.close()
    }

    @Test func t61AFirstStartThatFoundNoRoomIsNotTakenForDamage() async throws {
        mkdir(directory, 0o700)
        // A folder where the log of the database should be: it can be made, and not written.
        mkdir(file + "-wal", 0o700)
        #expect(throws: StoreError.self) { try MessageStore.open(directory: directory, for: .ana) }
        rmdir(file + "-wal")
        let (store, rescue) = try await MessageStore.openOrRebuild(directory: directory, for: .ana)
        #expect(rescue == nil)
        await store.close()
    }

    // MARK: Two instances, and no room

    @Test func t62AStoreInMemoryKeepsOthersOutAndLeavesTheFileAlone() async throws {
        try await fill()
        let before = try bytes
        let passing = try await MessageStore.passing(directory: directory, for: .ana, spoolFolder: nil)
        try await passing.enqueue(.typed("in memory", in: room))
        #expect(throws: StoreError.self) { try MessageStore.open(directory: directory, for: .ana) }
        await #expect(throws: StoreError.self) {
            try await MessageStore.passing(directory: directory, for: .ana, spoolFolder: nil)
        }
        await passing.close()
        #expect(try bytes == before)
        let store = try MessageStore.open(directory: directory, for: .ana)
        #expect(try await store.waitingCount() == 3)
        await store.close()
    }

    @Test func t60AFolderThatIsNoneStillGivesAStoreInMemory() async throws {
        try Data().write(to: URL(filePath: directory))
        let store = try await MessageStore.passing(directory: directory, for: .ana, spoolFolder: nil)
        try await store.enqueue(.typed("in memory", in: room))
        #expect(try await store.waitingCount() == 1)
        await store.close()
    }
}
