import SQLite
import SupabaseWire
import Testing

@testable import Server

@Suite struct RealtimePartsTests {
    private let room = Room(topic: "realtime:lobby", isPrivate: false)

    private func message(_ body: String, size: SQLValue = .null) -> StoredRow {
        var row = StoredRow(table: .messages, values: Table.messages.columns.map { _ in .null })
        row["id"] = .text("3d0f9b52-6a1e-4c77-9d64-0e5b7a1f2c11")
        row["body"] = .text(body)
        row["attachment_size"] = size
        row["created_at"] = .integer(1_000_000)
        return row
    }

    @Test(arguments: [
        ("id=eq.3D0F9B52-6A1E-4C77-9D64-0E5B7A1F2C11", true),
        ("id=neq.3d0f9b526a1e4c779d640e5b7a1f2c11", false),
        ("body=in.(hello,\"x,y\")", true), ("body=not.in.(hello)", false), ("body=like.h%", true),
        ("body=match.^h", true), ("attachment_size=is.null", true), ("attachment_size=gt.5", false),
        ("attachment_size=not.gt.5", false), ("attachment_size=isdistinct.5", true),
        ("created_at=lte.1970-01-01T00:00:01Z", true),
        ("body=eq.hello,created_at=gt.1970-01-01T00:00:01Z", false),
    ])
    func aBindingsFilterIsHeldAgainstTheRow(_ filter: String, _ fits: Bool) throws {
        #expect(try ChangeFilter(filter, on: .messages).matches(message("hello")) == fits)
    }

    /// As the database has it, and the REST door: by bytes.
    @Test func twoSpellingsOfALetterAreTwoValuesToABinding() throws {
        let row = message("\u{E9}")
        #expect(try ChangeFilter("body=isdistinct.e\u{301}", on: .messages).matches(row))
        #expect(try !ChangeFilter("body=in.(e\u{301})", on: .messages).matches(row))
        #expect(try ChangeFilter("body=in.(\u{E9})", on: .messages).matches(row))
    }

    @Test(arguments: [
        "nosuch=eq.1", "id=eq.nope", "body=fts.a", "body", "body=eq", "id=like.a", "body=match.(",
    ])
    func aFilterThatCannotBeServedIsRefused(_ filter: String) {
        #expect(throws: Refusal.self) { try ChangeFilter(filter, on: .messages) }
    }

    @Test func equalBindingsHaveEqualIDsThatAreNeverZero() throws {
        let entry: JSONValue = ["event": "insert", "schema": "public", "table": "messages"]
        let binding = try ChangeBinding(entry)
        #expect(binding.kind == .insert)
        #expect((1..<1 << 27).contains(binding.id))
        #expect(try ChangeBinding(entry).id == binding.id)
        #expect(try ChangeBinding(["event": "*", "schema": "public"]).id != binding.id)
    }

    @Test func aBindingMayNameColumnsAndTheKeyComesAlong() throws {
        let binding = try ChangeBinding(["table": "messages", "select": ["body"]])
        #expect(binding.columns == ["id", "body"])
    }

    @Test func trackingTheSameAgainChangesNothing() {
        var presence = Presence()
        let first = presence.track(["state": "online"], key: "ada", socket: 1, in: room)
        #expect(first?.leaves == "{}")
        let again = presence.track(["state": "online"], key: "ada", socket: 1, in: room)
        #expect(again == nil)
        let second = presence.track(["state": "away"], key: "ada", socket: 1, in: room)
        #expect(second?.joins == #"{"ada":{"metas":[{"phx_ref":"P2","phx_ref_prev":"P1","state":"away"}]}}"#)
        #expect(second?.leaves == #"{"ada":{"metas":[{"phx_ref":"P1","state":"online"}]}}"#)
    }

    @Test func someoneIsPresentWhileOneSocketIsLeft() {
        var presence = Presence()
        _ = presence.track(["on": 1], key: "ada", socket: 1, in: room)
        _ = presence.track(["on": 2], key: "ada", socket: 2, in: room)
        _ = presence.untrack(key: "ada", socket: 1, in: room)
        #expect(presence.state(of: room) == #"{"ada":{"metas":[{"on":2,"phx_ref":"P2"}]}}"#)
        _ = presence.untrack(key: "ada", socket: 2, in: room)
        #expect(presence.isEmpty)
        let again = presence.untrack(key: "ada", socket: 2, in: room)
        #expect(again == nil)
    }

    private func push(_ texts: [String], encoding: UInt8 = 1, payload: String = "{}") -> [UInt8] {
        [3] + texts.map { UInt8($0.utf8.count) } + [encoding] + texts.flatMap { Array($0.utf8) }
            + Array(payload.utf8)
    }

    @Test func aBinaryPushBecomesADelivery() throws {
        let frame = try #require(
            BinaryBroadcast(push: push(["1", "9", "realtime:x", "typing", "{}"], payload: #"{"on":true}"#)))
        #expect(frame.ref == "9")
        let expected = [UInt8]([4, 10, 6, 2, 1]) + Array("realtime:xtyping{}{\"on\":true}".utf8)
        #expect(frame.delivered == expected)
        #expect(frame.textPayload == #"{"event":"typing","payload":{"on":true},"type":"broadcast"}"#)
    }

    @Test func rawBytesHaveNoText() throws {
        let frame = try #require(BinaryBroadcast(push: push(["", "", "t", "e", ""], encoding: 0)))
        #expect(frame.ref == nil)
        #expect(frame.textPayload == nil)
    }

    @Test func aTruncatedPushIsNone() {
        let whole = push(["1", "2", "realtime:x", "e", "{}"], payload: "")
        for length in 0..<whole.count { #expect(BinaryBroadcast(push: Array(whole.prefix(length))) == nil) }
        #expect(BinaryBroadcast(push: [3, 255, 255, 255, 255, 255, 1]) == nil)
        #expect(BinaryBroadcast(push: push(["", "", "t", "e", ""], encoding: 2)) == nil)
    }

    @Test func serverMessagesAlwaysHaveARef() {
        let frame = OutgoingFrame(joinRef: "1", topic: "realtime:x", event: "system", payload: "{}")
        #expect(frame.text(.one) == #"{"ref":null,"topic":"realtime:x","event":"system","payload":{}}"#)
        #expect(frame.text(.two) == #"["1",null,"realtime:x","system",{}]"#)
    }

    @Test func aRoomOfAConversationIsReadFromItsTopic() {
        let id = "3d0f9b52-6a1e-4c77-9d64-0e5b7a1f2c11"
        #expect(Room(topic: "realtime:conversation:\(id)", isPrivate: true).conversationID == id)
        #expect(Room(topic: "realtime:conversation:nope", isPrivate: true).conversationID == nil)
        #expect(Room(topic: "realtime:room:\(id)", isPrivate: true).conversationID == nil)
    }

    @Test func aJoinIsReadLeniently() {
        let request = JoinRequest([
            "config": [
                "private": "true", "broadcast": nil, "presence": ["key": "a"], "postgres_changes": nil,
                "replay": 1,
            ]
        ])
        #expect(request.isPrivate)
        #expect(request.hasPresence)
        #expect(!request.broadcastsToSelf)
        #expect(request.bindings.isEmpty)
        #expect(!JoinRequest([:]).hasPresence)
    }
}
