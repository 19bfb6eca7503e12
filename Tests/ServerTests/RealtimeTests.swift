import Networking
import SupabaseWire
import Testing

@testable import Server

@Suite struct RealtimeTests {
    private let open: JSONValue = [
        "postgres_changes": [["event": "*", "schema": "public", "table": "messages"]]
    ]

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

    @Test func aBroadcastReachesTheOthersAndOnRequestOneself() async throws {
        try await TestServer.run { server in
            let (one, two) = (
                try await TestSocket.open(server), try await TestSocket.open(server, version: .two)
            )
            try await one.join("realtime:room", config: ["broadcast": ["ack": true]])
            try await two.join("realtime:room", config: ["broadcast": ["self": true]])
            let typing: JSONValue = ["type": "broadcast", "event": "typing", "payload": ["on": true]]
            let ref = try await one.send("broadcast", "realtime:room", typing)
            #expect(try await one.next().ref == ref)
            #expect(try await two.next("broadcast") == typing)
            try await two.send("broadcast", "realtime:room", typing)
            #expect(try await two.next("broadcast") == typing)
            #expect(try await one.next("broadcast") == typing)
            let messages: JSONValue = [
                "messages": [["topic": "room", "event": "typing", "payload": ["on": true]]]
            ]
            let sent = try await server.call("POST", "/realtime/v1/api/broadcast", messages)
            #expect(sent.status == 202)
            #expect(try await one.next("broadcast") == typing)
            let blank: JSONValue = ["messages": [["topic": "room", "event": "typing"]]]
            #expect(try await server.call("POST", "/realtime/v1/api/broadcast", blank).status == 422)
        }
    }

    @Test func aPrivateChannelIsForMembersWhileTheyAre() async throws {
        try await TestServer.run { server in
            let (ada, ben) = (try await server.signUp("ada"), try await server.signUp("ben"))
            let group = try await ada.open(with: [ben], title: "Trip")
            let xi = try await server.signUp("xi1")
            let topic = "realtime:conversation:\(group)"
            let socket = try await TestSocket.open(server)
            let refused = try await socket.join(topic, token: xi.token, config: ["private": true])
            #expect(refused["response"]?["reason"]?.string?.hasPrefix("Unauthorized:") == true)
            let reply = try await socket.join(topic, token: ben.token, config: ["private": true])
            #expect(reply["status"] == "ok")
            let outsider = try await TestSocket.open(server)
            try await outsider.join(topic, token: xi.token)
            try await outsider.send("broadcast", topic, ["type": "broadcast", "event": "x", "payload": [:]])
            _ = try await ben.rpc("leave_conversation", ["p_conversation_id": .string(group)])
            let next = try await socket.next()
            #expect(next.event == "system")
            #expect(next.payload["status"] == "error")
            #expect(try await socket.next().event == "phx_close")
        }
    }

    @Test func presenceIsTheWholeStateThenDifferences() async throws {
        try await TestServer.run { server in
            let (one, two) = (try await TestSocket.open(server), try await TestSocket.open(server))
            func config(_ key: String) -> JSONValue { ["presence": ["key": .string(key), "enabled": true]] }
            try await one.join("realtime:lobby", config: config("ada"))
            #expect(try await one.next("presence_state") == [:])
            try await one.send(
                "presence", "realtime:lobby",
                ["type": "presence", "event": "track", "payload": ["state": "online"]])
            #expect(try await one.next("presence_diff")["joins"]?["ada"] != nil)
            try await two.join("realtime:lobby", config: config("ben"))
            #expect(try await two.next("presence_state")["ada"]?["metas"]?.array?.count == 1)
            one.connection.cut()
            #expect(try await two.next("presence_diff")["leaves"]?["ada"]?["metas"]?.array?.count == 1)
            let badly = try await two.send(
                "presence", "realtime:lobby", ["type": "presence", "event": "track", "payload": "x"])
            #expect(try await two.reply(to: badly)["status"] == "error")
            for _ in 0..<5 {
                try await two.send(
                    "presence", "realtime:lobby", ["type": "presence", "event": "track", "payload": ["n": 1]])
            }
            #expect(try await two.next("system")["message"] == "Client presence rate limit exceeded")
            #expect(try await two.next().event == "phx_close")
        }
    }

