import SupabaseWire
import Testing

@testable import Server

@Suite struct FunctionTests {
    @Test func openingAConversationTwiceGivesTheSame() async throws {
        try await TestServer.run { server in
            let (ada, ben) = (try await server.signUp("ada"), try await server.signUp("ben"))
            let xi = try await server.signUp("xi1")
            let pair = try await ada.open(with: [ben])
            #expect(try await ben.open(with: [ada]) == pair)
            let group: JSONValue = [
                "p_member_ids": [.string(ben.id)], "p_is_group": true, "p_title": " Trip ",
                "p_id": "3D0F9B52-6A1E-4C77-9D64-0E5B7A1F2C11",
            ]
            let made = try await ada.rpc("create_conversation", group).json
            #expect(made["title"] == "Trip")
            #expect(try await ada.rpc("create_conversation", group).json == made)
            #expect(try await xi.rpc("create_conversation", group).code == "42501")
            let unknown: JSONValue = ["p_member_ids": [.string(UUIDText.random())]]
            #expect(try await ada.rpc("create_conversation", unknown).code == "23503")
            let alone: JSONValue = ["p_member_ids": [], "p_is_group": false]
            #expect(try await ada.rpc("create_conversation", alone).code == "22023")
        }
    }

    @Test func aGroupKeepsAnOwner() async throws {
        try await TestServer.run { server in
            let (ada, ben) = (try await server.signUp("ada"), try await server.signUp("ben"))
            let xi = try await server.signUp("xi1")
            let group = try await ada.open(with: [ben], title: "Trip")
            let add: JSONValue = ["p_conversation_id": .string(group), "p_member_ids": [.string(xi.id)]]
            #expect(try await ben.rpc("add_members", add).code == "42501")
            #expect(try await ada.rpc("add_members", add).text == "1")
            #expect(try await ada.rpc("add_members", add).text == "0")
            let leave: JSONValue = ["p_conversation_id": .string(group)]
            let removal: JSONValue = ["p_conversation_id": .string(group), "p_user_id": .string(ada.id)]
            #expect(try await ben.rpc("leave_conversation", removal).code == "42501")
            let left = try await ada.rpc("leave_conversation", leave)
            #expect(left.status == 204)
            #expect(left.text == "")
            #expect(try await ada.insert(["conversation_id": .string(group), "body": "x"]).code == "42501")
            let roles = try await ben.call(
                "GET", "/rest/v1/conversation_members?select=user_id,role&left_at=is.null&order=role.desc"
            ).json
            #expect(
                roles == [
                    ["user_id": .string(ben.id), "role": "owner"],
                    ["user_id": .string(xi.id), "role": "member"],
                ])
            let own = try await ada.call("GET", "/rest/v1/conversation_members?left_at=not.is.null").json
            #expect(own.array?.count == 1)
        }
    }

    @Test func marksNeverMoveBack() async throws {
        try await TestServer.run { server in
            let (ada, ben) = (try await server.signUp("ada"), try await server.signUp("ben"))
            let conversation = try await ada.open(with: [ben])
            let first = try await ada.send("one", to: conversation)
            let second = try await ada.send("two", to: conversation)
            func mark(_ name: String, _ message: JSONValue?) async throws -> TestAnswer {
                var arguments: [String: JSONValue] = ["p_conversation_id": .string(conversation)]
                arguments["p_message_id"] = message
                return try await ben.rpc(name, .object(arguments))
            }
            #expect(try await mark("mark_delivered", nil).json == second["created_at"])
            #expect(try await mark("mark_read", first["id"]).json == first["created_at"])
            #expect(try await mark("mark_read", second["id"]).json == second["created_at"])
            #expect(try await mark("mark_read", first["id"]).json == second["created_at"])
            let unknown = try await mark("mark_read", .string(UUIDText.random()))
            #expect(unknown.status == 404)
            #expect(try unknown.code == "PT404")
            let listed = try await ada.rpc("list_conversations").json.array?.first
            #expect(listed?["others_read_at"] == second["created_at"])
            #expect(listed?["others_delivered_at"] == second["created_at"])
            let theirs = try await ben.rpc("list_conversations").json.array?.first
            #expect(theirs?["unread_count"] == 0)
            #expect(theirs?["peer_username"] == "ada")
            #expect(theirs?["last_message_body"] == "two")
        }
    }

    @Test func theListIsPagedToItsEnd() async throws {
        try await TestServer.run { server in
            let ada = try await server.signUp("ada")
            for number in 0..<5 { _ = try await ada.open(with: [], title: "Room \(number)") }
            var titles: [String] = []
            var arguments: [String: JSONValue] = ["p_limit": 2]
            while true {
                let page = try await ada.rpc("list_conversations", .object(arguments)).json.array ?? []
                guard let last = page.last else { break }
                titles += page.compactMap { $0["title"]?.string }
                arguments["p_before"] = last["activity_at"]
                arguments["p_before_id"] = last["id"]
            }
            #expect(titles.count == 5)
            #expect(Set(titles).count == 5)
        }
    }

    @Test func flagsAreOnesOwnAndNullLeavesThem() async throws {
        try await TestServer.run { server in
            let (ada, ben) = (try await server.signUp("ada"), try await server.signUp("ben"))
            let conversation = try await ada.open(with: [ben])
            func set(_ change: [String: JSONValue]) async throws -> JSONValue {
                let all = change.merging(["p_conversation_id": .string(conversation)]) { $1 }
                return try await ada.rpc("set_conversation_flags", .object(all)).json
            }
            #expect(try await set(["p_pinned": true])["pinned_at"]?.isNull == false)
            let muted = try await set(["p_pinned": nil, "p_muted_until": "2099-01-01T00:00:00Z"])
            #expect(muted["pinned_at"]?.isNull == false)
            #expect(muted["muted_until"] == "2099-01-01T00:00:00+00:00")
            #expect(
                try await set(["p_muted_until": "infinity"])["muted_until"] == "9999-12-31T00:00:00+00:00")
            let off = try await set(["p_pinned": false, "p_muted_until": "2000-01-01T00:00:00Z"])
            #expect(off["pinned_at"] == .null)
            #expect(off["muted_until"] == .null)
            let direct = try await ada.call(
                "PATCH", "/rest/v1/conversation_flags?user_id=eq.\(ada.id)", ["pinned_at": "now"])
            #expect(try direct.code == "42501")
            let (mine, bens) = (
                try await ada.call("GET", "/rest/v1/conversation_flags").json,
                try await ben.call("GET", "/rest/v1/conversation_flags").json
            )
            #expect(mine.array?.count == 1)
            #expect(bens == [])
            let members = try await ben.call("GET", "/rest/v1/conversation_members").json
            #expect(members.array?.allSatisfy { $0["pinned_at"] == nil } == true)
        }
    }

    @Test func t29AReactionIsOneRowHoweverOften() async throws {
        try await TestServer.run { server in
            let (ada, ben) = (try await server.signUp("ada"), try await server.signUp("ben"))
            let conversation = try await ada.open(with: [ben])
            let id = try await ada.send("one", to: conversation)["id"] ?? .null
            func react(_ isOn: JSONValue) async throws -> JSONValue {
                try await ben.rpc(
                    "set_reaction", ["p_message_id": id, "p_symbol": "heart.fill", "p_on": isOn]
                ).json
            }
            #expect(try await react(false) == .null)
            let on = try await react(true)
            #expect(try await react(true) == on)
            #expect(try await react(false)["removed_at"]?.isNull == false)
            let upsert: JSONValue = [
                "message_id": id, "user_id": .string(ben.id), "symbol": "heart.fill", "removed_at": nil,
            ]
            let merged = try await ben.call(
                "POST", "/rest/v1/reactions?on_conflict=message_id,user_id,symbol", upsert,
                headers: [("Prefer", "resolution=merge-duplicates,return=representation")])
            #expect(merged.status == 200)
            #expect(try merged.json.array?.first?["removed_at"] == .null)
            #expect(await server.server.health().rows["reactions"] == 1)
        }
    }

    @Test func aSearchFindsWordsAndBeginnings() async throws {
        try await TestServer.run { server in
            let ada = try await server.signUp("ada")
            let conversation = try await ada.open(with: [], title: "Notes")
            for body in ["Lunch on Friday?", "no lunch today", "Ünïcode 日本"] {
                _ = try await ada.send(body, to: conversation)
            }
            func find(_ query: String) async throws -> [String] {
                let rows = try await ada.rpc("search_messages", ["p_query": .string(query)])
                return try rows.json.array?.compactMap { $0["body"]?.string } ?? []
            }
            #expect(try await find("lunch") == ["no lunch today", "Lunch on Friday?"])
            #expect(try await find("lunch -friday") == ["no lunch today"])
            #expect(try await find("lunch fri") == ["Lunch on Friday?"])
            #expect(try await find("\"lunch on\"") == ["Lunch on Friday?"])
            #expect(try await find("ünïcode or today").count == 2)
            #expect(try await find("日本") == ["Ünïcode 日本"])
            #expect(try await find("") == [])
            let people = try await ada.rpc("search_profiles", ["p_query": "AD"]).json
            #expect(people.array?.first?["id"] == .string(ada.id))
            #expect(try await ada.rpc("search_profiles", ["p_query": "%%"]).json == [])
        }
    }

    @Test func oneChangesOnesOwnProfileOnly() async throws {
        try await TestServer.run { server in
            let (ada, ben) = (try await server.signUp("ada"), try await server.signUp("ben"))
            func patch(_ id: String, _ body: JSONValue) async throws -> TestAnswer {
                try await ada.call(
                    "PATCH", "/rest/v1/profiles?id=eq.\(id)", body,
                    headers: [("Prefer", "return=representation")])
            }
            #expect(try await patch(ada.id, ["about": "hi"]).json.array?.first?["about"] == "hi")
            #expect(try await patch(ben.id, ["about": "hi"]).json == [])
            #expect(try await patch(ada.id, ["username": "ben"]).code == "23505")
            #expect(try await patch(ada.id, ["username": "B B"]).code == "23514")
            #expect(try await patch(ada.id, ["display_name": nil]).code == "23502")
            #expect(try await patch(ada.id, ["created_at": "now"]).code == "42501")
        }
    }
}
