import FoundationEssentials
import SupabaseWire
import Testing
import Timestamps

/// JSON as the services write it.
enum WireExamples {
    static let message = """
        {"id":"0f6c1e88-2a55-4c9d-8a0e-9b7d4c3f2a10",\
        "conversation_id":"6f0d3b0e-58a4-4c4d-9f6b-1f1c2b8a7d10",\
        "sender_id":"3d0f9b52-6a1e-4c77-9d64-0e5b7a1f2c11","body":"hello","image_path":null,\
        "attachment_name":null,"attachment_mime":null,"attachment_size":9007199254740993,\
        "attachment_width":null,"attachment_height":null,"reply_to":null,"edited_at":null,"deleted_at":null,\
        "created_at":"2026-03-04T05:06:07.891234+00:00","updated_at":"2026-03-04T05:06:07.891234+00:00"}
        """
    static let reaction = """
        {"message_id":"0f6c1e88-2a55-4c9d-8a0e-9b7d4c3f2a10",\
        "user_id":"3d0f9b52-6a1e-4c77-9d64-0e5b7a1f2c11","symbol":"👍",\
        "conversation_id":"6f0d3b0e-58a4-4c4d-9f6b-1f1c2b8a7d10","removed_at":null,\
        "created_at":"2026-03-04T05:06:07+00:00","updated_at":"2026-03-04T05:06:07.5+00:00"}
        """

    static func message(without key: String) throws -> JSONValue {
        var members = try WireCoding.decode(JSONValue.self, from: message).object ?? [:]
        members[key] = nil
        return .object(members)
    }

    static func message(_ key: String, _ value: JSONValue) throws -> JSONValue {
        var members = try WireCoding.decode(JSONValue.self, from: message).object ?? [:]
        members[key] = value
        return .object(members)
    }
}

@Suite struct RowTests {
    @Test func aMessageRowKeepsEveryDigit() throws {
        let row = try WireCoding.decode(MessageRow.self, from: WireExamples.message)
        #expect(row.createdAt.microseconds == 1_772_600_767_891_234)
        #expect(row.createdAt.text == "2026-03-04T05:06:07.891234+00:00")
        #expect(row.attachmentSize == 9_007_199_254_740_993)
        #expect(row.body == "hello")
    }

