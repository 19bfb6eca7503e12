import FoundationEssentials
import Networking
import SupabaseWire
import Testing

@testable import Server

@Suite struct RealtimeChangeTests {
    @Test func theReplyEchoesBindingsAndTheFeedFollows() async throws {
        try await TestServer.run { server in
            let ada = try await server.signUp("ada")
            let socket = try await TestSocket.open(server)
            let binding: JSONValue = [
                "event": "INSERT", "schema": "public", "table": "messages", "filter": "body=eq.x",
            ]
            let ref = try await socket.send(
                "phx_join", "realtime:pl:x",
                ["config": ["postgres_changes": [binding]], "access_token": .string(ada.token)])
            let reply = try await socket.next()
            #expect(reply.ref == ref)
            var echoed = reply.payload["response"]?["postgres_changes"]?.array?.first?.object ?? [:]
            #expect((echoed.removeValue(forKey: "id")?.integer ?? 0) > 0)
            #expect(.object(echoed) == binding)
            let system = try await socket.next()
            #expect(system.event == "system")
            #expect(system.payload["channel"] == "pl:x")
            #expect(system.payload["message"] == "Subscribed to PostgreSQL")
        }
    }

    @Test func changesReachThoseWhoMaySeeTheRowAndNobodyElse() async throws {
        try await TestServer.run { server in
            let (ada, ben) = (try await server.signUp("ada"), try await server.signUp("ben"))
            let xi = try await server.signUp("xi1")
            let (theirs, others) = (try await TestSocket.open(server), try await TestSocket.open(server))
            try await theirs.join("realtime:a", token: ada.token, changes: ["messages"])
            try await others.join("realtime:a", token: xi.token, changes: ["messages"])
            let group = try await ben.open(with: [ada], title: "Trip")
            let sent = try await ben.send("before", to: group)
            #expect(try await theirs.next("postgres_changes")["data"]?["record"] == sent)
            let add: JSONValue = ["p_conversation_id": .string(group), "p_member_ids": [.string(xi.id)]]
            _ = try await ben.rpc("add_members", add)
            let late = try await ben.send("after", to: group)
            #expect(try await others.next("postgres_changes")["data"]?["record"] == late)
            _ = try await xi.rpc("leave_conversation", ["p_conversation_id": .string(group)])
            _ = try await ben.send("secret", to: group)
            let own = try await xi.open(with: [], title: "Notes")
            let last = try await xi.send("mine", to: own)
            #expect(try await others.next("postgres_changes")["data"]?["record"] == last)
        }
    }

    @Test func flagsAreToldToWhoSetThemAlone() async throws {
        try await TestServer.run { server in
            let (ada, ben) = (try await server.signUp("ada"), try await server.signUp("ben"))
            let group = try await ada.open(with: [ben], title: "Trip")
            let (mine, others) = (try await TestSocket.open(server), try await TestSocket.open(server))
            for (socket, user) in [(mine, ada), (others, ben)] {
                try await socket.join(
                    "realtime:a", token: user.token,
                    changes: ["conversation_flags", "conversation_members", "messages"])
            }
            let flags: JSONValue = ["p_conversation_id": .string(group), "p_pinned": true]
            let row = try await ada.rpc("set_conversation_flags", flags).json
            let sent = try await ada.send("one", to: group)
            let told = try await mine.next("postgres_changes")["data"]
            #expect(told?["table"] == "conversation_flags")
            #expect(told?["type"] == "INSERT")
            #expect(told?["record"] == row)
            #expect(try await others.next("postgres_changes")["data"]?["record"] == sent)
        }
    }

    @Test func anUpdateTellsTheOldRow() async throws {
        try await TestServer.run { server in
            let ada = try await server.signUp("ada")
            let notes = try await ada.open(with: [], title: "Notes")
            let socket = try await TestSocket.open(server)
            try await socket.join("realtime:a", token: ada.token, changes: ["messages", "conversations"])
            let sent = try await ada.send("one", to: notes)
            #expect(try await socket.next("postgres_changes")["data"]?["old_record"] == nil)
            let noticed = try await socket.next("postgres_changes")["data"]
            #expect(noticed?["table"] == "conversations")
            #expect(noticed?["record"]?["changed_at"] == sent["updated_at"])
            #expect(noticed?["old_record"] == ["id": .string(notes)])
            let path = "/rest/v1/messages?id=eq.\(sent["id"]?.string ?? "")"
            _ = try await ada.call("PATCH", path, ["body": "two"])
            let edited = try await socket.next("postgres_changes")["data"]
            #expect(edited?["type"] == "UPDATE")
            #expect(edited?["old_record"] == sent)
            #expect(edited?["record"]?["body"] == "two")
            #expect(edited?["errors"] == .null)
        }
    }

