import Backend
import FoundationEssentials
import Models
import Networking
import Secrets
import SupabaseWire
import Synchronization
import TestSupport
import Testing

@testable import SupabaseBackend

/// Sessions that are renewed, revoked and carried on, as they were reported of other messengers.
@Suite(.timeLimit(.minutes(1))) struct SignInTrialTests {
    // MARK: Refresh race

    /// A server whose refresh tokens work once. The second use ends the family.
    private final class StrictServer: Sendable {
        private struct State {
            var current = 1
            var refreshes = 0
            var isRevoked = false
        }
        private let state = Mutex(State())
        let world = Mutex<SessionWorld?>(nil)

        var isRevoked: Bool { state.withLock { $0.isRevoked } }
        var refreshes: Int { state.withLock { $0.refreshes } }

        func answer(_ request: HTTPRequest) -> HTTPResponse {
            let token = request.bodyJSON?["refresh_token"]?.string ?? ""
            let next: Int? = state.withLock { state in
                state.refreshes += 1
                guard token == "refresh\(state.current)", !state.isRevoked else {
                    state.isRevoked = true
                    return nil
                }
                state.current += 1
                return state.current
            }
            guard let next, let world = world.withLock({ $0 }) else {
                return .json(400, #"{"code":"refresh_token_already_used","message":"Already Used"}"#)
            }
            return .json(world.sessionJSON(next))
        }
    }

    @Test func t23TwoProgramsWithOneStoreSpendEachTokenOnce() async throws {
        let server = StrictServer()
        let world = try SessionWorld(ScriptedHTTP { request throws(NetworkError) in server.answer(request) })
        server.world.withLock { $0 = world }
        try await world.keep(1)
        let one = world.session()
        let other = world.session(secrets: FileSecretStore(folder: world.folder))
        for round in 1...20 {
            world.clock.advance(by: 3_590)
            async let first = one.accessToken()
            async let second = other.accessToken()
            let numbers = try await [number(of: first), number(of: second)]
            #expect(numbers == [round + 1, round + 1])
        }
        #expect(!server.isRevoked)
        #expect(server.refreshes == 20)
    }

    @Test func t23AProgramThatHoldsTheLockForLongIsNotOvertaken() async throws {
        let world = try SessionWorld()
        try await world.keep(1)
        world.clock.advance(by: 3_590)
        let held = try await world.secrets.lock(SupabaseSession.secretName, patience: .zero)
        let impatient = FileSecretStore(folder: world.folder) { _ in }  // its patience is over at once
        // The old token lives for ten more seconds, and is better than a spent one.
        #expect(number(of: try await world.session(secrets: impatient).accessToken()) == 1)
        #expect(world.http.requests.isEmpty)
        held.release()
    }

    // MARK: Revoked or unreachable refresh

    private static let refusal =
        #"{"error":"invalid_grant","error_description":"Invalid Refresh Token: Refresh Token Not Found"}"#

    @Test func t24ARevokedSessionIsAskedForOnceAndThenForTheUser() async throws {
        let world = try await LinkWorld()
        world.session.clock.advance(by: 3_700)
        world.session.http.then(.json(400, Self.refusal))
        for _ in 0..<50 {
            await #expect(throws: BackendError.signedOut) { try await world.links.connect() }
        }
        #expect(world.session.http.requests.count == 1)
        #expect(world.sockets.urls.isEmpty)
    }

    @Test func t24ARevokedSessionEndsTheLinkThatStands() async throws {
        let world = try await LinkWorld()
        let (feed, iterator) = try await world.connect()
        var events = iterator
        world.session.clock.advance(by: 3_600)
        world.session.http.then(.json(400, Self.refusal))
        try feed.socket.receive(
            RealtimeFrame(
                topic: CoreDriver.inbox, event: "system",
                payload: [
                    "extension": "system", "status": "error", "message": "Token has expired 0 seconds ago",
                ]))
        try feed.socket.receive(RealtimeFrame(ref: "1", topic: CoreDriver.inbox, event: "phx_close"))
        #expect(await events.next() == .feedLost)
        #expect(await events.next() == .ended(.signedOut))
        #expect(world.session.http.requests.count == 1)
    }

    @Test func t24WhatWaitedGoesOutOnceSomebodySignedInAgain() async throws {
        let world = try SessionWorld()
        try await world.keep(1)
        world.clock.advance(by: 3_700)
        world.http.then(.json(400, Self.refusal))
        let writing = Writing(reading: world.rest(world.session()), files: world.files())
        let room = CoreDriver.room
        let message = OutgoingMessage(id: UUID(), conversationID: room, body: "kept")
        for _ in 0..<3 { #expect(await writing.perform(.send(message)) == .waitForSignIn) }
        #expect(world.http.requests.count == 1)
        try await world.keep(2)
        world.http.then(.json("[\(WireJSON.message(message.id, in: room, body: "kept"))]"))
        guard case .stored = await writing.perform(.send(message)) else {
            Issue.record("it did not go out")
            return
        }
        #expect(number(of: world.http.requests.last?.bearer ?? "") == 2)
    }

    @Test(arguments: [SecretError.notReadable(code: 5), .tooNew, .failed(code: 5)])
    func t24ASessionThatCannotBeReadIsNoSignOut(_ error: SecretError) async throws {
        let world = try SessionWorld()
        try await world.keep(1)
        let secrets = BrokenSecrets(inner: world.secrets)
        secrets.readError = error
        let session = world.session(secrets: secrets)
        await #expect(throws: BackendError.offline(.sessionUnreadable)) { try await session.accessToken() }
        secrets.readError = nil
        #expect(number(of: try await session.accessToken()) == 1)
    }

    // MARK: A stream with an old token

    @Test func t25ARejoinHasTheNewestToken() async throws {
        let world = try await LinkWorld()
        try await world.session.keep(1, life: 20)
        await world.links.hold(CoreDriver.room)
        var (feed, events) = try await world.connect()
        for round in 2...3 {
            world.session.http.then(.json(world.session.sessionJSON(round, life: 20)))
            await world.passTime(31)  // for reasons of time a token is renewed every 30 s at most
            while let push = try await feed.next("access_token"), tokenNumber(push) != round {}
        }
        feed.socket.lose()
        while let event = await events.next() { if event == .ended(.lost) { break } }

        let socket = FakeSocket()
        world.sockets.then(.success(socket))
        let stream = try await world.links.connect()
        var again = FakeFeed(socket)
        for _ in 0..<2 {
            let join = try #require(try await again.next("phx_join"))
            #expect(tokenNumber(join) == 3)
        }
        _ = stream
    }

    private func tokenNumber(_ frame: RealtimeFrame) -> Int? {
        frame.payload["access_token"]?.string.flatMap { number(of: $0) }
    }

    @Test func t25AJoinRefusedForItsAgeRenewsAndJoinsOnce() {
        var driver = CoreDriver()
        let join = driver.joins(CoreDriver.inbox)[0]
        driver.receive(
            CoreDriver.inbox, "phx_reply", ref: join.ref,
            driver.refused("InvalidJWTToken: Token has expired 3600 seconds ago"))
        driver.pass(.seconds(20))
        #expect(driver.renewals == ["t1"])
        #expect(driver.joins(CoreDriver.inbox).count == 1)
        driver.handle(.token("t2", checkAt: driver.now + .seconds(3_000)))
        driver.becomeLive()
        driver.pass(.seconds(60))
        #expect(driver.joins(CoreDriver.inbox).map { $0.payload["access_token"] } == ["t1", "t2"])
        #expect(driver.emitted == [.live])
    }

    // MARK: Disk full

    @Test func t59ANewPairIsWrittenAsSoonAsThereIsRoom() async throws {
        let world = try SessionWorld()
        let secrets = BrokenSecrets(inner: world.secrets)
        try await world.keep(1)
        world.clock.advance(by: 3_590)
        world.http.then(.json(world.sessionJSON(2)))
        let session = world.session(secrets: secrets)
        secrets.error = .diskFull
        #expect(number(of: try await session.accessToken()) == 2)
        for _ in 0..<5 {
            while world.clock.sleeperCount == 0 { await Task.yield() }
            world.clock.advance(by: 2)  // nobody uses the session meanwhile
        }
        while world.clock.sleeperCount == 0 { await Task.yield() }
        secrets.error = nil
        world.clock.advance(by: 2)
        while try await stored(world) != 2 { await Task.yield() }
        #expect(world.http.requests.count == 1)
        _ = session
    }

    private func stored(_ world: SessionWorld) async throws -> Int? {
        let text = try await world.secrets.value(for: SupabaseSession.secretName) ?? ""
        return number(of: try WireCoding.decode(StoredSession.self, from: text).accessToken)
    }
}
