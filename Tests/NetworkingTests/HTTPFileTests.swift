import FoundationEssentials
import Glibc
import Testing

@testable import Networking

@Suite(.timeLimit(.minutes(1)))
struct HTTPFileTests {
    /// A file that goes away with the test.
    private final class TemporaryFile {
        let path: String

        init(_ content: [UInt8] = []) throws {
            path = FileManager.default.temporaryDirectory.path + "/networking-\(UUID().uuidString)"
            try Data(content).write(to: URL(filePath: path))
        }

        deinit { unlink(path) }

        var content: [UInt8] { FileManager.default.contents(atPath: path).map { Array($0) } ?? [] }
    }

    @Test func aFileIsSentFromAnOffsetOn() async throws {
        let content = (0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let file = try TemporaryFile(content)
        let bodies = Signals(of: [UInt8].self)
        let server = try StubServer { peer in
            _ = peer.readHead()
            bodies.send(peer.read(1_400_000))
            peer.answer("200 OK")
        }
        var request = HTTPRequest(.put, server.url, body: .file(path: file.path, offset: 100_000))
        request.progress = { _, _ in }

        #expect(try await HTTPClient().send(request).status == 200)
        #expect(await bodies.next() == Array(content[100_000...]))
    }

    @Test func anAnswerIsAppendedToAFile() async throws {
        let file = try TemporaryFile(Array("half ".utf8))
        let server = try StubServer { peer in
            _ = peer.readHead()
            peer.answer("206 Partial Content", ["Content-Range: bytes 5-9/10"], body: "whole")
        }
        let request = HTTPRequest(.get, server.url, destination: .file(path: file.path))

        let answer = try await HTTPClient().send(request)

        #expect(answer.body.isEmpty)
        #expect(file.content == Array("half whole".utf8))
    }

    @Test func aRefusalDoesNotGoIntoTheFile() async throws {
        let file = try TemporaryFile()
        let server = try StubServer { peer in
            _ = peer.readHead()
            peer.answer("404 Not Found", body: "{}")
        }

        let answer = try await HTTPClient().send(
            HTTPRequest(.get, server.url, destination: .file(path: file.path)))

        #expect(answer.body == Data("{}".utf8))
        #expect(file.content.isEmpty)
    }

    @Test func whatArrivedBeforeABreakIsKept() async throws {
        let file = try TemporaryFile()
        let server = try StubServer { peer in
            _ = peer.readHead()
            peer.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nstart")
        }
        let request = HTTPRequest(.get, server.url, destination: .file(path: file.path))

        await #expect(throws: NetworkError.connectionLost) { try await HTTPClient().send(request) }

        #expect(file.content == Array("start".utf8))
    }

    @Test func aFileThatIsMissingOrShortIsAnErrorOfItsOwn() async throws {
        let file = try TemporaryFile([1, 2, 3])
        let server = try StubServer { peer in
            _ = peer.readHead()
            peer.answer("200 OK", body: "x")
        }
        let client = HTTPClient()
        let missing = HTTPRequest(.post, server.url, body: .file(path: file.path + ".none"))
        let short = HTTPRequest(.post, server.url, body: .file(path: file.path, offset: 4))
        let nowhere = HTTPRequest(.get, server.url, destination: .file(path: file.path + ".none"))

        await #expect(throws: NetworkError.file(code: ENOENT)) { try await client.send(missing) }
        await #expect(throws: NetworkError.file(code: EINVAL)) { try await client.send(short) }
        await #expect(throws: NetworkError.file(code: ENOENT)) { try await client.send(nowhere) }
    }

    @Test func progressIsReported() async throws {
        let reports = Signals(of: Int64.self)
        let server = try StubServer { peer in
            _ = peer.readHead()
            peer.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345")
            // libcurl reports about once a second while nothing moves.
            _ = peer.read(1)
        }
        var request = HTTPRequest(.get, server.url)
        request.progress = { _, received in if received > 0 { reports.send(received) } }
        let task = Task { [request] in try? await HTTPClient().send(request) }

        #expect(await reports.next() == 5)

        task.cancel()
        _ = await task.value
    }
}