    @Test func aRemovedRowIsToldByItsKeyToEverySubscriber() async throws {
        try await TestServer.run { server in
            let (ada, xi) = (try await server.signUp("ada"), try await server.signUp("xi1"))
            let notes = try await ada.open(with: [], title: "Notes")
            let sent = try await ada.send("gone", to: notes)
            let kept = try await ada.send("kept", to: notes)
            let (own, stranger) = (try await TestSocket.open(server), try await TestSocket.open(server))
            try await own.join("realtime:a", token: ada.token, changes: ["messages"])
            try await stranger.join("realtime:a", token: xi.token, changes: ["messages"])
            let id = try #require(UUID(uuidString: sent["id"]?.string ?? ""))
            try await server.server.erase(message: id)
            for socket in [own, stranger] {
                let data = try await socket.next("postgres_changes")["data"]
                #expect(data?["type"] == "DELETE")
                #expect(data?["table"] == "messages")
                #expect(data?["old_record"] == ["id": sent["id"] ?? .null])
                #expect(data?["record"] == nil)
                #expect(data?["errors"] == .null)
            }
            let left = try await ada.call("GET", "/rest/v1/messages?select=id").json
            #expect(left == [["id": kept["id"] ?? .null]])
            let found = try await ada.rpc("search_messages", ["p_query": "gone"]).json
            #expect(found == [])
        }
    }

    @Test func whoJoinsAsSomebodyElseHearsWhatThatOneMaySee() async throws {
        try await TestServer.run { server in
            let (ada, ben) = (try await server.signUp("ada"), try await server.signUp("ben"))
            let hers = try await ada.open(with: [], title: "Hers")
            let his = try await ben.open(with: [], title: "His")
            let socket = try await TestSocket.open(server)
            try await socket.join("realtime:a", token: ada.token, changes: ["messages"])
            let first = try await ada.send("one", to: hers)
            #expect(try await socket.next("postgres_changes")["data"]?["record"] == first)
            try await socket.send("access_token", "realtime:a", ["access_token": .string(ben.token)])
            #expect(try await socket.next("system")["status"] == "ok")
            _ = try await ada.send("two", to: hers)
            let third = try await ben.send("three", to: his)
            #expect(try await socket.next("postgres_changes")["data"]?["record"] == third)
        }
    }

    @Test func fiveHundredInsertsArriveInCommitOrder() async throws {
        try await TestServer.run { server in
            let ada = try await server.signUp("ada")
            let notes = try await ada.open(with: [], title: "Notes")
            let socket = try await TestSocket.open(server)
            try await socket.join("realtime:a", token: ada.token, changes: ["messages"])
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<5 {
                    group.addTask {
                        for number in 0..<100 { _ = try await ada.send("\(worker)/\(number)", to: notes) }
                    }
                }
                try await group.waitForAll()
            }
            var instants: [String] = []
            for _ in 0..<500 {
                let record = try await socket.next("postgres_changes")["data"]?["record"]
                instants.append(record?["created_at"]?.string ?? "")
            }
            let rows =
                try await ada.call(
                    "GET", "/rest/v1/messages?select=created_at&order=created_at&limit=1000"
                ).json.array ?? []
            #expect(rows.compactMap { $0["created_at"]?.string } == instants)
        }
    }

    @Test func aFilterThatCannotBeServedKeepsTheChannel() async throws {
        try await TestServer.run { server in
            let socket = try await TestSocket.open(server)
            for entry: JSONValue in [
                ["event": "*", "schema": "public", "table": "nosuch"],
                ["event": "*", "schema": "public", "table": "messages", "filter": "conversation_id=eq.nope"],
            ] {
                let reply = try await socket.join("realtime:a", config: ["postgres_changes": [entry]])
                #expect(reply["status"] == "ok")
            }
            #expect(await server.server.health().channels == 1)
        }
    }
}
