import Backend
import FoundationEssentials
import Models
import Networking
import Server
import Store
import Sync
import TestSupport
import Testing

@testable import SupabaseBackend

/// What becomes of the queue while the session is renewed, against a real server: nothing is lost or sent twice.
@Suite(.timeLimit(.minutes(2))) struct RenewalTrialTests {
    private static let renewal = "grant_type=refresh_token"
    private static let sending = "/rest/v1/messages?on_conflict"

    /// Ana's engine behind a way with faults, and Ben, who sees what is at the server.
    private struct World {
        let server: ServerWorld
        let http: FaultyHTTP
        let accounts: SupabaseAccounts
        let engine: SyncEngine
        let ben: SupabaseBackend
        let room: UUID

        static func start() async throws -> World {
            // A spent token is worth nothing, but to who has not heard of the one that came after it.
            let server = try await ServerWorld.start { $0.refreshReuseWindow = .zero }
            let network = SupabaseNetwork.system()
            let http = FaultyHTTP(network.http)
            let accounts = SupabaseAccounts(
                folder: server.folder + "/ana", network: SupabaseNetwork(http: http, sockets: network.sockets)
            )
            let ana = try await accounts.signUp(
                server.credentials("ana"), username: "ana", displayName: "Ana")
            let ben = try await server.person("ben")
            let backend = try accounts.backend(of: ana)
            let room = try await backend.createConversation(
                id: UUID(), with: [ben.userID], title: nil, isGroup: false)
            let engine = SyncEngine(
                account: AccountID(rawValue: UUID()), store: try .inMemory(for: ana.userID), backend: backend)
            await engine.start()
            for await status in engine.connectionStatus() where status == .connected { break }
            return World(
                server: server, http: http, accounts: accounts, engine: engine, ben: ben, room: room)
        }

        func detail(where isWanted: (LinkDetail) -> Bool) async -> LinkDetail? {
            for await detail in engine.linkDetail() where isWanted(detail) { return detail }
            return nil
        }

        /// Sends them one after the other, and waits until each is at the server.
        func send(_ bodies: String...) async throws {
            for body in bodies {
                let message = try await engine.send(body, in: room, replyTo: nil)
                for await shown in await engine.messageStream(for: room)
                where shown.id == message.id && shown.deliveryState != .sending { break }
            }
        }

        /// What is at the server, oldest first.
        func stored() async throws -> [String] {
            try await ben.history(of: room, before: nil, limit: 50).reversed().map(\.message.body)
        }

        func end() async {
            await engine.stop()
            await server.end()
        }
    }

    @Test func aTokenThatRunsOutOnTheWayIsRenewedAndTheMessageIsThereOnce() async throws {
        let world = try await World.start()
        world.http.plan(.expireToken, for: Self.sending)
        try await world.send("one", "two")
        #expect(try await world.stored() == ["one", "two"])
        #expect(world.http.count(Self.renewal) == 1)
        await world.end()
    }

    @Test func aRenewalWhoseAnswerIsLostCostsNeitherTheSessionNorAMessage() async throws {
        let world = try await World.start()
        // Each time the new pair stays at the server, and the spent one has to do for the next try.
        world.http.plan(.expireToken, for: Self.sending, times: 3)
        world.http.plan(.loseAnswer, for: Self.renewal, times: 2)
        try await world.send("one", "two")
        #expect(try await world.stored() == ["one", "two"])
        #expect(world.http.leftCount == 0)
        #expect(world.http.count(Self.renewal) == 3)
        #expect(await world.detail { _ in true }?.reason == nil)
        await world.end()
    }

    @Test func aMessageThatArrivedWithTheLastOfATokenIsNotSentAgainWithTheNext() async throws {
        let world = try await World.start()
        world.http.plan(.loseAnswer, for: Self.sending)
        world.http.plan(.expireToken, for: Self.sending)
        try await world.send("one", "two")
        #expect(try await world.stored() == ["one", "two"])
        #expect(world.http.leftCount == 0)
        await world.end()
    }

    @Test func manyRequestsThatAreRefusedAtOnceRenewOnce() async throws {
        let world = try await World.start()
        let (engine, room) = (world.engine, world.room)
        world.http.plan(.expireToken, for: "/rest/v1/", times: 4)
        await withTaskGroup { group in
            for _ in 0..<3 { group.addTask { _ = try? await engine.people(matching: "ben") } }
            group.addTask { _ = try? await engine.send("meanwhile", in: room, replyTo: nil) }
        }
        try await world.send("after")
        #expect(try await world.stored() == ["meanwhile", "after"])
        #expect(world.http.count(Self.renewal) == 1)
        await world.end()
    }

    @Test func aSessionRefusedForGoodKeepsTheQueueAndAnotherSendsIt() async throws {
        let world = try await World.start()
        let notices = world.engine.notices()
        world.http.plan(.expireToken, for: Self.sending)
        world.http.plan(
            .answer(.json(400, #"{"error":"invalid_grant","error_description":"Refresh Token Not Found"}"#)),
            for: Self.renewal)
        for body in ["one", "two"] { try await world.engine.send(body, in: world.room, replyTo: nil) }
        for await notice in notices where notice == .signedOut { break }
        let lost = await world.detail { $0.reason == .signedOut && $0.waitingCount == 2 }
        #expect(lost?.waitingCount == 2)
        try await world.engine.send("three", in: world.room, replyTo: nil)
        #expect(try await world.stored().isEmpty)

        _ = try await world.accounts.signIn(world.server.credentials("ana"))
        await world.engine.reconnectNow()
        for await status in world.engine.connectionStatus() where status == .connected { break }
        try await world.send("four")
        #expect(try await world.stored() == ["one", "two", "three", "four"])
        #expect(await world.detail { $0.waitingCount == 0 }?.reason == nil)
        await world.end()
    }
}
