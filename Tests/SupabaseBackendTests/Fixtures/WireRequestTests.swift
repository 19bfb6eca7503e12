import Backend
import FoundationEssentials
import Models
import Networking
import SupabaseWire
import Testing
import WireFixtures

@testable import SupabaseBackend

/// What the client writes, held against the same fixtures as what the server takes.
@Suite struct WireRequestTests {
    /// How the client comes to write each body; the answer is the body it wrote.
    private typealias Writer = @Sendable (FixtureWorld) async throws -> JSONValue?

    private static let bodies: [String: Writer] = [
        "auth/sign-up.request": {
            let names = SignUpBody(
                email: "ada@example.test", password: "correct horse", username: "ada", displayName: "Ada")
            _ = try? await $0.world.auth.signUp(names)
            return $0.body
        },
        "auth/sign-in.request": {
            _ = try? await $0.world.auth.signIn(email: "ada@example.test", password: "correct horse")
            return $0.body
        },
        "auth/refresh.request": {
            _ = try? await $0.world.auth.refresh("k3x9q2m7t1za")
            return $0.body
        },
        "rest/send.request": {
            await $0.sent(OutgoingMessage(id: message, conversationID: room, body: "hello"))
        },
        "rest/send-reply.request": {
            await $0.sent(
                OutgoingMessage(id: second, conversationID: room, body: "hello, too", replyTo: message))
        },
        "rest/send-file.request": {
            await $0.sent(
                OutgoingMessage(
                    id: third, conversationID: room, body: "",
                    attachment: Attachment(
                        path: "\(room.text)/\(third.text)/file.png", name: "Cat (1).png",
                        mimeType: "image/png", size: 48_211, width: 640, height: 480)))
        },
        "rest/edit.request": {
            await $0.performed(.edit(messageID: message, conversationID: room, body: "hello!"))
        },
        "rest/delete.request": { await $0.performed(.delete(messageID: message, conversationID: room)) },
        "rest/set-reaction.request": {
            await $0.performed(.react(messageID: message, conversationID: room, symbol: "👍", isOn: true))
        },
        "rest/mark.request": {
            await $0.performed(.markRead(conversationID: room, messageID: message))
        },
        "rest/mark-newest.request": {
            await $0.performed(.markDelivered(conversationID: room, messageID: nil))
        },
        "rest/create-conversation.request": { fixture in
            _ = try? await fixture.writing.createConversation(
                id: room, with: [bo], title: "Trip", isGroup: true)
            return fixture.body
        },
        "rest/create-pair.request": { fixture in
            _ = try? await fixture.writing.createConversation(
                id: pair, with: [bo], title: nil, isGroup: false)
            return fixture.body
        },
        "rest/add-members.request": { fixture in
            _ = try? await fixture.writing.addMembers([cy], to: room)
            return fixture.body
        },
        "rest/leave.request": { fixture in
            _ = try? await fixture.writing.leaveConversation(room)
            return fixture.body
        },
        "rest/list-conversations.request": { fixture in
            _ = try? await fixture.reading.conversations(before: nil)
            return fixture.body
        },
        "rest/list-conversations-older.request": { fixture in
            let row = try #require(try fixture.listed().first)
            _ = try? await fixture.reading.conversations(before: fixture.reading.mapping.head(row))
            return fixture.body
        },
        "rest/search-profiles.request": { fixture in
            _ = try? await fixture.reading.people(matching: "bo")
            return fixture.body
        },
        "storage/metadata.request": { fixture in
            let upload = FileUpload(
                messageID: third, conversationID: room, localPath: "/spool/copy", name: "a.png",
                mimeType: "image/png", size: 5,
                sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
            _ = await fixture.files.upload(upload) { _ in }
            let header = fixture.world.http.requests.first?.headers["x-metadata"]
            return try header.flatMap { Data(base64Encoded: $0) }.map { try WireCoding.decode(from: $0) }
        },
        "storage/sign.request": { fixture in
            _ = try? await fixture.files.sharedLink(to: "a/b/c", lifetime: .seconds(60))
            return fixture.body
        },
    ]

    /// How the client comes to write each frame; it speaks version 1 only.
    private static let frames: [String: @Sendable () -> RealtimeFrame] = [
        "join-inbox": { RealtimeFrames.join(.inbox, topic: inbox, ref: "1", token: token, userID: ada) },
        "join-room": {
            RealtimeFrames.join(.conversation(room), topic: roomTopic, ref: "2", token: token, userID: ada)
        },
        "heartbeat": { RealtimeFrames.heartbeat("12") },
        "leave": { RealtimeFrames.leave(topic: roomTopic, ref: "13", joinRef: "2") },
        "access-token": { RealtimeFrames.accessToken(token, topic: inbox, ref: "14", joinRef: "1") },
        "track": { RealtimeFrames.track(topic: roomTopic, ref: "15", joinRef: "2") },
        "typing": { RealtimeFrames.typing(true, by: ada, topic: roomTopic, ref: "17", joinRef: "2") },
    ]

    /// What other clients write and this one has no use for; the server must take it all the same.
    private static let othersOnly: Set = [
        "auth/sign-up-official.request", "auth/user-names.request", "auth/user-password.request",
        "rest/send-many.request", "rest/profile.request", "rest/set-flags.request",
        "rest/search-messages.request", "realtime/broadcast.request", "realtime/join-official.v1.client",
        "realtime/heartbeat-null.v1.client", "realtime/untrack.v1.client", "storage/list.request",
        "storage/sign-text.request", "storage/sign-many.request", "storage/remove.request",
        "storage/bucket-new.request",
    ]

    @Test func everyShapeOfTheClientIsWrittenByItOrByOthersOnly() {
        let names = Set(WireFixture.all.filter { !$0.isFromServer }.map(\.name))
        let otherVersion = names.filter { $0.contains(".v2.") || $0.contains(".binary.") }
        let own = Set(Self.bodies.keys).union(Self.frames.keys.map { "realtime/\($0).v1.client" })
        #expect(own.union(Self.othersOnly) == names.subtracting(otherVersion))
        #expect(own.intersection(Self.othersOnly) == [])
    }

    @Test(arguments: bodies.keys.sorted()) func aBodyIsWrittenAsItStandsThere(_ name: String) async throws {
        let writer = try #require(Self.bodies[name])
        let body = try await writer(try await FixtureWorld())
        #expect(body == (try WireFixture.named(name).json))
    }

    @Test(arguments: frames.keys.sorted()) func aFrameIsWrittenAsItStandsThere(_ name: String) throws {
        let frame = try #require(Self.frames[name])
        let text = try frame().text(version: .one, fromServer: false)
        #expect(try WireCoding.decode(from: text) == WireFixture.named("realtime/\(name).v1.client").json)
    }
}

// The people and things of the fixtures.
private let ada = CoreDriver.me
private let room = CoreDriver.room
private let inbox = CoreDriver.inbox
private let roomTopic = CoreDriver.roomTopic
private let bo = fixtureID("7b2e4c90-1d3f-4a58-8e21-5c9a0f6d7b32")
private let cy = fixtureID("c41d8a76-0b9e-4f13-9a57-2e8f6b1c3d54")
private let message = fixtureID("0f6c1e88-2a55-4c9d-8a0e-9b7d4c3f2a10")
private let second = fixtureID("9c3e5f12-7b84-4d06-a1f9-3e5c7d9b1a24")
private let third = fixtureID("e5a7c9d1-3b5f-4e7a-8c9e-1f3b5d7a9c46")
private let pair = fixtureID("b9d1f3a5-7c9e-4b1d-8f3a-5c7e9b1d3f79")
private let token = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.c2ln"

func fixtureID(_ text: String) -> UUID { UUID(uuidString: text) ?? UUID() }