    @Test func joiningAgainClosesTheOldChannelFirst() async throws {
        try await TestServer.run { server in
            let socket = try await TestSocket.open(server)
            try await socket.send("phx_join", "realtime:t", ref: "1", joinRef: "1")
            _ = try await socket.next()
            try await socket.send("phx_join", "realtime:t", ref: "5", joinRef: "5")
            let (close, reply) = (try await socket.next(), try await socket.next())
            #expect(close.event == "phx_close")
            #expect(close.ref == "1")
            #expect(reply.ref == "5")
            try await socket.send("phx_leave", "realtime:t", ref: "6", joinRef: "1")
            try await socket.send("phx_leave", "realtime:t", ref: "7", joinRef: "5")
            #expect(try await socket.next().ref == "7")
            #expect(try await socket.next().ref == "5")
        }
    }

    @Test func whatFitsNoChannelIsAnsweredAndWhatDoesNotParseIsDropped() async throws {
        try await TestServer.run { server in
            let socket = try await TestSocket.open(server)
            try await socket.send("phx_leave", "realtime:u", ref: "1")
            #expect(try await socket.next().payload["status"] == "ok")
            try await socket.send("broadcast", "realtime:u", ref: "2")
            #expect(try await socket.next().payload["response"] == ["reason": "unmatched topic"])
            try await socket.connection.send(text: "{nope")
            try await socket.connection.send(binary: [3, 1])
            try await socket.join("realtime:t")
            try await socket.send("unheard_of", "realtime:t", ref: "4")
            try await socket.send("heartbeat", "phoenix", ref: "9")
            #expect(try await socket.next().ref == "9")
            let empty = try await socket.join("realtime:")
            #expect(empty["response"]?["reason"]?.string?.hasPrefix("TopicNameRequired:") == true)
        }
    }

    @Test func aSilentSocketIsClosedWith1001() async throws {
        try await TestServer.run({ $0.idleLimit = .milliseconds(100) }) { server in
            let socket = try await TestSocket.open(server)
            #expect(await socket.closed().code == 1001)
        }
    }

    @Test func aTokenThatRunsOutEndsItsChannelAndNotTheSocket() async throws {
        try await TestServer.run({ $0.accessTokenLifetime = .seconds(2) }) { server in
            let ada = try await server.signUp("ada")
            let socket = try await TestSocket.open(server)
            try await socket.join("realtime:a", token: ada.token)
            let system = try await socket.next("system")
            #expect(system["extension"] == "system")
            #expect(system["message"]?.string?.hasPrefix("Token has expired") == true)
            #expect(try await socket.next().event == "phx_close")
            let refused = try await socket.join("realtime:a", token: ada.token)
            #expect(refused["response"]?["reason"]?.string?.hasPrefix("InvalidJWTToken:") == true)
        }
    }

    @Test func aNewTokenIsTakenOverAndABadOneEndsTheChannel() async throws {
        try await TestServer.run { server in
            let ada = try await server.signUp("ada")
            let socket = try await TestSocket.open(server)
            try await socket.join("realtime:a", token: ada.token, changes: ["messages"])
            let answer = try await server.call(
                "POST", "/auth/v1/token?grant_type=refresh_token",
                ["refresh_token": .string(ada.refreshToken)])
            try await socket.send("access_token", "realtime:a", ["access_token": .string(ada.token)])
            try await socket.send(
                "access_token", "realtime:a", ["access_token": try answer.json["access_token"] ?? .null])
            #expect(try await socket.next().payload["message"] == "Subscribed to PostgreSQL")
            try await socket.send("access_token", "realtime:a", ["access_token": "x.y.z"])
            #expect(try await socket.next().payload["message"] == "The token provided is not a valid JWT")
            #expect(try await socket.next().event == "phx_close")
        }
    }