    @Test func aNullBodyIsEmptyAndAMissingOneIsAFault() throws {
        let null = try WireCoding.text(WireExamples.message("body", nil))
        #expect(try WireCoding.decode(MessageRow.self, from: null).body.isEmpty)
        let missing = try WireCoding.text(WireExamples.message(without: "body"))
        #expect(throws: WireError.missing(key: "body")) {
            try WireCoding.decode(MessageRow.self, from: missing)
        }
    }

    @Test func deformedRowsHideNoneOfTheirNeighbours() throws {
        let good = try WireCoding.decode(JSONValue.self, from: WireExamples.message)
        let rows: JSONValue = .array([
            good, try WireExamples.message("sender_id", nil),
            try WireExamples.message("sender_id", ["id": "u"]),
            try WireExamples.message(without: "created_at"), try WireExamples.message("future_column", [[1]]),
            [:], "a string", nil, try WireExamples.message("body", 12_345),
            try WireExamples.message("edited_at", false), try WireExamples.message("id", ""),
            try WireExamples.message("id", nil),
            try WireExamples.message("reactions", ["x", ["symbol": nil]]), [],
            good,
        ])
        let decoded = try WireCoding.decode(
            LossyRows<MessageWithReactionsRow>.self, from: try WireCoding.encode(rows))
        #expect(decoded.failures.map(\.index) == [2, 3, 5, 6, 7, 8, 9, 10, 11, 13])
        #expect(decoded.rows.map(\.reactions) == [nil, nil, nil, [], nil])
        #expect(decoded.count == 15)
    }

    @Test(arguments: [
        "2031-06-17T18:15:59Z", "2031-06-17T18:15:59.19901+00:00", "2031-06-17T18:15:59.199013456Z",
        "2031-06-17 18:15:59.5+00", "2031-06-17T14:45:59.700000-03:30", "2031-06-17T18:15:59.800000",
        "2031-06-17T20:15:59,900+02:00", "2031-06-17t18:15:59.300z",
    ])
    func aTimeOfAnyFormGoesBackAsItCame(_ text: String) throws {
        let json = try WireCoding.text(WireExamples.message("updated_at", .string(text)))
        let row = try WireCoding.decode(MessageRow.self, from: json)
        #expect(row.updatedAt.text == text)
        #expect((1_939_486_559_000_000..<1_939_486_560_000_000).contains(row.updatedAt.microseconds))
    }

    @Test func aReactionRowReads() throws {
        let row = try WireCoding.decode(ReactionRow.self, from: WireExamples.reaction)
        #expect(row.symbol == "👍")
        #expect(row.removedAt == nil)
    }

    @Test func aMemberRowReadsWithAndWithoutItsNames() throws {
        let start = """
            {"conversation_id":"6f0d3b0e-58a4-4c4d-9f6b-1f1c2b8a7d10",\
            "user_id":"3d0f9b52-6a1e-4c77-9d64-0e5b7a1f2c11","role":"owner",\
            "joined_at":"2026-03-04T05:06:07+00:00","left_at":null,"last_read_at":null,\
            "last_delivered_at":"2026-03-04T05:06:07.5+00:00","profiles":
            """
        let named = try WireCoding.decode(
            NamedMemberRow.self, from: start + #"{"username":"ada","display_name":"Ada"}}"#)
        #expect(named.profile?.displayName == "Ada")
        #expect(named.member.role == .owner)
        #expect(try WireCoding.decode(NamedMemberRow.self, from: start + "null}").profile == nil)
    }

    @Test func aListedConversationReads() throws {
        let row = try WireCoding.decode(
            ListedConversationRow.self,
            from: """
                {"id":"6f0d3b0e-58a4-4c4d-9f6b-1f1c2b8a7d10","title":null,"is_group":false,\
                "avatar_path":null,"created_at":"2026-03-04T05:06:07+00:00",\
                "changed_at":"2026-03-04T05:06:08.25+00:00",\
                "activity_at":"2026-03-04T05:06:08.1+00:00","role":"member","muted_until":null,\
                "pinned_at":null,"archived_at":null,"member_count":2,\
                "peer_id":"3d0f9b52-6a1e-4c77-9d64-0e5b7a1f2c11","peer_username":"ada",\
                "peer_display_name":"Ada","last_read_at":null,"last_delivered_at":null,"others_read_at":null,\
                "others_delivered_at":null,"unread_count":3,"last_message_id":null,\
                "last_message_sender_id":null,"last_message_body":null,"last_message_image_path":null,\
                "last_message_deleted_at":null,"last_message_created_at":null}
                """)
        #expect(row.peerDisplayName == "Ada")
        #expect(row.changedAt.text == "2026-03-04T05:06:08.25+00:00")
    }

    @Test func aNewMessageLeavesOutWhatItDoesNotSay() throws {
        let body = NewMessageBody(id: "0f", conversationID: "6f", body: "hi", replyTo: nil)
        let json = try WireCoding.decode(JSONValue.self, from: try WireCoding.encode(body))
        #expect(json == ["id": "0f", "conversation_id": "6f", "body": "hi"])
    }
}

@Suite struct AuthBodyTests {
    @Test func aSessionReads() throws {
        let session = try WireCoding.decode(
            SessionBody.self,
            from: """
                {"access_token":"a.b.c","token_type":"bearer","expires_in":3600,"expires_at":1798765200,\
                "refresh_token":"k3x9q2m7t1za","weak_password":null,\
                "user":{"id":"3d0f9b52-6a1e-4c77-9d64-0e5b7a1f2c11","aud":"authenticated","identities":[]}}
                """)
        #expect(session.refreshToken == "k3x9q2m7t1za")
        #expect(session.expiresAt == 1_798_765_200)
    }

