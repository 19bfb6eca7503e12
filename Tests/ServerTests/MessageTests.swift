import Networking
import SupabaseWire
import Testing

@testable import Server

@Suite struct MessageTests {
    @Test func aRepeatedSendStoresOneMessage() async throws {
        try await TestServer.run { server in
            let (ada, ben) = (try await server.signUp("ada"), try await server.signUp("ben"))
            let conversation = try await ada.open(with: [ben])
            let id = "3D0F9B52-6A1E-4C77-9D64-0E5B7A1F2C11"
            let first = try await ada.send("hello", to: conversation, id: id)
            #expect(first["id"] == .string(id.lowercased()))
            let again = try await ada.insert([
                "id": .string(id), "conversation_id": .string(conversation), "body": "hello",
            ])
            #expect(again.status == 201)
            #expect(try again.json == [])
            let plain = try await ada.insert(
                ["id": .string(id), "conversation_id": .string(conversation), "body": "hello"],
                prefer: "return=minimal")
            #expect(plain.status == 409)
            #expect(try plain.code == "23505")
            #expect(await server.server.health().rows["messages"] == 1)
        }
    }

    @Test func rulesOfMessagesHaveTheirCodes() async throws {
        try await TestServer.run { server in
            let (ada, ben) = (try await server.signUp("ada"), try await server.signUp("ben"))
            let xi = try await server.signUp("xi1")
            let conversation = try await ada.open(with: [ben])
            let elsewhere = try await ada.open(with: [ben], title: "Trip")
            let foreign = try await ada.send("there", to: elsewhere)["id"] ?? .null
            func insert(_ user: TestUser, _ change: [String: JSONValue]) async throws -> TestAnswer {
                let plain: [String: JSONValue] = ["conversation_id": .string(conversation), "body": "x"]
                return try await user.insert(.object(plain.merging(change) { $1 }))
            }
            let cases: [([String: JSONValue], String, Int)] = [
                (["sender_id": .string(ben.id)], "42501", 403), (["body": ""], "23514", 400),
                (["body": .string(String(repeating: "é", count: 8_001))], "23514", 400),
                (["body": nil], "23502", 400), (["id": "nope"], "22P02", 400),
                (["bodyy": "x"], "PGRST204", 400),
                (["reply_to": foreign], "23503", 409),
                (["image_path": .string(elsewhere + "/a/b.png")], "23514", 400),
                (["attachment_name": "cat.png"], "23514", 400),
            ]
            for (change, code, status) in cases {
                let answer = try await insert(ada, change)
                #expect(try answer.code == code, "\(change)")
                #expect(answer.status == status, "\(change)")
            }
            #expect(
                try await insert(ada, ["body": .string(String(repeating: "é", count: 8_000))]).status == 201)
            #expect(try await insert(xi, [:]).code == "42501")
            let anonymous = try await server.call(
                "POST", "/rest/v1/messages", ["conversation_id": .string(conversation), "body": "x"])
            #expect(anonymous.status == 401)
            #expect(anonymous.headers["WWW-Authenticate"] == "Bearer")
        }
    }

    @Test func editingAndDeletingKeepOrderAndTakeTheTextAway() async throws {
        try await TestServer.run { server in
            let (ada, ben) = (try await server.signUp("ada"), try await server.signUp("ben"))
            let conversation = try await ada.open(with: [ben])
            let sent = try await ada.send("hello", to: conversation)
            let path = "/rest/v1/messages?id=eq.\(sent["id"]?.string ?? "")"
            func patch(_ user: TestUser, _ body: JSONValue) async throws -> TestAnswer {
                try await user.call("PATCH", path, body, headers: [("Prefer", "return=representation")])
            }
            let edited = try await patch(ada, ["body": "hello!"]).json.array?.first
            #expect(edited?["created_at"] == sent["created_at"])
            #expect(edited?["edited_at"] == edited?["updated_at"])
            #expect(try await patch(ben, ["body": "mine"]).json == [])
            #expect(try await patch(ada, ["sender_id": .string(ben.id)]).code == "42501")
            #expect(try await patch(ada, ["body": ""]).code == "23514")
            let deleted = try await patch(ada, ["deleted_at": "now"]).json.array?.first
            #expect(deleted?["body"] == "")
            #expect(deleted?["deleted_at"] == deleted?["updated_at"])
            #expect(try await patch(ada, ["body": "back"]).code == "42501")
            #expect(try await ada.call("DELETE", path).code == "42501")
            #expect(try await ada.call("PATCH", "/rest/v1/messages", ["body": "all"]).code == "21000")
            #expect(try await ada.call("DELETE", "/rest/v1/messages").code == "21000")
            #expect(try await ada.call("PATCH", path, [:]).status == 204)
        }
    }

    @Test func twoHundredSendsAtOnceAreStoredOnceEachInRisingOrder() async throws {
        try await TestServer.run { server in
            let (ada, ben) = (try await server.signUp("ada"), try await server.signUp("ben"))
            let conversation = try await ada.open(with: [ben])
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<200 {
                    let sender = number.isMultiple(of: 2) ? ada : ben
                    group.addTask {
                        let id = UUIDText.random()
                        _ = try await sender.send("m\(number)", to: conversation, id: id)
                        _ = try await sender.send("m\(number)", to: conversation, id: id)
                    }
                }
                try await group.waitForAll()
            }
            let rows = try await ada.call(
                "GET", "/rest/v1/messages?conversation_id=eq.\(conversation)&order=created_at,id&limit=500")
            let instants = try WireCoding.decode([Stamp].self, from: rows.text).map(\.createdAt)
            #expect(instants.count == 200)
            #expect(Set(instants).count == 200)
        }
    }

    @Test func timeRisesThoughTheClockStepsBack() async throws {
        let clock = TestClock()
        try await TestServer.run({ $0.now = clock.read }) { server in
            let ada = try await server.signUp("ada")
            let conversation = try await ada.open(with: [], title: "Notes")
            let first = try await ada.send("one", to: conversation)["created_at"]?.string ?? ""
            clock.advance(seconds: -5)
            let second = try await ada.send("two", to: conversation)["created_at"]?.string ?? ""
            #expect(first < second)
            #expect(first.prefix(19) == second.prefix(19))
        }
    }

    @Test func changedAtIsPastEveryMessageAndReaction() async throws {
        try await TestServer.run { server in
            let ada = try await server.signUp("ada")
            let conversation = try await ada.open(with: [], title: "Notes")
            let sent = try await ada.send("one", to: conversation)
            let reaction = try await ada.rpc(
                "set_reaction", ["p_message_id": sent["id"] ?? .null, "p_symbol": "👍"])
            let listed = try await ada.rpc("list_conversations").json.array?.first
            #expect(try listed?["changed_at"] == reaction.json["updated_at"])
            #expect(listed?["activity_at"] == sent["created_at"])
        }
    }
}

private struct Stamp: Decodable {
    let createdAt: String

    enum CodingKeys: String, CodingKey {
        case createdAt = "created_at"
    }
}
