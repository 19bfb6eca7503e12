import FoundationEssentials
import Glibc
import Networking
import SupabaseWire
import Testing

@testable import Server

@Suite struct ServerLifeTests {
    /// A directory of its own that is gone afterwards.
    private func withDirectory(_ body: (String) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.path + "/pingline-" + UUIDText.random()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        do { try await body(path) } catch {
            try FileManager.default.removeItem(atPath: path)
            throw error
        }
        try FileManager.default.removeItem(atPath: path)
    }

    @Test func aSecondRunHasTheKeyTheUsersAndTheirSessions() async throws {
        try await withDirectory { path in
            var (key, token, conversation) = ("", "", "")
            try await TestServer.run({ $0.directory = path + "/data" }) { server in
                let ada = try await server.signUp("ada")
                conversation = try await ada.open(with: [], title: "Notes")
                _ = try await ada.send("kept", to: conversation)
                (key, token) = (server.address.publishableKey, ada.token)
            }
            try await TestServer.run({ $0.directory = path + "/data" }) { server in
                #expect(server.address.publishableKey == key)
                let rows = try await server.call("GET", "/rest/v1/messages?select=body", token: token)
                #expect(try rows.json == [["body": "kept"]])
                #expect(try await server.call("GET", "/auth/v1/user", token: token).status == 200)
            }
        }
    }

    /// What is on the disk while a server still runs is all that a killed one leaves behind.
    @Test func whatWasAcknowledgedIsThereAfterAKill() async throws {
        try await withDirectory { path in
            try await TestServer.run({ $0.directory = path + "/data" }) { server in
                let ada = try await server.signUp("ada")
                let notes = try await ada.open(with: [], title: "Notes")
                for number in 0..<20 { _ = try await ada.send("m\(number)", to: notes) }
                try FileManager.default.copyItem(atPath: path + "/data", toPath: path + "/left")
                let token = ada.token
                try await TestServer.run({ $0.directory = path + "/left" }) { next in
                    let rows = try await next.call(
                        "GET", "/rest/v1/messages?select=body&order=created_at", token: token)
                    #expect(try rows.json.array?.count == 20)
                    let sent = try await next.call(
                        "POST", "/rest/v1/messages", ["conversation_id": .string(notes), "body": "on"],
                        token: token)
                    #expect(sent.status == 201)
                }
            }
        }
    }

    @Test func nobodyElseMayReadTheFilesWhateverTheUmask() async throws {
        try await withDirectory { path in
            let before = umask(0)
            defer { umask(before) }
            try await TestServer.run({ $0.directory = path + "/data" }) { server in
                _ = try await server.signUp("ada")
                for name in ["", "/server.sqlite", "/server.sqlite-wal", "/server.sqlite-shm", "/lock"] {
                    var status = stat()
                    #expect(stat(path + "/data" + name, &status) == 0)
                    #expect(status.st_mode & 0o077 == 0, "\(name)")
                }
            }
        }
    }

    @Test func oneDirectoryHasOneServer() async throws {
        try await withDirectory { path in
            try await TestServer.run({ $0.directory = path + "/data" }) { _ in
                let second = ChatServer(ServerConfiguration(directory: path + "/data"))
                await #expect(throws: ServerError.inUse(path + "/data")) { try await second.start() }
            }
        }
    }

    @Test func aPortAndAHostAreChecked() async throws {
        try await TestServer.run { server in
            var configuration = ServerConfiguration()
            configuration.port = UInt16(server.address.baseURL.split(separator: ":").last ?? "") ?? 0
            let taken = ServerError.portTaken(host: "127.0.0.1", port: configuration.port)
            await #expect(throws: taken) { try await ChatServer(configuration).start() }
            configuration.port = 0
            configuration.host = "0.0.0.0"
            let wide = ServerError.widerListening(host: "0.0.0.0")
            await #expect(throws: wide) { try await ChatServer(configuration).start() }
            #expect(wide.message.what.contains("0.0.0.0"))
            configuration.host = "example.test"
            await #expect(throws: ServerError.badHost("example.test")) {
                try await ChatServer(configuration).start()
            }
            await #expect(throws: ServerError.alreadyRunning) { try await server.server.start() }
        }
    }

    @Test func stoppingClosesSocketsWith1001AndThePortIsFreeAtOnce() async throws {
        let first = ChatServer(ServerConfiguration())
        let address = try await first.start()
        let test = TestServer(server: first, address: address)
        let socket = try await TestSocket.open(test)
        async let stopped: Void = first.stop()
        #expect(await socket.closed().code == 1001)
        await stopped
        var configuration = ServerConfiguration()
        configuration.port = UInt16(address.baseURL.split(separator: ":").last ?? "") ?? 0
        let second = ChatServer(configuration)
        #expect(try await second.start().baseURL == address.baseURL)
        await second.stop()
    }

    @Test func healthCountsSocketsChannelsAndRows() async throws {
        try await TestServer.run { server in
            let ada = try await server.signUp("ada")
            let socket = try await TestSocket.open(server)
            try await socket.join("realtime:a", token: ada.token)
            let health = try await server.call("GET", "/health").json
            #expect(health["sockets"] == 1)
            #expect(health["channels"] == 1)
            #expect(health["rows"]?["users"] == 1)
            #expect(health["version"] != nil)
            // A Pingline that has only the address asks here for the key.
            #expect(health["publishable_key"]?.string == server.address.publishableKey)
        }
    }

    @Test func aHistoryIsMadeInThePast() async throws {
        try await TestServer.run { server in
            let people = ["ana", "ben"].map {
                SeedPerson(
                    email: "\($0)@example.test", password: "correct horse", username: $0,
                    displayName: $0.capitalized)
            }
            let ana = try await server.server.seedUser(people[0])
            let ben = try await server.server.seedUser(people[1])
            let start: Int64 = 1_700_000_000_000_000
            let pair = try await server.server.seedConversation(by: ana, with: [ben], createdAt: start)
            let message = SeedMessage(
                conversationID: pair, senderID: ben, body: "hi", createdAt: start + 60_000_000)
            try await server.server.seedMessage(message)
            try await server.server.seedReaction("👍", to: message.id, by: ana)
            try await server.server.seedRead(pair, by: ana)
            let session = try await server.call(
                "POST", "/auth/v1/token?grant_type=password",
                ["email": "ana@example.test", "password": "correct horse"])
            let user = try TestUser(server: server, session: session.json)
            let listed = try await user.rpc("list_conversations").json.array?.first
            #expect(listed?["last_message_created_at"] == "2023-11-14T22:14:20+00:00")
            #expect(listed?["created_at"] == "2023-11-14T22:13:20+00:00")
            #expect(listed?["unread_count"] == 0)
            let live = try await user.send("now", to: pair.uuidString)
            #expect((live["created_at"]?.string ?? "") > "2024")
        }
    }

    @Test func aBodyOverTheLimitIsRefused() async throws {
        try await TestServer.run({ $0.limits.bodyBytes = 1_000 }) { server in
            let large: JSONValue = ["email": .string(String(repeating: "x", count: 2_000))]
            let answer = try await server.call("POST", "/auth/v1/signup", large)
            #expect(answer.status == 413)
        }
    }
}
