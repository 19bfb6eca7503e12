import FoundationEssentials
import Glibc
import Models
import SQLite
import Store
import TestSupport
import Testing

@Suite(.serialized) struct StoreFileTests {
    private let directory = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID())").path

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    private func cleanUp() {
        try? FileManager.default.removeItem(atPath: directory)  // a leftover harms nobody
    }

    @Test func everythingIsTheOwnersAlsoUnderAnOpenUmask() async throws {
        defer { cleanUp() }
        let before = umask(0)
        defer { umask(before) }
        let store = try MessageStore.open(directory: directory, for: .ana)
        try await store.enqueue(.typed("secret", in: .example(100)))
        #expect(mode(directory) == 0o700)
        let names = try FileManager.default.contentsOfDirectory(atPath: directory)
        #expect(names.count >= 3)
        for name in names { #expect(mode(directory + "/" + name) == 0o600, "\(name)") }
        await store.close()
    }

    @Test func aClosedStoreTakesNothingMore() async throws {
        defer { cleanUp() }
        let store = try MessageStore.open(directory: directory, for: .ana)
        await store.close()
        let second = try MessageStore.open(directory: directory, for: .ana)
        await #expect(throws: StoreError.closed) {
            try await store.enqueue(.typed("too late", in: .example(100)))
        }
        await second.close()
    }

    @Test func looseModesAreTightened() async throws {
        defer { cleanUp() }
        let first = try MessageStore.open(directory: directory, for: .ana)
        await first.close()
        chmod(directory, 0o755)
        chmod(directory + "/store.sqlite", 0o644)
        let again = try MessageStore.open(directory: directory, for: .ana)
        #expect(mode(directory) == 0o700)
        #expect(mode(directory + "/store.sqlite") == 0o600)
        await again.close()
    }

    @Test func aSecondHolderIsToldWhoHasTheAccount() async throws {
        defer { cleanUp() }
        let store = try MessageStore.open(directory: directory, for: .ana)
        do throws(StoreError) {
            _ = try MessageStore.open(directory: directory, for: .ana)
            Issue.record("the account was opened twice")
        } catch {
            guard case .inUse(let holder) = error else { throw error }
            #expect(holder.contains("process \(getpid())"))
        }
        await store.close()
        await (try MessageStore.open(directory: directory, for: .ana)).close()
    }

    @Test func aStoreOfALaterVersionIsLeftAlone() async throws {
        defer { cleanUp() }
        await (try MessageStore.open(directory: directory, for: .ana)).close()
        try SQLConnection(.file(directory + "/store.sqlite")).execute("PRAGMA user_version = 999")
        #expect(throws: StoreError.tooNew) { try MessageStore.open(directory: directory, for: .ana) }
    }

    @Test func aFileThatIsNoDatabaseIsDamaged() async throws {
        defer { cleanUp() }
        mkdir(directory, 0o700)
        try Data(repeating: 0x41, count: 8_192).write(to: URL(filePath: directory + "/store.sqlite"))
        #expect(throws: StoreError.damaged) { try MessageStore.open(directory: directory, for: .ana) }
    }

    @Test func aDamagedStoreIsSetAsideAndWhatWaitedIsCarriedOver() async throws {
        defer { cleanUp() }
        let room = UUID.example(100)
        let store = try MessageStore.open(directory: directory, for: .ana)
        for body in ["one", "two"] { try await store.enqueue(.typed(body, in: room)) }
        try await store.saveDraft("half", in: room)
        await store.close()
        // Damage was met while the store was in use.
        try Data().write(to: URL(filePath: directory + "/store.damaged"))

        let (rebuilt, rescue) = try await MessageStore.openOrRebuild(directory: directory, for: .ana)

        #expect(rescue?.setAsideAs == "store.sqlite.damaged-1")
        #expect(rescue?.messages == 2)
        #expect(rescue?.drafts == 1)
        #expect(try await rebuilt.newestPage(in: room, limit: 9).messages.map(\.body) == ["one", "two"])
        #expect(try await rebuilt.waitingCount() == 2)
        #expect(try await rebuilt.draft(in: room) == "half")
        #expect(mode(directory + "/store.sqlite.damaged-1") == 0o600)
        await rebuilt.close()
        let (again, nothing) = try await MessageStore.openOrRebuild(directory: directory, for: .ana)
        #expect(nothing == nil)
        await again.close()
    }

    @Test func aStoreOfWhichNothingCanBeReadIsRebuiltEmpty() async throws {
        defer { cleanUp() }
        mkdir(directory, 0o700)
        try Data(repeating: 0x41, count: 8_192).write(to: URL(filePath: directory + "/store.sqlite"))
        let (store, rescue) = try await MessageStore.openOrRebuild(directory: directory, for: .ana)
        #expect(rescue?.messages == 0)
        try await store.enqueue(.typed("on we go", in: .example(100)))
        await store.close()
    }

    @Test func aFileInPlaceOfTheFolderCannotBeWritten() throws {
        defer { cleanUp() }
        try Data().write(to: URL(filePath: directory))
        #expect(throws: StoreError.readOnly) { try MessageStore.open(directory: directory, for: .ana) }
    }

    @Test func draftsSurvive() async throws {
        defer { cleanUp() }
        let store = try MessageStore.open(directory: directory, for: .ana)
        try await store.saveDraft("half a thou", in: .example(100))
        await store.close()
        let again = try MessageStore.open(directory: directory, for: .ana)
        #expect(try await again.draft(in: .example(100)) == "half a thou")
        try await again.saveDraft("", in: .example(100))
        #expect(try await again.draft(in: .example(100)) == "")
        await again.close()
    }
}
