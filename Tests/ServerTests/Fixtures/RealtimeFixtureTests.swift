import FoundationEssentials
import Networking
import SQLite
import SupabaseWire
import Testing
import WireFixtures

@testable import Server

/// What a real server sends over its sockets, and takes from them, frame by frame.
@Suite struct RealtimeFixtureTests {
    /// Of the frames of a server: what ours sends.
    static let sent: Set = [
        "joined-inbox", "joined-official", "joined-room", "join-refused", "subscribed", "not-subscribed",
        "token-expired",
        "closed",
        "heartbeat-reply", "heartbeat-null-reply", "left", "unmatched", "track-refused", "too-large",
        "typing",
        "presence", "presence-none", "presence-came", "presence-changed", "presence-went", "insert-message",
        "update-message", "insert-reaction", "update-reaction", "insert-member", "update-member",
        "update-conversation", "delete-message",
    ]
    /// Of the frames of a client: all that there are.
    static let taken: Set = [
        "join-inbox", "join-room", "join-official", "heartbeat", "heartbeat-null", "leave", "access-token",
        "track",
        "untrack", "typing",
    ]

    @Test(arguments: [RealtimeVersion.one, .two]) func theFeedIsAsItStandsThere(_ version: RealtimeVersion)
        async throws
    {
        try await FixtureRoom.run { room in
            try await room.openConversation()
            let talk = try await FixtureTalk(room, version)
            try await talk.say("join-inbox")
            try await talk.expect("joined-inbox", "phx_reply")
            try await talk.expect("subscribed", "system")
            try await talk.does("POST", "/rest/v1/messages", "rest/send.request")
            try await talk.expect("insert-message", "postgres_changes", "messages", "INSERT")
            try await talk.expect("update-conversation", "postgres_changes", "conversations", "UPDATE")
            try await talk.does(
                "PATCH", "/rest/v1/messages?id=eq." + FixtureRoom.message, "rest/edit.request")
            try await talk.expect("update-message", "postgres_changes", "messages", "UPDATE")
            try await talk.does("POST", "/rest/v1/rpc/set_reaction", "rest/set-reaction.request")
            try await talk.expect("insert-reaction", "postgres_changes", "reactions", "INSERT")
            _ = try await room.call(
                "POST", "/rest/v1/rpc/set_reaction",
                Array(#"{"p_message_id":"\#(FixtureRoom.message)","p_symbol":"👍","p_on":false}"#.utf8))
            try await talk.expect("update-reaction", "postgres_changes", "reactions", "UPDATE")
            try await talk.does("POST", "/rest/v1/rpc/add_members", "rest/add-members.request")
            try await talk.expect("insert-member", "postgres_changes", "conversation_members", "INSERT")
            try await talk.does("POST", "/rest/v1/rpc/mark_read", "rest/mark.request", by: .bo)
            try await talk.expect("update-member", "postgres_changes", "conversation_members", "UPDATE")
            let message = try #require(UUID(uuidString: FixtureRoom.message))
            try await room.server.server.erase(message: message)
            try await talk.expect("delete-message", "postgres_changes", "messages", "DELETE")
            try await talk.say("join-official")
            try await talk.expect("joined-official", "phx_reply", ref: "3")
            try await talk.say(
                "join-inbox",
                words: [#""messages""#: #""nosuch""#, #""1""#: #""9""#, "realtime:pl": "realtime:pm"])
            try await talk.expect("not-subscribed", "system", status: "error")
        }
    }

    @Test(arguments: [RealtimeVersion.one, .two]) func aRoomIsAsItStandsThere(_ version: RealtimeVersion)
        async throws
    {
        try await FixtureRoom.run { room in
            try await room.openConversation()
            let talk = try await FixtureTalk(room, version)
            let other = try await FixtureTalk(room, version, as: .bo)
            try await talk.say("heartbeat")
            try await talk.expect("heartbeat-reply", "phx_reply")
            try await talk.say("heartbeat-null")
            try await talk.expect("heartbeat-null-reply", "phx_reply")
            try await talk.say("typing")
            try await talk.expect("unmatched", "phx_reply")
            try await talk.say("join-room")
            try await talk.expect("joined-room", "phx_reply")
            try await talk.expect("presence-none", "presence_state")
            try await talk.say("track", words: [#""payload":{"state":"online"}"#: #""payload":7"#])
            try await talk.expect("track-refused", "phx_reply")
            try await other.say("join-room", words: [room.ada.id: room.bo.id])
            try await other.say("track")
            try await talk.expect("presence-came", "presence_diff")
            try await other.say("track", words: ["online": "away"])
            try await talk.expect("presence-changed", "presence_diff")
            try await talk.say("track")
            try await talk.pass("presence_diff")  // their own, which may also come behind what others say
            try await other.say("typing")
            try await talk.expect("typing", "broadcast")
            try await other.say("untrack")
            try await talk.expect("presence-went", "presence_diff")
            try await talk.say("access-token")
            let third = try await FixtureTalk(room, version, as: .xi)
            try await third.say("join-room")
            try await third.expect("join-refused", "phx_reply")
            let fourth = try await FixtureTalk(room, version, as: .bo)
            try await fourth.say("join-room", words: [room.ada.id: room.bo.id])
            try await fourth.expect("presence", "presence_state")
            try await talk.say("leave")
            try await talk.expect("left", "phx_reply", ref: "13")
            try await talk.expect("closed", "phx_close")
        }
    }

    @Test(arguments: [RealtimeVersion.one, .two]) func whatEndsAChannelIsAsItStandsThere(
        _ version: RealtimeVersion
    )
        async throws
    {
        try await FixtureRoom.run({ $0.limits.broadcastBytes = 100 }) { room in
            try await room.openConversation()
            let talk = try await FixtureTalk(room, version)
            try await talk.say("join-room", words: [#""ack":false"#: #""ack":true"#])
            try await talk.say(
                "typing", words: [#""on":true"#: #""on":"\#(String(repeating: "x", count: 100))""#])
            try await talk.expect("too-large", "phx_reply", ref: "17")
            try await talk.say("join-inbox")
            try await talk.say("access-token", words: [room.ada.token: "x.y.z"])
            try await talk.expect("token-expired", "system", status: "error")
            try await talk.expect("closed", "phx_close")
        }
    }

    @Test func binaryBroadcastsAreAsTheyStandThere() async throws {
        try await FixtureRoom.run { room in
            try await room.openConversation()
            let talk = try await FixtureTalk(room, .two)
            let other = try await FixtureTalk(room, .two, as: .bo)
            for one in [talk, other] {
                try await one.say("join-room")
                try await one.expect("joined-room", "phx_reply")
            }
            _ = try await other.socket.next("presence_state")
            for name in ["typing", "bytes"] {
                try await talk.socket.connection.send(
                    binary: WireFixture.named("realtime/\(name).binary.client").bytes)
                let came = try await other.socket.nextBinary()
                #expect(came == (try WireFixture.named("realtime/\(name).binary.server").bytes))
            }
        }
    }

    @Test func everyFrameIsSentTakenOrForeign() {
        let foreign: Set = [
            // No channel of ours crashes, and nothing is sent again out of a store.
            "crashed", "replayed",
            // A reaction goes with its message; nothing is left out for its size, or sent to those who may not see it.
            "delete-reaction", "insert-too-large", "insert-denied", "update-other-table",
        ]
        let frames = WireFixture.all.filter { $0.version != nil }
        func names(_ isFromServer: Bool) -> Set<String> {
            Set(
                frames.filter { $0.isFromServer == isFromServer }.map {
                    String($0.name.split(separator: "/")[1].split(separator: ".")[0])
                })
        }
        #expect(names(true) == Self.sent.union(foreign))
        #expect(names(false) == Self.taken)
    }

    /// No rule removes a reaction by itself; what would be printed is right all the same.
    @Test func aDeleteIsPrintedAsItStandsThere() throws {
        for (name, table) in [("delete-message", Table.messages), ("delete-reaction", .reactions)] {
            var row = StoredRow(table: table, values: table.columns.map { _ in .null })
            for key in table.primaryKey { row[key] = .text(key == "symbol" ? "👍" : FixtureRoom.message) }
            let change = RowChange(
                kind: .delete, row: row, old: nil, audience: .everySignedInUser, committedAt: 1)
            let data = try WireCoding.decode(from: ChangeText.data(change, columns: nil))
            let expected =
                try WireFixture.named("realtime/\(name).v1.server").json["payload"]?["data"] ?? .null
            #expect(JSONShape.differences(data, from: expected) == [])
        }
    }
}

/// One socket that speaks in the words of the fixtures.
private final class FixtureTalk {
    let room: FixtureRoom
    let socket: TestSocket
    private let person: FixtureRoom.Person

    init(_ room: FixtureRoom, _ version: RealtimeVersion, as person: FixtureRoom.Person = .ada) async throws {
        self.room = room
        self.person = person
        socket = try await TestSocket.open(room.server, version: version)
    }

    private var suffix: String { socket.version == .one ? ".v1" : ".v2" }

    /// Sends the fixture with the ids and the token of here.
    func say(_ name: String, words: [String: String] = [:]) async throws {
        #expect(RealtimeFixtureTests.taken.contains(name))
        let json = try WireFixture.named("realtime/\(name)\(suffix).client").json
        var text = room.here(try WireCoding.text(json)).replacing(
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.c2ln", with: room.token(person))
        for (word, other) in words { text = text.replacing(word, with: other) }
        try await socket.connection.send(text: text)
    }

    func does(_ method: String, _ path: String, _ takes: String, by person: FixtureRoom.Person = .ada)
        async throws
    {
        let answer = try await room.call(
            method, path, room.bytes(of: try WireFixture.named(takes)), by: person)
        #expect((200..<300).contains(answer.status), "\(takes)")
    }

    /// Waits for a frame of this event, whatever is in it.
    func pass(_ event: String) async throws {
        while try RealtimeFrame(text: try await socket.nextText(), version: socket.version).event != event {}
    }

    /// Waits for the frame that fits the words, and compares it.
    func expect(
        _ name: String, _ event: String, _ table: String? = nil, _ type: String? = nil, ref: String? = nil,
        status: String? = nil
    ) async throws {
        #expect(RealtimeFixtureTests.sent.contains(name))
        while true {
            let text = try await socket.nextText()
            let frame = try RealtimeFrame(text: text, version: socket.version)
            let data = frame.payload["data"]
            guard frame.event == event, ref == nil || frame.ref == ref,
                table == nil || data?["table"]?.string == table, type == nil || data?["type"]?.string == type,
                status == nil || frame.payload["status"]?.string == status
            else { continue }
            let expected = try WireFixture.named("realtime/\(name)\(suffix).server").json
            let came = try WireCoding.decode(from: text)
            #expect(JSONShape.differences(came.byPlace, from: expected.byPlace) == [], "\(name)\(suffix)")
            return
        }
    }
}

extension JSONValue {
    /// In a frame of version 2 each place has a shape of its own.
    fileprivate var byPlace: JSONValue {
        guard case .array(let parts) = self else { return self }
        return .object(Dictionary(uniqueKeysWithValues: parts.enumerated().map { ("\($0)", $1) }))
    }
}
