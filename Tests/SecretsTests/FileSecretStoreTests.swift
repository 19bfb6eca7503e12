import FoundationEssentials
import Glibc
import Secrets
import Synchronization
import Testing

@Suite(.serialized) final class FileSecretStoreTests: Sendable {
    private let folder: String
    private let name = SecretName(rawValue: "session")

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/secrets-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }  // a leftover harms no test

    private func store() -> FileSecretStore { FileSecretStore(folder: folder) }

    private func mode(_ name: String) -> mode_t {
        var status = stat()
        return stat(folder + "/" + name, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    private func write(_ text: String, mode: mode_t = 0o600) throws {
        try Data(text.utf8).write(to: URL(filePath: folder + "/secrets.json"))
        chmod(folder + "/secrets.json", mode)
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }
    }

    @Test func aValueComesBackAlsoToAnotherStore() async throws {
        let store = store()
        #expect(try await store.value(for: name) == nil)
        try await store.set("a \"quoted\" value", for: name)
        #expect(try await self.store().value(for: name) == "a \"quoted\" value")
        try await store.set(nil, for: name)
        #expect(try await self.store().value(for: name) == nil)
    }

    @Test func nobodyElseCanReadItWhateverTheUmask() async throws {
        let before = umask(0)
        defer { umask(before) }
        try await store().set("x", for: name)
        let lock = try await store().lock(name, patience: .zero)
        #expect(mode("secrets.json") == 0o600)
        #expect(try names.allSatisfy { mode($0) & 0o077 == 0 })
        lock.release()
    }

    @Test func anUmaskThatTakesEverythingLeavesItReadableForUs() async throws {
        let before = umask(0o777)
        defer { umask(before) }
        try await store().set("x", for: name)
        #expect(mode("secrets.json") == 0o600)
    }

    @Test func looseModesAreTightenedOnReading() async throws {
        try await store().set("x", for: name)
        chmod(folder + "/secrets.json", 0o644)
        chmod(folder, 0o755)
        #expect(try await store().value(for: name) == "x")
        #expect(mode("secrets.json") == 0o600)
        #expect(mode("") == 0o700)
    }

    @Test func aDamagedFileIsSetAsideAndNeverOverwrittenUnseen() async throws {
        for number in 1...2 {
            try write("{ torn \(number)")
            await #expect(throws: SecretError.damaged(setAside: folder + "/secrets.json.damaged-\(number)")) {
                try await store().value(for: name)
            }
            #expect(try await store().value(for: name) == nil)
        }
        try await store().set("new", for: name)
        let kept = try String(contentsOf: URL(filePath: folder + "/secrets.json.damaged-1"), encoding: .utf8)
        #expect(kept == "{ torn 1")
    }

    @Test func aDamagedFileStopsAWriteToo() async throws {
        try write("[]")
        await #expect(throws: SecretError.damaged(setAside: folder + "/secrets.json.damaged-1")) {
            try await store().set("new", for: name)
        }
    }

    @Test func aFileOfALaterVersionIsLeftAlone() async throws {
        try write(#"{"version":2,"secrets":{}}"#)
        await #expect(throws: SecretError.tooNew) { try await store().value(for: name) }
        await #expect(throws: SecretError.tooNew) { try await store().set("x", for: name) }
        #expect(try names.filter { $0.contains("damaged") }.isEmpty)
    }

    @Test func aMissingFolderIsAnEmptyStoreThatCannotBeWritten() async throws {
        let store = FileSecretStore(folder: folder + "/none")
        #expect(try await store.value(for: name) == nil)
        await #expect(throws: SecretError.missingFolder) { try await store.set("x", for: name) }
    }

    @Test func aLinkInTheFilesPlaceIsNotFollowed() async throws {
        let outside = folder + "/outside"
        try Data("x".utf8).write(to: URL(filePath: outside))
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/secrets.lock", withDestinationPath: outside)
        await #expect(throws: SecretError.notWritable) { try await store().set("y", for: name) }
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/secrets.json", withDestinationPath: outside)
        await #expect(throws: SecretError.notReadable(code: ELOOP)) { try await store().value(for: name) }
    }

    @Test func whatACrashLeftBesideTheFileIsNoHindrance() async throws {
        try Data("half".utf8).write(to: URL(filePath: folder + "/secrets.json.new"))
        chmod(folder + "/secrets.json.new", 0o666)
        try await store().set("x", for: name)
        #expect(mode("secrets.json") == 0o600)
        #expect(try names == ["secrets.json", "secrets.lock"])
    }

    @Test func writersOfOneFolderLoseNothingOfEachOther() async throws {
        let stores = [store(), store(), store()]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<60 {
                group.addTask {
                    try await stores[number % 3].set("v\(number)", for: SecretName(rawValue: "n\(number)"))
                }
            }
            try await group.waitForAll()
        }
        for number in 0..<60 {
            #expect(try await store().value(for: SecretName(rawValue: "n\(number)")) == "v\(number)")
        }
    }

    @Test func aLockIsHeldByOneUntilItIsReleased() async throws {
        let looks = Mutex(0)
        let first = try await store().lock(name, patience: .zero)
        let waiting = FileSecretStore(folder: folder) { _ in
            if looks.withLock({
                $0 += 1; return $0
            }) == 3 {
                first.release()
            }
        }
        let second = try await waiting.lock(name, patience: .seconds(1))
        #expect(looks.withLock { $0 } == 3)
        await #expect(throws: SecretError.busy) {
            _ = try await FileSecretStore(folder: folder) { _ in }.lock(name, patience: .seconds(1))
        }
        second.release()
    }

    @Test func aLockEndsWithItsOwner() async throws {
        do { _ = try await store().lock(name, patience: .zero) }
        _ = try await store().lock(name, patience: .zero)
    }
}
