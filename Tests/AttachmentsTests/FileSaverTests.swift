import Backend
import FoundationEssentials
import Models
import Synchronization
import TestSupport
import Testing

@testable import Attachments

@Suite(.timeLimit(.minutes(1))) final class FileSaverTests: Sendable {
    private let folder: String
    private let backend = FakeBackend()
    private let path = "c/m/file.bin"
    private let bytes = Data((0..<1_000).map { UInt8(truncatingIfNeeded: $0) })

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/pingline-save-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        backend.server.keep(bytes, at: path)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }  // a leftover harms no test

    private var saver: FileSaver { FileSaver(backend) { _ in } }

    private func attachment(_ name: String? = "talk.pdf") -> Models.Attachment {
        Models.Attachment(path: path, name: name)
    }

    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    @Test func aSavedFileIsWholeAndHasItsSendersName() async throws {
        let told = Mutex<[Int64]>([])
        let name = try await saver.save(attachment(), in: folder, fallback: "file") { bytes, _ in
            told.withLock { $0.append(bytes) }
        }
        #expect(name == "talk.pdf")
        #expect(FileManager.default.contents(atPath: folder + "/talk.pdf") == bytes)
        #expect(try await saver.save(attachment(), in: folder, fallback: "file") == "talk (2).pdf")
        #expect(names == ["talk (2).pdf", "talk.pdf"])
        #expect(told.withLock { $0 } == [1_000])
    }

    @Test func aNameThatLeadsElsewhereStaysInTheFolder() async throws {
        let name = try await saver.save(attachment("../../.bashrc"), in: folder, fallback: "file")
        #expect(name == "bashrc")
        #expect(try await saver.save(attachment(nil), in: folder, fallback: "file") == "file")
    }

    @Test func aFetchThatIsCutGoesOnWhereItStopped() async throws {
        backend.cutFetches(after: 300, 0, 0, 0, 200)
        _ = try await saver.save(attachment(), in: folder, fallback: "file")
        #expect(backend.fetchOffsets == [0, 300, 300, 300, 300, 500])
        #expect(FileManager.default.contents(atPath: folder + "/talk.pdf") == bytes)
    }

    @Test func tooManyFruitlessTriesEndItAndLeaveNothing() async throws {
        backend.cutFetches(after: 0, 0, 0, 0, 0, 0)
        await #expect(throws: SaveError.service(.offline(.lost))) {
            try await saver.save(attachment(), in: folder, fallback: "file")
        }
        #expect(names.isEmpty)
    }

    @Test func aFileThatIsReplacedMeanwhileIsFetchedAnew() async throws {
        backend.cutFetches(after: 300)
        let other = Data(repeating: 7, count: 900)
        let saver = FileSaver(backend) { [backend, path] _ in backend.server.keep(other, at: path) }
        _ = try await saver.save(attachment(), in: folder, fallback: "file")
        #expect(backend.fetchOffsets == [0, 0])
        #expect(FileManager.default.contents(atPath: folder + "/talk.pdf") == other)
    }

    @Test func whatIsGoneOrHasNoFolderIsToldApart() async throws {
        let gone = Models.Attachment(path: "c/m/other", name: "x")
        await #expect(throws: SaveError.service(.notFound)) {
            try await saver.save(gone, in: folder, fallback: "file")
        }
        await #expect(throws: SaveError.destination(.unavailable)) {
            try await saver.save(attachment(), in: folder + "/nowhere", fallback: "file")
        }
        #expect(names.isEmpty)
    }

    @Test func aCancelledSaveLeavesNothing() async throws {
        backend.cutFetches(after: 10, 10)
        let saver = FileSaver(backend) { _ in throw CancellationError() }
        await #expect(throws: SaveError.cancelled) {
            try await saver.save(attachment(), in: folder, fallback: "file")
        }
        #expect(names.isEmpty)
    }
}
