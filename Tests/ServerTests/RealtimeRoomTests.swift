import Networking
import SupabaseWire
import Testing

@testable import Server

@Suite struct RealtimeRoomTests {
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

    @Test func bytesReachReceiversOfVersionTwo() async throws {
        try await TestServer.run { server in
            let (one, two) = (
                try await TestSocket.open(server), try await TestSocket.open(server, version: .two)
            )
            let sender = try await TestSocket.open(server, version: .two)
            for socket in [one, two] { try await socket.join("realtime:room") }
            try await sender.join("realtime:room", config: ["broadcast": ["ack": true]])
            let push: [UInt8] = [3, 1, 1, 13, 1, 0, 0] + Array("19realtime:roome".utf8) + [0xFF, 0]
            try await sender.connection.send(binary: push)
            #expect(try await sender.next().ref == "9")
            #expect(
                try await two.nextBinary() == [4, 13, 1, 0, 0] + Array("realtime:roome".utf8) + [0xFF, 0])
            let sent = try await server.call(
                "POST", "/realtime/v1/api/broadcast/room/events/e", ["on": true],
                headers: [("Content-Type", "application/octet-stream")])
            #expect(sent.status == 202)
            let expected = Array("realtime:roome{}".utf8) + Array(#"{"on":true}"#.utf8)
            #expect(try await two.nextBinary() == [4, 13, 1, 2, 0] + expected)
            // Bytes have no text form: the next thing an old client hears is the answer to its own heartbeat.
            try await one.send("heartbeat", "phoenix", ref: "h")
            #expect(try await one.next().ref == "h")
        }
    }
}
