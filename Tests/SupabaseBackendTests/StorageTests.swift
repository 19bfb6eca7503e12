import Backend
import Diagnostics
import FoundationEssentials
import Models
import Networking
import SupabaseWire
import Synchronization
import Testing

@testable import SupabaseBackend

@Suite struct StorageTests {
    private let room = CoreDriver.room
    private let id = UUID()
    private let world: SessionWorld
    private let files: Files
    private let done = HTTPResponse.json(#"{"Id":"x","Key":"attachments/a/b/c"}"#)

    init() throws {
        world = try SessionWorld()
        files = world.files()
    }

    private func upload(_ name: String = "Cat photo.PNG", size: Int64 = 5) -> FileUpload {
        FileUpload(
            messageID: id, conversationID: room, localPath: "/spool/copy", name: name, mimeType: "image/png",
            size: size, sha256: "ab12")
    }

    private var path: String { "\(room.text)/\(id.text)/file.png" }

    private func outcome(_ answers: HTTPResponse..., size: Int64 = 5) async throws -> UploadOutcome {
        try await world.keep(1)
        for answer in answers { world.http.then(answer) }
        return await files.upload(upload(size: size)) { _ in }
    }

    /// As Storage refuses: HTTP 400, the status in the body.
    private func refusal(_ status: Int, _ code: String, _ message: String = "x") -> HTTPResponse {
        .json(400, #"{"statusCode":"\#(status)","error":"e","message":"\#(message)","code":"\#(code)"}"#)
    }

    private func info(size: Int = 5, sha256: String? = "ab12") -> HTTPResponse {
        let metadata = sha256.map { #"{"sha256":"\#($0)"}"# } ?? "{}"
        return .json(#"{"name":"n","size":\#(size),"etag":"\"9b2c\"","metadata":\#(metadata)}"#)
    }

    // MARK: Up

    @Test func anUploadIsStreamedUnderAPathOfIdsWithoutLeaveToReplace() async throws {
        #expect(try await outcome(done) == .stored(path: path))
        let request = world.http.requests[0]
        #expect(world.http.paths == ["/storage/v1/object/attachments/\(path)"])
        #expect(request.method == .post)
        #expect(request.headers["x-upsert"] == nil)
        #expect(request.headers["Content-Type"] == "image/png")
        let metadata = request.headers["x-metadata"].flatMap { Data(base64Encoded: $0) }
        #expect(metadata == Data(#"{"sha256":"ab12"}"#.utf8))
        guard case .file("/spool/copy", 0) = request.body else {
            Issue.record("the file is not streamed")
            return
        }
    }

    @Test func aLargeFileIsAskedForAndSentOverAConnectionOfItsOwn() async throws {
        _ = try await outcome(done)
        _ = try await outcome(done, size: 2 << 20)
        #expect(world.http.requests.map { $0.headers["Expect"] } == [nil, "100-continue"])
        #expect(world.http.requests.map(\.onNewConnection) == [false, true])
    }

    @Test(arguments: [
        ("a.tar.gz", "file.gz"), ("noending", "file"), ("evil.p/../x", "file"), (".profile", "file.profile"),
        ("é.späß", "file"), ("x.", "file"), ("a.12345678901234567", "file"),
    ])
    func anObjectsNameHoldsNothingOfTheUsersWords(_ name: String, _ last: String) {
        #expect(Files.path(of: upload(name)).split(separator: "/").last.map(String.init) == last)
    }

    @Test func t72ADuplicateOfOurOwnIsDone() async throws {
        let taken = refusal(409, "ResourceAlreadyExists")
        #expect(try await outcome(taken, info()) == .stored(path: path))
        #expect(world.http.paths[1] == "/storage/v1/object/info/attachments/\(path)")
        #expect(try await outcome(taken, info(sha256: nil)) == .stored(path: path))
        #expect(world.http.requests.allSatisfy { $0.method != .put })
    }

    @Test func t72AFileThatAnEarlierTryBroughtIsNotSentAgain() async throws {
        try await world.keep(1)
        var again = upload()
        again.wasTried = true
        world.http.then(info())
        #expect(await files.upload(again) { _ in } == .stored(path: path))
        #expect(world.http.paths == ["/storage/v1/object/info/attachments/\(path)"])
        world.http.then(refusal(404, "NoSuchKey"))
        world.http.then(done)
        #expect(await files.upload(again) { _ in } == .stored(path: path))
        #expect(world.http.requests.last?.method == .post)
    }

    @Test func aDuplicateOfAnotherContentIsRefused() async throws {
        let taken = refusal(409, "ResourceAlreadyExists")
        let wrong = UploadOutcome.refused(.refused(code: "Duplicate"))
        #expect(try await outcome(taken, info(size: 4)) == wrong)
        #expect(try await outcome(taken, info(sha256: "ff")) == wrong)
    }

    @Test func aLostAnswerWhileLookingAtTheDuplicateWaits() async throws {
        let end = try await outcome(refusal(409, "ResourceAlreadyExists"), .html(502))
        #expect(end == .wait(after: nil, because: .serverFailed))
    }

    @Test func aTooLargeFileIsNotEvenSent() async throws {
        let end = try await outcome(size: Files.limit + 1)
        #expect(end == .refused(.fileTooLarge(limit: Files.limit)))
        #expect(world.http.requests.isEmpty)
    }

    @Test func refusalsOfAnUploadAreToldApart() async throws {
        let policy = refusal(403, "AccessDenied", "new row violates row-level security policy")
        let answers: [(HTTPResponse, UploadOutcome)] = [
            (refusal(413, "EntityTooLarge"), .refused(.fileTooLarge(limit: Files.limit))),
            (.html(413), .refused(.fileTooLarge(limit: Files.limit))),
            (policy, .refused(.notAMember)),
            (refusal(415, "InvalidMimeType"), .refused(.refused(code: "InvalidMimeType"))),
            (.html(503, ["Retry-After": "3"]), .wait(after: .seconds(3), because: .askedToWait)),
            (refusal(429, "SlowDown"), .wait(after: nil, because: .askedToWait)),
            (refusal(500, "InternalError"), .wait(after: nil, because: .serverFailed)),
            (refusal(507, "QuotaExceeded"), .refused(.quotaUsedUp)),
            (refusal(507, "StorageFull"), .refused(.serviceFull)),
            (.json(402, "{}"), .refused(.serviceFull)), (.html(507), .refused(.serviceFull)),
            (.html(302), .wait(after: nil, because: .offline)),
            (.html(200), .wait(after: nil, because: .offline)),
            (.json("[]"), .wait(after: nil, because: .serverFailed)),
        ]
        for (answer, expected) in answers { #expect(try await outcome(answer) == expected) }
    }

    @Test func aCutWaitsAndAFileThatIsGoneIsRefused() async throws {
        try await world.keep(1)
        world.http.then { _ throws(NetworkError) in throw .connectionLost }
        #expect(await files.upload(upload()) { _ in } == .wait(after: nil, because: .offline))
        world.http.then { _ throws(NetworkError) in throw .file(code: 2) }
        #expect(await files.upload(upload()) { _ in } == .refused(.fileUnreadable))
    }

    @Test func anExpiredTokenIsReplacedOnce() async throws {
        let expired = refusal(403, "AccessDenied", #"\"exp\" claim timestamp check failed"#)
        let end = try await outcome(expired, .json(world.sessionJSON(2)), done)
        #expect(end == .stored(path: path))
        #expect(world.http.requests.map { $0.bearer.flatMap { number(of: $0) } }.last == 2)
    }

    @Test func progressIsToldInBytesSent() async throws {
        try await world.keep(1)
        let answer = done
        world.http.then { request throws(NetworkError) in
            request.progress?(3, 0)
            return answer
        }
        let told = Mutex<[Int64]>([])
        _ = await files.upload(upload()) { bytes in told.withLock { $0.append(bytes) } }
        #expect(told.withLock { $0 } == [3])
    }

    // MARK: Away

    private func removal(_ answers: HTTPResponse...) async throws -> OperationOutcome {
        try await world.keep(1)
        for answer in answers { world.http.then(answer) }
        return await files.removeAll(of: id, in: room)
    }

    @Test func whatWasBroughtForAMessageIsLookedForAndRemoved() async throws {
        let list = HTTPResponse.json(#"[{"name":"file.png","id":"x"},{"name":"other","id":"y"}]"#)
        #expect(try await removal(list, .json("[]")) == .stored(nil))
        #expect(
            world.http.paths == [
                "/storage/v1/object/list/attachments", "/storage/v1/object/attachments",
            ])
        let folder = "\(room.text)/\(id.text)"
        #expect(
            world.http.requests[0].bodyJSON == ["prefix": .string(folder + "/"), "limit": 100, "offset": 0])
        #expect(world.http.requests[1].method == .delete)
        #expect(
            world.http.requests[1].bodyJSON
                == ["prefixes": [.string(folder + "/file.png"), .string(folder + "/other")]])
    }

    @Test func whereNothingIsNothingIsRemoved() async throws {
        #expect(try await removal(.json("[]")) == .stored(nil))
        #expect(world.http.requests.count == 1)
    }

    @Test func aRemovalThatIsCutOrAskedToWaitWaits() async throws {
        let list = HTTPResponse.json(#"[{"name":"file.png"}]"#)
        #expect(try await removal(list, .html(503)) == .wait(after: nil, because: .serverFailed))
        #expect(
            try await removal(.html(503, ["Retry-After": "3"]))
                == .wait(after: .seconds(3), because: .askedToWait))
        #expect(try await removal(refusal(404, "NoSuchBucket")) == .refused(.refused(code: "NoSuchBucket")))
    }

    // MARK: Down

    private func fetch(from offset: Int64 = 0, _ answer: HTTPResponse) async throws -> FetchedPart {
        try await world.keep(1)
        world.http.then(answer)
        do throws(StorageFailure) {
            return try await files.fetch(
                path, RemoteFile(size: 10, version: #""9b2c""#), onto: "/tmp/part", from: offset
            ) { _ in }
        } catch { throw error.backendError }
    }

    @Test func whatIsThereIsAskedForItsSizeAndVersion() async throws {
        try await world.keep(1)
        world.http.then(info(size: 48_211))
        #expect(try await files.remoteFile(at: path) == RemoteFile(size: 48_211, version: #""9b2c""#))
    }

    @Test func aFetchGoesOnWhereItStopped() async throws {
        #expect(try await fetch(HTTPResponse(status: 200, headers: ["ETag": #""9b2c""#])) == .rest)
        #expect(world.http.requests[0].headers["Range"] == nil)
        let rest = HTTPResponse(status: 206, headers: ["ETag": #"W/"9b2c""#])
        #expect(try await fetch(from: 4, rest) == .rest)
        #expect(world.http.requests[1].headers["Range"] == "bytes=4-")
        #expect(world.http.requests[1].responseLimit == 6)
        guard case .file("/tmp/part") = world.http.requests[1].destination else {
            Issue.record("the file is not streamed")
            return
        }
    }

    @Test func t68WhatIsNotTheRestOfTheSameFileIsOfNoUse() async throws {
        let whole = HTTPResponse(status: 200, headers: ["ETag": #""9b2c""#])
        #expect(try await fetch(from: 4, whole) == .nothingOfUse)
        let other = HTTPResponse(status: 206, headers: ["ETag": #""ffff""#])
        #expect(try await fetch(from: 4, other) == .nothingOfUse)
        #expect(try await fetch(from: 4, refusal(416, "InvalidRange")) == .nothingOfUse)
        #expect(try await fetch(from: 11, whole) == .nothingOfUse)
        #expect(try await fetch(from: 10, whole) == .rest)
    }

    @Test(arguments: [
        "application/octet-stream", "image/png", "image/svg+xml", "text/plain; charset=utf-8", "nonsense", "",
    ])
    func t71WhateverItsTypeIsSaidToBeAFileIsFetchedAsItIs(_ type: String) async throws {
        let answer = HTTPResponse(status: 200, headers: ["ETag": #""9b2c""#, "Content-Type": type])
        #expect(try await fetch(answer) == .rest)
    }

    @Test func t71APageInPlaceOfAFileIsOfNoUse() async throws {
        #expect(try await fetch(.html(200)) == .nothingOfUse)
    }

    @Test(arguments: [(String(repeating: "AB", count: 32), true), ("ab12", false), (nil, false)])
    func aDigestIsOnlyBelievedWhenItIsOne(_ digest: String?, _ isOne: Bool) async throws {
        try await world.keep(1)
        world.http.then(info(sha256: digest))
        #expect(try await files.remoteFile(at: path).sha256 == (isOne ? digest?.lowercased() : nil))
    }

    @Test func aRefusedFetchIsAnErrorAndNoFile() async throws {
        await #expect(throws: BackendError.notFound) {
            try await fetch(refusal(404, "NoSuchKey", "Object not found"))
        }
        await #expect(throws: BackendError.offline(.intercepted)) { try await fetch(.html(302)) }
    }

    @Test(arguments: ["", "a//b", "a/../../rest/v1/x", "a/./b", "/a"])
    func aPathThatLeadsOutOfTheBucketIsNotThere(_ path: String) async throws {
        try await world.keep(1)
        await #expect(throws: StorageFailure.link(.notFound)) { try await files.remoteFile(at: path) }
        #expect(world.http.requests.isEmpty)
    }

    @Test func aSharedLinkIsUnderTheDoor() async throws {
        try await world.keep(1)
        world.http.then(.json(#"{"signedURL":"/object/sign/attachments/a/b/c.png?token=t.o.k"}"#))
        let url = try await files.sharedLink(to: path, lifetime: .seconds(60))
        #expect(
            url.absoluteString
                == ScriptedHTTP.base + "/storage/v1/object/sign/attachments/a/b/c.png?token=t.o.k")
        #expect(world.http.requests[0].bodyJSON == ["expiresIn": 60])
    }
}
