import SupabaseWire
import Testing

@Suite struct RealtimeFrameTests {
    private let join = RealtimeFrame(joinRef: "1", ref: "1", topic: "realtime:pl:3f", event: "phx_join")

    @Test func bothSerializationsReadBack() throws {
        for version in [RealtimeVersion.one, .two] {
            let text = try join.text(version: version, fromServer: false)
            #expect(try RealtimeFrame(text: text, version: version) == join)
        }
    }

    @Test func aServerFrameOfVersionOneKeepsANullRefAndHasNoJoinRef() throws {
        let push = RealtimeFrame(joinRef: "4", topic: "realtime:a", event: "system")
        let object = try WireCoding.decode(
            JSONValue.self, from: try push.text(version: .one, fromServer: true))
        #expect(object == ["topic": "realtime:a", "event": "system", "payload": [:], "ref": nil])
    }

    @Test func theArrayFormIsAsTheProtocolGivesIt() throws {
        #expect(
            try join.text(version: .two, fromServer: false) == #"["1","1","realtime:pl:3f","phx_join",{}]"#)
        let heartbeat = RealtimeFrame(ref: "12", topic: "phoenix", event: "heartbeat")
        #expect(
            try heartbeat.text(version: .two, fromServer: true) == #"[null,"12","phoenix","heartbeat",{}]"#)
    }

    @Test(arguments: ["{nope", "[]", #"{"topic":1,"event":"x","payload":{},"ref":null}"#, ""])
    func whatIsNoFrameThrows(_ text: String) {
        #expect(throws: WireError.self) { try RealtimeFrame(text: text, version: .one) }
        #expect(throws: WireError.self) { try RealtimeFrame(text: text, version: .two) }
    }
}

@Suite struct JSONValueTests {
    @Test func bigIntegersKeepTheirLastDigits() throws {
        let text = "[9007199254740993,9223372036854775807,-9223372036854775808]"
        let value = try WireCoding.decode(JSONValue.self, from: text)
        #expect(value == [9_007_199_254_740_993, .integer(.max), .integer(.min)])
        #expect(try WireCoding.text(value) == text)
    }

    @Test func everyKindReadsBack() throws {
        let value: JSONValue = [
            "a": nil, "b": true, "c": 1, "d": .number(0.5), "e": "x\u{0}\"\\", "f": [[], [:]],
        ]
        #expect(try WireCoding.decode(JSONValue.self, from: try WireCoding.encode(value)) == value)
    }

    @Test func oneBadRowDoesNotHideItsNeighbours() throws {
        struct Row: WireObject, Equatable {
            enum CodingKeys: String, CodingKey { case id }
            let id: Int
            init(id: Int) { self.id = id }
            init(_ members: JSONMembers) throws(WireError) { id = try members.value(CodingKeys.id) }
        }
        let rows = try WireCoding.decode(
            LossyRows<Row>.self, from: #"[{"id":1},null,"x",{},{"id":"2"},{"id":3,"more":[]}]"#)
        #expect(rows.rows == [Row(id: 1), Row(id: 3)])
        #expect(rows.failures.map(\.index) == [1, 2, 3, 4])
        #expect(rows.count == 6)
    }
}
