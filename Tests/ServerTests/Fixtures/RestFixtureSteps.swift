import SupabaseWire
import WireFixtures

@testable import Server

/// The calls that hold the REST door against the fixtures, in the order in which a conversation comes about.
enum RestFixtureSteps {
    private static let room = FixtureRoom.conversation
    private static let representation = "return=representation,resolution=ignore-duplicates"
    private static let insert = "/rest/v1/messages?on_conflict=id"
    private static let one = "/rest/v1/messages?id=eq." + FixtureRoom.message

    static let all: [FixtureStep] =
        writes + reads + refusals + [.rpc("rest/leave.request", "leave_conversation", status: 204)]

    private static let writes: [FixtureStep] = [
        .rpc(
            "rest/create-conversation.request", "create_conversation", like: "rest/create-conversation.answer"
        ),
        .rpc("rest/create-pair.request", "create_conversation", like: "rest/create-conversation.answer"),
        .rpc("rest/add-members.request", "add_members", like: "rest/add-members.answer"),
        send("rest/send.request"), send("rest/send-reply.request"), send("rest/send-file.request"),
        send("rest/send-many.request"),
        FixtureStep(
            takes: "rest/edit.request", sends: "rest/messages.rows", method: "PATCH", path: one,
            headers: [("Prefer", "return=representation")]),
        FixtureStep(
            takes: "rest/delete.request", sends: "rest/messages.rows", method: "PATCH",
            path: "/rest/v1/messages?id=eq." + FixtureRoom.second,
            headers: [("Prefer", "return=representation")]),
        FixtureStep(
            takes: "rest/profile.request", sends: "rest/profiles.rows", method: "PATCH",
            path: "/rest/v1/profiles?id=eq." + FixtureRoom.ada, headers: [("Prefer", "return=representation")]
        ),
        .rpc("rest/set-reaction.request", "set_reaction", like: "rest/set-reaction.answer"),
        FixtureStep(
            sends: "rest/set-reaction-none.answer", method: "POST", path: "/rest/v1/rpc/set_reaction",
            body: .json(["p_message_id": .string(FixtureRoom.message), "p_symbol": "🙃", "p_on": false])),
        .rpc("rest/mark.request", "mark_read", like: "rest/mark.answer"),
        .rpc("rest/mark-newest.request", "mark_delivered", like: "rest/mark.answer"),
        .rpc("rest/set-flags.request", "set_conversation_flags", like: "rest/set-flags.answer"),
        .rpc("rest/list-conversations.request", "list_conversations", like: "rest/list-conversations.rows"),
        .rpc("rest/list-conversations-older.request", "list_conversations", like: "rest/none.rows"),
        .rpc("rest/search-messages.request", "search_messages", like: "rest/messages.rows"),
        .rpc("rest/search-profiles.request", "search_profiles", like: "rest/profiles.rows"),
    ]

    private static let reads: [FixtureStep] = [
        .get("rest/profiles.rows", "/rest/v1/profiles?select=*"),
        .get("rest/profile-names.rows", "/rest/v1/profiles?select=id,username,display_name"),
        .get("rest/conversations.rows", "/rest/v1/conversations?select=*&id=eq." + room),
        .get("rest/members.rows", "/rest/v1/conversation_members?select=*&conversation_id=eq." + room),
        .get(
            "rest/members-with-names.rows",
            "/rest/v1/conversation_members?select=*,profiles!conversation_members_user_id_fkey(username,display_name)"
        ),
        .get("rest/flags.rows", "/rest/v1/conversation_flags?select=*"),
        .get("rest/messages.rows", "/rest/v1/messages?select=*&order=created_at"),
        .get("rest/messages-with-reactions.rows", "/rest/v1/messages?select=*,reactions(*)"),
        .get("rest/reactions.rows", "/rest/v1/reactions?select=*"),
        .get("rest/none.rows", "/rest/v1/messages?select=*", by: .xi),
        FixtureStep(
            sends: "rest/list-conversations.rows", method: "POST", path: "/rest/v1/rpc/list_conversations",
            by: .bo, body: .json([:])),
    ]

    private static let refusals: [FixtureStep] = [
        insertion("taken", ["id": .string(FixtureRoom.message), "body": "again"], 409, "/rest/v1/messages"),
        FixtureStep(
            sends: "rest/error-unknown-member.answer", method: "POST",
            path: "/rest/v1/rpc/create_conversation",
            body: .json(["p_member_ids": ["11111111-1111-4111-8111-111111111111"]]), status: 409),
        insertion("check", ["body": .string(String(repeating: "x", count: 8_001))]),
        insertion("text", ["body": "left\u{0}right"]),
        insertion("id", ["id": "nope"]),
        insertion("body-column", ["bodyy": "x"]),
        FixtureStep(
            sends: "rest/error-null.answer", method: "PATCH", path: one, body: .json(["body": .null]),
            status: 400),
        .get("rest/error-time.answer", "/rest/v1/messages?created_at=lt.yesterday%20evening", status: 400),
        insertion("denied", ["body": "x"], 403).with { $0.by = .xi },
        .get("rest/error-column.answer", "/rest/v1/messages?select=bodyy", status: 400),
        FixtureStep(
            sends: "rest/error-no-message.answer", method: "POST", path: "/rest/v1/rpc/mark_read",
            body: .json([
                "p_conversation_id": .string(room), "p_message_id": "11111111-1111-4111-8111-111111111111",
            ]), status: 404),
        .get("rest/error-one-row.answer", "/rest/v1/messages?select=*&body=eq.nothing", status: 406).with {
            $0.headers = [("Accept", "application/vnd.pgrst.object+json")]
        },
        .get(
            "rest/error-ambiguous.answer", "/rest/v1/conversations?select=id,profiles(username)", status: 300),
        .get("rest/error-relation.answer", "/rest/v1/messages?select=id,nosuch(id)", status: 400),
        FixtureStep(
            sends: "rest/error-function.answer", method: "POST", path: "/rest/v1/rpc/nosuch",
            body: .json([:]),
            status: 404),
        .get("rest/error-table.answer", "/rest/v1/nosuch", status: 404),
        .get("rest/error-query.answer", "/rest/v1/messages?id=equals.1", status: 400),
        FixtureStep(
            sends: "rest/error-body.answer", method: "POST", path: "/rest/v1/messages", body: .raw("{nope"),
            status: 400),
        .get("rest/error-range.answer", "/rest/v1/messages?offset=100", status: 416).with {
            $0.headers = [("Prefer", "count=exact")]
        },
        .get("rest/error-schema.answer", "/rest/v1/messages", status: 406).with {
            $0.headers = [("Accept-Profile", "private")]
        },
        .get("rest/error-media.answer", "/rest/v1/messages", status: 406).with {
            $0.headers = [("Accept", "image/png")]
        },
        .get("rest/error-token.answer", "/rest/v1/messages", status: 401).with {
            $0.headers = [("Authorization", "Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.c2ln")]
        },
        FixtureStep(
            sends: "rest/error-unfiltered.answer", method: "PATCH", path: "/rest/v1/messages",
            body: .json(["body": "all"]), status: 400),
    ]

    private static func send(_ takes: String) -> FixtureStep {
        .post(takes, insert, like: "rest/messages.rows", prefer: representation, status: 201)
    }

    private static func insertion(
        _ error: String, _ members: [String: JSONValue], _ status: Int = 400, _ path: String = insert
    ) -> FixtureStep {
        let row = members.merging(["conversation_id": .string(room)]) { $1 }
        return FixtureStep(
            sends: "rest/error-\(error).answer", method: "POST", path: path, body: .json(.object(row)),
            status: status)
    }
}
