import Backend
import Digest
import FoundationEssentials
import Models
import Networking
import Server
import Synchronization
import Testing

@testable import SupabaseBackend

/// Files through a real server on loopback.
@Suite(.timeLimit(.minutes(2))) struct ServerFileTests {
    private func withPair(
        _ change: (inout ServerConfiguration) -> Void = { _ in },
        _ body: (ServerWorld, SupabaseBackend, SupabaseBackend, FileUpload) async throws -> Void
    )
        async throws
    {
        let world = try await ServerWorld.start(change)
        let (ana, ben) = (try await world.person("ana"), try await world.person("ben"))
        let room = try await ana.createConversation(
            id: UUID(), with: [ben.userID], title: nil, isGroup: false)
        let bytes = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
        let path = world.folder + "/copy"
        try bytes.write(to: URL(filePath: path))
        let file = FileUpload(
            messageID: UUID(), conversationID: room, localPath: path, name: "Film.MP4",
            mimeType: "video/mp4", size: Int64(bytes.count), sha256: Hex.encode(Digest.sha256(bytes)))
        do { try await body(world, ana, ben, file) } catch {
            await world.end()
            throw error
        }
        await world.end()
    }

    private func empty(_ name: String, in world: ServerWorld) throws -> String {
        let path = world.folder + "/" + name
        try Data().write(to: URL(filePath: path))
        return path
    }

    private func contents(_ path: String) -> Data? { FileManager.default.contents(atPath: path) }

    @Test func aFileArrivesAsItWasSentAndIsKeptOnce() async throws {
        try await withPair { world, ana, ben, file in
            let path = Files.path(of: file)
            #expect(await ana.upload(file) { _ in } == .stored(path: path))
            #expect(await ana.upload(file) { _ in } == .stored(path: path))
            let message = OutgoingMessage(
                id: file.messageID, conversationID: file.conversationID, body: "",
                attachment: Models.Attachment(
                    path: path, name: file.name, mimeType: file.mimeType, size: file.size))
            guard case .stored(let change?) = await ana.perform(.send(message)) else {
                Issue.record("not sent")
                return
            }
            #expect(change.message.attachment == message.attachment && change.message.imageURL == nil)
            let remote = try await ben.remoteFile(at: path)
            #expect(remote.size == file.size)
            let part = try empty("part", in: world)
            #expect(try await ben.fetch(path, remote, onto: part, from: 0) { _ in } == .rest)
            #expect(contents(part) == contents(file.localPath))
        }
    }

    @Test func aFetchGoesOnBehindWhatIsThere() async throws {
        try await withPair { world, ana, ben, file in
            _ = await ana.upload(file) { _ in }
            let path = Files.path(of: file)
            let remote = try await ben.remoteFile(at: path)
            let whole = try #require(contents(file.localPath))
            let part = world.folder + "/part"
            try whole.prefix(1_234_567).write(to: URL(filePath: part))
            #expect(try await ben.fetch(path, remote, onto: part, from: 1_234_567) { _ in } == .rest)
            #expect(contents(part) == whole)
            let other = RemoteFile(size: remote.size, version: "another")
            #expect(
                try await ben.fetch(path, other, onto: try empty("p2", in: world), from: 0) { _ in }
                    == .nothingOfUse)
        }
    }

    @Test func anotherContentUnderTheSameMessageIsRefused() async throws {
        try await withPair { world, ana, _, file in
            _ = await ana.upload(file) { _ in }
            var other = file
            other.localPath = world.folder + "/other"
            other.sha256 = Hex.encode(Digest.sha256(Data(repeating: 1, count: Int(file.size))))
            try Data(repeating: 1, count: Int(file.size)).write(to: URL(filePath: other.localPath))
            #expect(await ana.upload(other) { _ in } == .refused(.refused(code: "Duplicate")))
        }
    }

    @Test func whoIsNotInTheConversationNeitherBringsNorSees() async throws {
        try await withPair { world, ana, _, file in
            _ = await ana.upload(file) { _ in }
            let cleo = try await world.person("cleo")
            await #expect(throws: BackendError.notFound) {
                try await cleo.remoteFile(at: Files.path(of: file))
            }
            var own = file
            own.messageID = UUID()
            #expect(await cleo.upload(own) { _ in } == .refused(.notAMember))
        }
    }

    @Test func t70ATokenThatRunsOutWhileFilesWaitTheirTurnIsRenewed() async throws {
        let ahead = Mutex<Int64>(0)
        try await withPair({ $0.now = { ServerConfiguration.systemNow() + ahead.withLock { $0 } } }) {
            world, ana, ben, file in
            let path = Files.path(of: file)
            #expect(await ana.upload(file) { _ in } == .stored(path: path))
            for number in 0..<20 {
                if number % 7 == 6 { ahead.withLock { $0 += 2 * 3_600 * 1_000_000 } }
                if number == 19 {
                    _ = await ana.perform(
                        .removeFiles(messageID: file.messageID, conversationID: file.conversationID))
                    await #expect(throws: BackendError.notFound) { try await ben.remoteFile(at: path) }
                } else {
                    let remote = try await ben.remoteFile(at: path)
                    #expect(remote.sha256 == file.sha256)
                    let part = try empty("part \(number)", in: world)
                    #expect(try await ben.fetch(path, remote, onto: part, from: 0) { _ in } == .rest)
                }
            }
        }
    }

    @Test func t69AnEmptyFileIsBroughtAndFetched() async throws {
        try await withPair { world, ana, ben, file in
            var nothing = file
            nothing.localPath = try empty("nothing", in: world)
            nothing.size = 0
            nothing.sha256 = Hex.encode(Digest.sha256(Data()))
            #expect(await ana.upload(nothing) { _ in } == .stored(path: Files.path(of: file)))
            #expect(try await ben.remoteFile(at: Files.path(of: file)).size == 0)
        }
    }

    @Test func whatTheServerHasNoRoomForIsToldApart() async throws {
        try await withPair({ $0.limits.accountBytes = 1_000 }) { _, ana, _, file in
            #expect(await ana.upload(file) { _ in } == .refused(.quotaUsedUp))
        }
        try await withPair({ $0.limits.storedBytes = 1_000 }) { _, ana, _, file in
            #expect(await ana.upload(file) { _ in } == .refused(.serviceFull))
        }
    }

    @Test func aSharedLinkNeedsNoSignIn() async throws {
        try await withPair { world, ana, _, file in
            _ = await ana.upload(file) { _ in }
            let url = try await ana.sharedLink(to: Files.path(of: file), lifetime: .seconds(60))
            let answer = try await HTTPClient().send(HTTPRequest(.get, url.absoluteString))
            #expect(answer.status == 200 && answer.body == contents(file.localPath))
        }
    }
}
