import Backend
import FoundationEssentials
import Models
import Networking
import SupabaseWire
import Testing
import WireFixtures

@testable import SupabaseBackend

/// What the client makes of what a server answers. That every member of an answer is read is shown in
/// `SupabaseWireTests`.
@Suite struct WireAnswerTests {
    // MARK: Errors

    /// What each refusal of the REST door means, with the status it comes with.
    private static let restErrors: [String: (status: Int, meaning: BackendError)] = [
        "taken": (409, .taken), "unknown-member": (409, .notFound), "check": (400, .invalid),
        "null": (400, .invalid), "id": (400, .invalid), "time": (400, .invalid), "text": (400, .invalid),
        "denied": (403, .notAllowed), "column": (400, .unexpected(code: "42703")),
        "no-message": (404, .notFound), "one-row": (406, .notFound),
        "ambiguous": (300, .unexpected(code: "PGRST201")), "relation": (400, .unexpected(code: "PGRST200")),
        "function": (404, .unsupported), "body-column": (400, .unexpected(code: "PGRST204")),
        "table": (404, .unsupported), "query": (400, .unexpected(code: "PGRST100")),
        "body": (400, .unexpected(code: "PGRST102")), "range": (416, .unexpected(code: "PGRST103")),
        "schema": (406, .unexpected(code: "PGRST106")), "media": (406, .unexpected(code: "PGRST107")),
        "token": (401, .signedOut), "expired": (401, .signedOut),
        "unfiltered": (400, .unexpected(code: "21000")),
    ]

    private static let storageErrors: [String: BackendError] = [
        "no-bucket": .notFound, "no-object": .notFound, "denied": .notAllowed, "token": .signedOut,
        "duplicate": .taken, "too-large": .invalid, "type": .invalid,
        "key": .unexpected(code: "InvalidKey"), "url-altered": .unexpected(code: "InvalidJWT"),
        "url-expired": .unexpected(code: "InvalidJWT"), "url-other": .unexpected(code: "InvalidSignature"),
        "range": .invalid, "busy": .busy(retryAfter: nil),
    ]

    private static let authErrors: [String: (status: Int, code: String, weaknesses: [String])] = [
        "": (400, "invalid_credentials", []), "-unversioned": (400, "invalid_credentials", []),
        "-weak-password": (422, "weak_password", ["length"]),
        "-weak-password-unversioned": (422, "weak_password", ["length"]),
        "-oldest": (400, "invalid_grant", []),
    ]

    @Test func everyErrorHasItsMeaning() {
        let names = WireFixture.names.filter { $0.contains("/error") }
        let known =
            Self.restErrors.keys.map { "rest/error-\($0).answer" }
            + Self.storageErrors.keys.map { "storage/error-\($0).answer" }
            + Self.authErrors.keys.map { "auth/error\($0).answer" }
        #expect(Set(known) == names)
    }

    @Test(arguments: restErrors.keys.sorted()) func aRefusalOfTheRestDoorMeansOneThing(_ name: String) throws
    {
        let expected = try #require(Self.restErrors[name])
        let answer = try HTTPResponse.fixture("rest/error-\(name).answer", expected.status)
        #expect(RestFailure(answer, now: 0)?.backendError == expected.meaning)
    }

    @Test(arguments: storageErrors.keys.sorted())
    func aRefusalOfTheStorageDoorMeansOneThing(_ name: String) throws {
        let answer = try HTTPResponse.fixture("storage/error-\(name).answer", 400)
        #expect(StorageFailure(answer, now: 0)?.backendError == Self.storageErrors[name])
    }

