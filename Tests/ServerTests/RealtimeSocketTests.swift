import Networking
import SupabaseWire
import Testing

@testable import Server

@Suite struct RealtimeSocketTests {
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
        try await TestServer.run({ $0.accessTokenLifetime = .seconds(4) }) { server in
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
