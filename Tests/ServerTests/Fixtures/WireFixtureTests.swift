import Digest
import FoundationEssentials
import Networking
import SupabaseWire
import Synchronization
import Testing
import WireFixtures

@testable import Server

/// The server's side of the wire: it takes and sends the shapes that the client is held against, too.
@Suite struct WireFixtureTests {
    private static let texts = WireFixture.all.filter { !$0.isBinary }

    // MARK: Codecs

    @Test(arguments: texts) func everyShapeIsWrittenAsItWasRead(_ fixture: WireFixture) throws {
        let value = try WireCoding.decode(from: fixture.bytes, brokenText: .refused)
        #expect(try WireCoding.decode(from: value.jsonText) == value)
    }

    @Test(arguments: texts.filter { $0.version != nil && $0.isFromServer })
    func everyFrameIsWrittenAsItWasRead(_ fixture: WireFixture) throws {
        let version = try #require(fixture.version)
        let frame = try RealtimeFrame(text: fixture.text, version: version)
        let again = OutgoingFrame(
            joinRef: frame.joinRef, ref: frame.ref, topic: frame.topic, event: frame.event,
            payload: frame.payload.jsonText)
        #expect(try WireCoding.decode(from: again.text(version)) == fixture.json)
    }

    @Test(arguments: ["typing", "bytes"]) func everyBinaryFrameIsWrittenAsItWasRead(_ name: String) throws {
        let push = try #require(
            BinaryBroadcast(push: WireFixture.named("realtime/\(name).binary.client").bytes))
        #expect(push.delivered == (try WireFixture.named("realtime/\(name).binary.server").bytes))
        guard name == "typing" else { return }
        let text = OutgoingFrame(topic: push.topic, event: "broadcast", payload: push.textPayload ?? "")
        let expected = try WireFixture.named("realtime/typing.v1.server").json
        #expect(try JSONShape.differences(WireCoding.decode(from: text.text(.one)), from: expected) == [])
    }

    // MARK: A server that runs

    @Test func theAuthDoorTakesAndSendsWhatStandsThere() async throws {
        try await FixtureRoom.run { room in
            for step in AuthFixtureSteps.all { try await step.run(in: room) }
            let claims = try WireFixture.named("auth/claims.token").json
            #expect(
                try JSONShape.differences(Self.claims(room.ada.token).without(["jti"]), from: claims) == [])
        }
    }

    @Test func theRestDoorTakesAndSendsWhatStandsThere() async throws {
        try await FixtureRoom.run { room in
            for step in RestFixtureSteps.all { try await step.run(in: room) }
        }
    }

    @Test func theStorageDoorTakesAndSendsWhatStandsThere() async throws {
        try await FixtureRoom.run({ $0.limits.objectBytes = 1_000 }) { room in
            try await room.openConversation()
            for step in StorageFixtureSteps.all { try await step.run(in: room) }
        }
    }

    @Test func theDoorOfBroadcastsTakesAndSendsWhatStandsThere() async throws {
        try await FixtureRoom.run { room in
            for step in Self.broadcasts { try await step.run(in: room) }
        }
    }

    private static let broadcasts: [FixtureStep] = [
        .post("realtime/broadcast.request", "/realtime/v1/api/broadcast", status: 202),
        FixtureStep(
            sends: "realtime/broadcast-invalid.answer", method: "POST", path: "/realtime/v1/api/broadcast",
            body: .json(["messages": [["event": "typing", "payload": [:]]]]), status: 422),
        FixtureStep(
            sends: "realtime/broadcast-unauthorized.answer", method: "POST",
            path: "/realtime/v1/api/broadcast",
            body: .json(["messages": []]), headers: [("Authorization", "Bearer x.y.z")], status: 401),
        .get("realtime/refused.answer", "/realtime/v1/websocket?vsn=1.0.0", status: 401).with {
            $0.headers = [("apikey", "")]
        },
    ]

    /// A token and the URL of a file that have run out, and a URL that is of another file.
    @Test func whatRanOutIsRefusedAsItStandsThere() async throws {
        let later = Mutex<Int64>(0)
        let now: @Sendable () -> Int64 = { ServerConfiguration.systemNow() + later.withLock { $0 } }
        try await FixtureRoom.run({ $0.now = now }) { room in
            try await room.openConversation()
            let file =
                "/storage/v1/object/attachments/\(FixtureRoom.conversation)/\(FixtureRoom.second)/file.png"
            let sign = file.replacing("/object/", with: "/object/sign/")
            _ = try await room.call("POST", file, [1, 2, 3], headers: [("Content-Type", "image/png")])
            let signed = try await room.call("POST", sign, Array(#"{"expiresIn":60}"#.utf8)).json
            let url = "/storage/v1" + (signed["signedURL"]?.string ?? "")
            let other = url.replacing("file.png", with: "none.png")
            try await Self.refused("storage/error-url-other.answer", other, by: .nobody, status: 400).run(
                in: room)
            later.withLock { $0 = 7_200_000_000 }
            try await Self.refused("storage/error-url-expired.answer", url, by: .nobody, status: 400).run(
                in: room)
            try await Self.refused("rest/error-expired.answer", "/rest/v1/messages", by: .ada, status: 401)
                .run(in: room)
        }
    }

    private static func refused(_ sends: String, _ path: String, by person: FixtureRoom.Person, status: Int)
        -> FixtureStep
    {
        .get(sends, path, by: person, status: status)
    }

    @Test func aBusyStorageSaysSoAsItStandsThere() throws {
        let answer = try WireCoding.decode(from: StorageFault.busy.answer.body)
        #expect(answer == (try WireFixture.named("storage/error-busy.answer").json))
    }

    // MARK: Completeness

    /// What other servers send, and ours never.
    private static let foreign: Set = [
        // Addresses are confirmed by the server itself, and there is one kind of sign-in.
        "auth/session-hosted.answer", "auth/user-unconfirmed.answer", "auth/error-oldest.answer",
        "gateway/unknown-key-self-hosted.answer",
    ]

    @Test func everyShapeIsHeldAgainstTheServer() {
        let steps = AuthFixtureSteps.all + RestFixtureSteps.all + StorageFixtureSteps.all + Self.broadcasts
        let held = Set(steps.compactMap(\.takes)).union(steps.compactMap(\.sends)).union([
            "auth/claims.token", "rest/error-expired.answer", "storage/error-url-expired.answer",
            "storage/error-url-other.answer", "storage/error-busy.answer",
        ])
        #expect(held.intersection(Self.foreign) == [])
        let frames = WireFixture.all.filter { $0.version != nil || $0.isBinary }  // `RealtimeFixtureTests`
        #expect(held.union(Self.foreign) == WireFixture.names.subtracting(frames.map(\.name)))
    }

    private static func claims(_ token: String) throws -> JSONValue {
        let parts = token.split(separator: ".")
        return try WireCoding.decode(from: Base64URL.decode(String(parts[1])) ?? [])
    }
}