    @Test(arguments: [
        (#"{"code":"invalid_credentials","message":"Invalid login credentials"}"#, "invalid_credentials"),
        (
            #"{"code":400,"error_code":"invalid_credentials","msg":"Invalid login credentials"}"#,
            "invalid_credentials"
        ),
        (#"{"error":"invalid_grant","error_description":"Invalid Refresh Token"}"#, nil),
        (#"{"message":"Invalid API key","hint":"Double check"}"#, nil),
    ])
    func anErrorOfAnyFormReads(_ json: String, _ code: String?) throws {
        let error = try WireCoding.decode(AuthErrorBody.self, from: json)
        #expect(error.code == code)
        #expect(error.message != nil)
    }

    @Test func theReasonsOfAWeakPasswordRead() throws {
        let error = try WireCoding.decode(
            AuthErrorBody.self,
            from: #"{"code":"weak_password","message":"x","weak_password":{"reasons":["length"]}}"#)
        #expect(error.weaknesses == ["length"])
    }

    @Test func aRestErrorReadsWithAndWithoutItsCode() throws {
        let error = try WireCoding.decode(
            RestErrorBody.self, from: #"{"code":"PGRST201","message":"x","details":[{}],"hint":null}"#)
        #expect(error.code == "PGRST201")
        #expect(try WireCoding.decode(RestErrorBody.self, from: #"{"message":"x"}"#).code == nil)
    }
}

@Suite struct ChangeEventTests {
    private func frame(_ data: JSONValue) throws -> IncomingFrame {
        try IncomingFrame(
            text: RealtimeFrame(
                topic: "realtime:pl:3f", event: "postgres_changes", payload: ["ids": [1], "data": data]
            ).text(version: .one, fromServer: true))
    }

    private func change(_ data: JSONValue) throws -> ChangeEvent {
        guard case .change(let topic, let change) = try frame(data) else { throw WireError.notJSON }
        #expect(topic == "realtime:pl:3f")
        return change
    }

    private func messageChange(_ record: JSONValue, errors: JSONValue = nil) throws -> ChangedRecord<
        MessageRow
    > {
        let change = try change(
            [
                "schema": "public", "table": "messages", "type": "UPDATE", "errors": errors, "record": record,
                "old_record": [:], "columns": [], "commit_timestamp": "2026-03-04T05:06:07.901Z",
            ])
        guard case .message(let record) = change.row else { throw WireError.notJSON }
        return record
    }

    @Test func aWholeRecordIsARow() throws {
        let record = try messageChange(WireCoding.decode(JSONValue.self, from: WireExamples.message))
        #expect(try record.row.get().body == "hello")
    }

    @Test(arguments: ["body", "created_at", "edited_at", "attachment_width"])
    func aColumnLeftOutIsNotANull(_ column: String) throws {
        let record = try messageChange(WireExamples.message(without: column))
        #expect(throws: WireError.missing(key: column)) { try record.row.get() }
        #expect(record.key.id == UUID(uuidString: "0f6c1e88-2a55-4c9d-8a0e-9b7d4c3f2a10"))
    }

    @Test func aDeleteHasItsKeyOnly() throws {
        let change = try change(
            [
                "table": "messages", "type": "DELETE", "errors": nil,
                "old_record": ["id": "0F6C1E88-2A55-4C9D-8A0E-9B7D4C3F2A10"],
            ])
        guard case .message(let record) = change.row else { throw WireError.notJSON }
        #expect(change.kind == .delete)
        #expect(record.key.id != nil)
    }

    @Test func errorsAndUnknownTablesAreKept() throws {
        let change = try change(
            [
                "table": "future", "type": "TRUNCATE", "errors": ["Error 413: Payload Too Large"],
                "record": [:],
            ])
        #expect(change.errors.count == 1)
        #expect(change.kind == ChangeKind(rawValue: "TRUNCATE"))
    }

    @Test func aChangeWithoutARecordIsUnreadableAndAnotherFrameIsAFrame() throws {
        guard case .unreadableChange = try frame(["table": "messages", "type": "INSERT"]) else {
            Issue.record("a change without a record was read")
            return
        }
        guard
            case .frame(let frame) = try IncomingFrame(
                text: RealtimeFrame(topic: "a", event: "system").text(
                    version: .one, fromServer: true))
        else { return }
        #expect(frame.event == "system")
        #expect(throws: WireError.self) { try IncomingFrame(text: "{nope") }
    }
}
