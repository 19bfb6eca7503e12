import Dispatch
import FoundationEssentials
import Glibc
import PrivateFiles
import Secrets
import Synchronization
import Testing

/// Secrets files that were torn or left open, as they were reported of other programs.
@Suite(.serialized) final class SecretTrialTests {
    private let folder: String
    private let name = SecretName(rawValue: "session")
    private var path: String { folder + "/secrets.json" }
    private var store: FileSecretStore { FileSecretStore(folder: folder) }

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/secrets-trial-\(UUID().uuidString)"
        _ = try PrivateFolder.prepare(folder)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }  // a leftover harms no test

    private var bytes: Data {
        get throws { try Data(contentsOf: URL(filePath: path)) }
    }

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    // MARK: Corrupt files

    enum Damage: CaseIterable { case cut, empty, zeros, braces, brackets, null, wrongTypes, doubled }

    private func damaged(_ whole: Data, by damage: Damage) -> Data {
        switch damage {
        case .cut: whole.prefix(whole.count / 2)
        case .empty: Data()
        case .zeros: Data(repeating: 0, count: whole.count)
        case .braces: Data("{}".utf8)
        case .brackets: Data("[]".utf8)
        case .null: Data("null".utf8)
        case .wrongTypes: Data(#"{"version":1,"secrets":{"session":5}}"#.utf8)
        case .doubled: whole + whole.suffix(whole.count / 2)
        }
    }

    @Test(arguments: Damage.allCases) func t61ATornFileIsSetAsideAsItIs(_ damage: Damage) async throws {
        try await store.set("a token", for: name)
        let torn = damaged(try bytes, by: damage)
        try torn.write(to: URL(filePath: path))
        await #expect(throws: SecretError.damaged(setAside: path + ".damaged-1")) {
            try await store.set("a newer one", for: name)
        }
        #expect(try Data(contentsOf: URL(filePath: path + ".damaged-1")) == torn)
        #expect(mode(path + ".damaged-1") == 0o600)
        try await store.set("a newer one", for: name)
        #expect(try await store.value(for: name) == "a newer one")
    }

    @Test(arguments: [#"{"version":999}"#, #"{"version":999,"secrets":[]}"#, #"{"version":2,"secrets":{}}"#])
    func t61AFileOfALaterVersionIsLeftAsItIs(_ text: String) async throws {
        try Data(text.utf8).write(to: URL(filePath: path))
        await #expect(throws: SecretError.tooNew) { try await store.value(for: name) }
        await #expect(throws: SecretError.tooNew) { try await store.set("x", for: name) }
        #expect(try bytes == Data(text.utf8))
    }

    /// What a kill leaves at any moment is what somebody reads at that moment.
    @Test(.timeLimit(.minutes(1))) func t61OfTwoHundredSavesNoneIsEverSeenTorn() async throws {
        try await store.set("start", for: name)
        let isOver = Mutex(false)
        let path = path
        let (looks, sink) = AsyncStream.makeStream(of: Bool.self)
        // On a thread of its own: it never waits, and must not be waited for.
        DispatchQueue(label: "reader").async {
            while !isOver.withLock({ $0 }) { sink.yield(Self.isWhole(path)) }
            sink.finish()
        }
        for number in 0..<200 {
            try await store.set(String(repeating: "t", count: 1 + number * 37 % 8_000), for: name)
        }
        isOver.withLock { $0 = true }
        var seen: [Bool: Int] = [:]
        for await isWhole in looks { seen[isWhole, default: 0] += 1 }
        #expect(seen[true, default: 0] > 0)
        #expect(seen[false] == nil)
    }

    private static func isWhole(_ path: String) -> Bool {
        guard let bytes = try? PrivateFile.read(path) else { return false }
        return (try? JSONDecoder().decode([String: JSONEither].self, from: bytes)) != nil
    }

    /// Any value of the file.
    private enum JSONEither: Decodable {
        case number(Int)
        case texts([String: String])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Int.self) {
                self = .number(number)
            } else {
                self = .texts(try container.decode([String: String].self))
            }
        }
    }

    // MARK: Secrets on disk

    @Test func t63ALooseFileIsClosedByTheNextSaveAndLook() async throws {
        let before = umask(0)
        defer { umask(before) }
        try await store.set("one", for: name)
        for change in ["two", "three"] {
            chmod(path, 0o644)
            chmod(folder, 0o755)
            try await store.set(change, for: name)
            #expect(mode(path) == 0o600)
            #expect(mode(folder) == 0o700)
        }
        chmod(path, 0o644)
        #expect(try await store.value(for: name) == "three")
        #expect(mode(path) == 0o600)
        for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
            #expect(mode(folder + "/" + file) == 0o600, "\(file)")
        }
    }
}