    @Test(arguments: authErrors.keys.sorted()) func aRefusalOfTheAuthDoorMeansOneThing(_ name: String) throws
    {
        let expected = try #require(Self.authErrors[name])
        let answer = try HTTPResponse.fixture("auth/error\(name).answer", expected.status)
        #expect(
            AuthFailure(refusal: answer, now: 0)
                == .refused(status: expected.status, code: expected.code, weaknesses: expected.weaknesses))
    }

    @Test(arguments: ["no-key", "unknown-key", "unknown-key-self-hosted"])
    func aRefusalBeforeTheDoorsIsAboutTheKey(_ name: String) throws {
        let answer = try HTTPResponse.fixture("gateway/\(name).answer", 401)
        #expect(RestFailure(answer, now: 0)?.backendError == .offline(.refused))
        #expect(AuthFailure(refusal: answer, now: 0) == .keyRefused)
    }

    /// Before that the session was renewed, and the upgrade tried once more.
    @Test func aRefusedUpgradeIsAboutTheKey() throws {
        let answer = try HTTPResponse.fixture("realtime/refused.answer", 401)
        #expect(NetworkError.upgradeRefused(answer).backendError == .offline(.refused))
    }

    // MARK: Sessions

    @Test(arguments: ["auth/session.answer", "auth/session-hosted.answer"])
    func aSessionIsKept(_ name: String) async throws {
        let fixture = try await FixtureWorld([.fixture(name)])
        let session = try await fixture.world.auth.signIn(email: "a", password: "b")
        #expect(session.refreshToken == "k3x9q2m7t1za" && session.userID == CoreDriver.me)
        #expect(session.expiresAt == 1_798_765_200)
    }

    @Test func aUserWithoutASessionMustConfirm() async throws {
        let body = SignUpBody(email: "a", password: "b", username: "c", displayName: "d")
        for name in ["auth/user-unconfirmed.answer", "auth/user.answer"] {
            let fixture = try await FixtureWorld([.fixture(name)])
            guard case .mustConfirm = try await fixture.world.auth.signUp(body) else {
                Issue.record("\(name) was taken for a session")
                continue
            }
        }
    }

    @Test func theLifeOfATokenIsReadFromItsClaims() async throws {
        let claims = try WireFixture.named("auth/claims.token")
        let session = try session(claims: claims.bytes)
        #expect(session.expiresAt == 1_798_765_200 && session.issuedAt == 1_798_761_600)
    }

    @Test func noNumberInATokenOrItsAnswerOverflows() throws {
        let claims = try DeformableObject(WireFixture.named("auth/claims.token").json)
        let answer = try DeformableObject(WireFixture.named("auth/session.answer").json)
        for deformation in Deformation.allCases {
            for key in ["exp", "iat", "sub", "amr"] {
                let session = try session(claims: claims.bytes(key, deformation))
                _ = session.secondsLeft(at: 1_798_761_600_000_000)
                #expect((0...60).contains(session.margin))
            }
            for key in ["expires_in", "expires_at"] {
                let body = try WireCoding.decode(
                    SessionBody.self, from: Data(answer.bytes(key, deformation)))
                let session = StoredSession(body, receivedAt: 1_798_761_600_000_000)
                #expect((0...253_402_300_800).contains(session.expiresAt), "\(key) \(deformation)")
                _ = session.secondsLeft(at: 1_798_761_600_000_000)
            }
        }
    }

    private func session(claims: [UInt8]) throws -> StoredSession {
        let middle = Data(claims).base64EncodedString().filter { $0 != "=" }
            .replacing("+", with: "-").replacing("/", with: "_")
        let answer = try WireFixture.named("auth/session.answer").text.replacing(
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.c2ln", with: "h.\(middle).s")
        return StoredSession(
            try WireCoding.decode(SessionBody.self, from: answer), receivedAt: 1_798_761_600_000_000)
    }

    // MARK: Files

    private let third = fixtureID("9c3e5f12-7b84-4d06-a1f9-3e5c7d9b1a24")

    @Test func anUploadIsDoneAndAFileKnown() async throws {
        let upload = FileUpload(
            messageID: third, conversationID: CoreDriver.room, localPath: "/spool/copy", name: "a.png",
            mimeType: "image/png", size: 5, sha256: "ab")
        let fixture = try await FixtureWorld([
            .fixture("storage/upload.answer"), .fixture("storage/info.answer"),
            .fixture("storage/sign.answer"),
        ])
        let path = "\(CoreDriver.room.text)/\(third.text)/file.png"
        #expect(await fixture.files.upload(upload) { _ in } == .stored(path: path))
        let digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
        let known = RemoteFile(size: 48_211, version: #""9b2c""#, sha256: digest)
        #expect(try await fixture.files.remoteFile(at: path) == known)
        let link = try await fixture.files.sharedLink(to: path, lifetime: .seconds(60))
        let part = "/storage/v1/object/sign/attachments/\(path)?token=ey"
        #expect(link.absoluteString.hasPrefix(ScriptedHTTP.base + part))
    }

    @Test func deformedFactsOfAFileAreNoFileOrTheRightOne() async throws {
        let facts = try DeformableObject(WireFixture.named("storage/info.answer").json)
        for key in facts.keys {
            for deformation in Deformation.allCases where deformation != .deep {
                let fixture = try await FixtureWorld([.json(facts.text(key, deformation))])
                do throws(StorageFailure) {
                    let file = try await fixture.files.remoteFile(at: "a/b/c")
                    #expect((0...(1 << 50)).contains(file.size), "\(key) \(deformation)")
                } catch {
                    #expect(error == .unreadable && ["size", "etag"].contains(key), "\(key) \(deformation)")
                }
            }
        }
    }
}