    @Test(arguments: [
        ("apikey=bad&vsn=1.0.0", 401), ("vsn=1.0.0", 401), ("apikey=KEY&vsn=3.0.0", 400), ("apikey=KEY", 400),
    ])
    func badConnectionsAreRefused(_ query: String, _ status: Int) async throws {
        try await TestServer.run { server in
            let key = server.address.publishableKey
            let text = query.split(separator: "KEY", omittingEmptySubsequences: false).joined(separator: key)
            let error = await #expect(throws: NetworkError.self) {
                try await WebSocketClient.connect(
                    url: "\(server.address.baseURL)/realtime/v1/websocket?\(text)")
            }
            guard case .upgradeRefused(let response) = error else {
                Issue.record("not refused: \(String(describing: error))")
                return
            }
            #expect(response.status == status)
        }
    }

    @Test func aThousandJoinsAndLeavesLeaveTheCountWhereItWas() async throws {
        try await TestServer.run { server in
            let ada = try await server.signUp("ada")
            let notes = try await ada.open(with: [], title: "Notes")
            let socket = try await TestSocket.open(server)
            try await socket.join("realtime:a", token: ada.token, changes: ["messages"])
            let before = await server.server.health()
            for _ in 0..<990 {  // with the first join below what may be joined at once
                let topic = "realtime:conversation:\(notes)"
                try await socket.join(
                    topic, token: ada.token,
                    config: ["private": true, "presence": ["key": "a", "enabled": true]])
                _ = try await socket.reply(to: try await socket.send("phx_leave", topic))
            }
            let after = await server.server.health()
            #expect(after.channels == before.channels)
            #expect(after.sockets == before.sockets)
        }
    }

    @Test func channelsAndSocketsHaveLimits() async throws {
        try await TestServer.run({
            $0.limits.channelsPerSocket = 2
            $0.limits.sockets = 2
            $0.limits.joinsPerSecond = 1
        }) { server in
            let socket = try await TestSocket.open(server)
            for topic in ["realtime:a", "realtime:b", "realtime:a"] {
                #expect(try await socket.join(topic)["status"] == "ok")
            }
            let refused = try await socket.join("realtime:c")
            #expect(refused["response"]?["reason"] == "ChannelRateLimitReached: Too many channels")
            let other = try await TestSocket.open(server)
            await #expect(throws: NetworkError.self) { try await TestSocket.open(server) }
            for number in 0..<10 {
                let join = RealtimeFrame(ref: "\(number)", topic: "realtime:a", event: "phx_join")
                other.connection.enqueue(text: try join.text(version: .one, fromServer: false))
            }
            #expect(await other.closed().code == 1001)
        }
    }

    @Test func aReaderThatTakesNothingIsClosed() async throws {
        try await TestServer.run({ $0.limits.socketQueueBytes = 300_000 }) { server in
            let (one, slow) = (try await TestSocket.open(server), try await TestSocket.open(server))
            try await one.join("realtime:room")
            // Not a WebSocket client: a socket that upgrades, joins, and never reads again.
            let deaf = try DeafClient(server, joining: "realtime:room")
            defer { deaf.close() }
            try await slow.join("realtime:room", config: ["presence": ["key": "s", "enabled": true]])
            while await server.server.health().channels < 3 { await Task.yield() }
            let payload = JSONValue.string(String(repeating: "x", count: 200_000))
            for _ in 0..<60 {
                try await one.send(
                    "broadcast", "realtime:room", ["type": "broadcast", "event": "e", "payload": payload])
                _ = try await slow.next("broadcast")
            }
            while await server.server.health().sockets > 2 { await Task.yield() }
        }
    }
}
