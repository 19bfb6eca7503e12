import FoundationEssentials
import Networking
import SupabaseWire
import Testing
import WireFixtures

@testable import Server

/// Requests and frames with one member out of order: refused in the words of their door, or taken, and never more
/// than that.
@Suite struct DeformedRequestTests {
    @Test(arguments: ["auth", "rest", "storage"])
    func aDeformedRequestIsRefusedInTheWordsOfItsDoor(_ door: String) async throws {
        let steps = AuthFixtureSteps.all + RestFixtureSteps.all + StorageFixtureSteps.all
        let known = steps.filter { $0.takes?.hasPrefix(door + "/") == true }
        try await FixtureRoom.run({ $0.limits.failedSignInsPerAddress = 100_000 }) { room in
            try await room.openConversation()
            _ = try await room.call(
                "POST", "/rest/v1/messages", room.bytes(of: WireFixture.named("rest/send.request")))
            for step in known { try await deform(step, room, door) }
            // It is still there, for everybody.
            #expect(try await room.call("GET", "/auth/v1/health").status == 200)
            #expect(try await room.call("GET", "/rest/v1/messages?limit=1", by: .bo).status == 200)
        }
    }

    private func deform(_ step: FixtureStep, _ room: FixtureRoom, _ door: String) async throws {
        let name = try #require(step.takes)
        let whole = try WireCoding.decode(from: room.bytes(of: WireFixture.named(name)))
        guard let members = (whole.object ?? whole.array?.first?.object) else { return }
        let object = try DeformableObject(.object(members))
        for key in object.keys + ["future_member"] {
            for deformation in Deformation.allCases {
                let body = object.bytes(key, deformation)
                let answer = try await room.call(
                    step.method, step.path, body, by: step.by, headers: step.headers)
                let place = Comment(
                    rawValue: "\(name) \(key) \(deformation): \(answer.status) \(answer.text.prefix(200))")
                #expect(answer.status < 500, place)
                guard answer.status >= 300 else { continue }
                let words = try answer.json
                switch door {
                case "auth": #expect(words["error_code"]?.string != nil && words["msg"]?.string != nil, place)
                case "rest": #expect(words["code"]?.string != nil && words["message"]?.string != nil, place)
                default: #expect(words["statusCode"]?.string != nil && words["code"]?.string != nil, place)
                }
            }
        }
    }

    @Test(arguments: [RealtimeVersion.one, .two])
    func aDeformedFrameLeavesTheSocketAsItIs(_ version: RealtimeVersion) async throws {
        let frames = WireFixture.all.filter { !$0.isFromServer && $0.version == .one }
        try await FixtureRoom.run({ $0.limits.joinsPerSecond = 100_000 }) { room in
            try await room.openConversation()
            for fixture in frames {
                let socket = try await TestSocket.open(room.server, version: version)
                try await deform(room.here(fixture.text), socket)
                try await socket.send("heartbeat", "phoenix", ref: "alive")
                _ = try await socket.reply(to: "alive")
                await socket.connection.close()
            }
        }
    }

    /// Sends the frame with each of its members, and each of its payload's, in every wrong form.
    private func deform(_ text: String, _ socket: TestSocket) async throws {
        let names = ["join_ref", "ref", "topic", "event", "payload"]
        let frame = try WireCoding.decode(from: text)
        var good: [[UInt8]] = []
        for name in names { good.append(Array(try WireCoding.encode(frame[name] ?? .null))) }
        let payload = try DeformableObject(frame["payload"] ?? [:])
        for deformation in Deformation.allCases where deformation != .longText {
            for key in payload.keys {
                try await send(names, good.dropLast() + [payload.bytes(key, deformation)], socket)
            }
            for (index, text) in good.enumerated() {
                var parts = good
                guard let other = deformation.values(text).first else { continue }
                parts[index] = other
                try await send(names, parts, socket)
            }
        }
    }

    private func send(_ names: [String], _ parts: [[UInt8]], _ socket: TestSocket) async throws {
        let texts = parts.map { String(decoding: $0, as: UTF8.self) }
        let members = zip(names, texts).map { "\"\($0)\":\($1)" }.joined(separator: ",")
        let text = socket.version == .one ? "{\(members)}" : "[\(texts.joined(separator: ","))]"
        try await socket.connection.send(text: text)
    }
}
