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

@Suite struct SessionTests {
    @Test func aTokenWithLifeLeftIsUsedAsItIs() async throws {
        let world = try SessionWorld()
        try await world.keep(1)
        #expect(number(of: try await world.session().accessToken()) == 1)
        #expect(world.http.requests.isEmpty)
    }

    @Test func aTokenIsRenewedAMinuteBeforeItsEnd() async throws {
        let world = try SessionWorld()
        try await world.keep(1)
        world.http.then(.json(world.sessionJSON(2)))
        world.clock.advance(by: 3_545)
        #expect(number(of: try await world.session().accessToken()) == 2)
        #expect(world.http.paths == ["/auth/v1/token?grant_type=refresh_token"])
        #expect(world.http.requests[0].bodyJSON == ["refresh_token": "refresh1"])
        #expect(world.http.requests[0].headers["X-Supabase-Api-Version"] == "2024-01-01")
    }

    @Test func manyTasksShareOneRefresh() async throws {
        let gate = Gate()
        let world = try SessionWorld()
        try await world.keep(1)
        world.clock.advance(by: 3_590)
        let answer = world.sessionJSON(2)
        world.http.then { _ throws(NetworkError) in
            await gate.pass()
            return .json(answer)
        }
        let session = world.session()
        try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<50 { group.addTask { number(of: try await session.accessToken()) } }
            await gate.arrival()
            gate.open()
            for try await number in group { #expect(number == 2) }
        }
        #expect(world.http.requests.count == 1)
    }

    @Test func twoProcessesSpendATokenOnce() async throws {
        let world = try SessionWorld()
        try await world.keep(1)
        world.clock.advance(by: 3_590)
        world.http.then(.json(world.sessionJSON(2)))
        let one = world.session()
        let other = world.session(secrets: FileSecretStore(folder: world.folder))
        async let first = one.accessToken()
        async let second = other.accessToken()
        let numbers = try await [number(of: first), number(of: second)]
        #expect(numbers == [2, 2])
        #expect(world.http.requests.count == 1)
    }

    @Test func theNewPairIsKeptBeforeItIsUsed() async throws {
        let world = try SessionWorld()
        try await world.keep(1)
        world.clock.advance(by: 3_590)
        world.http.then(.json(world.sessionJSON(2)))
        _ = try await world.session().accessToken()
        #expect(number(of: try await world.session().accessToken()) == 2)
        #expect(world.http.requests.count == 1)
    }

    @Test func aPairThatCannotBeKeptWorksAndIsKeptLater() async throws {
        let world = try SessionWorld()
        let secrets = BrokenSecrets(inner: world.secrets)
        try await world.keep(1)
        world.clock.advance(by: 3_590)
        world.http.then(.json(world.sessionJSON(2)))
        let session = world.session(secrets: secrets)
        secrets.error = .diskFull
        #expect(number(of: try await session.accessToken()) == 2)
        secrets.error = nil
        world.clock.advance(by: 30)
        _ = try await session.accessToken()
        #expect(number(of: try await world.session().accessToken()) == 2)
        #expect(world.http.requests.count == 1)
    }

    @Test(arguments: [
        (400, "refresh_token_not_found"), (400, "refresh_token_already_used"), (400, "session_not_found"),
        (400, "session_expired"), (400, "validation_failed"), (403, "user_not_found"), (403, "user_banned"),
    ])
    func aFinalRefusalEndsTheSessionAfterOneCall(_ status: Int, _ code: String) async throws {
        let world = try SessionWorld()
        try await world.keep(1)
        world.clock.advance(by: 3_700)
        world.http.then(.json(status, #"{"code":"\#(code)","message":"x"}"#))
        let session = world.session()
        for _ in 0..<3 {
            await #expect(throws: BackendError.signedOut) { try await session.accessToken() }
        }
        #expect(world.http.requests.count == 1)
        #expect(try await world.secrets.value(for: SupabaseSession.secretName) == nil)
    }

    @Test func theOldFormOfARefusalEndsItToo() async throws {
        let world = try SessionWorld()
        try await world.keep(1)
        world.clock.advance(by: 3_700)
        world.http.then(.json(400, #"{"error":"invalid_grant","error_description":"Invalid Refresh Token"}"#))
        await #expect(throws: BackendError.signedOut) { try await world.session().accessToken() }
    }

    @Test func troubleThatPassesKeepsTheSession() async throws {
        let answers: [(HTTPResponse?, BackendError)] = [
            (nil, .offline(.unreachable)), (.json(500, "{}"), .offline(.serverUnavailable)),
            (.html(503), .offline(.serverUnavailable)), (.json(429, "{}"), .busy(retryAfter: nil)),
            (.json(409, #"{"code":"conflict"}"#), .busy(retryAfter: .seconds(1))),
            (.html(302), .offline(.intercepted)), (.html(200), .offline(.intercepted)),
            (.json(401, #"{"message":"Invalid API key"}"#), .offline(.refused)),
        ]
        for (answer, expected) in answers {
            let world = try SessionWorld()
            try await world.keep(1)
            world.clock.advance(by: 3_700)
            if let answer { world.http.then(answer) }
            let session = world.session()
            await #expect(throws: expected) { try await session.accessToken() }
            world.clock.advance(by: 10)
            world.http.then(.json(world.sessionJSON(2)))
            #expect(number(of: try await session.accessToken()) == 2)
        }
    }

    @Test func aRefreshWithoutANetworkStillGivesTheTokenThatLives() async throws {
        let world = try SessionWorld()
        try await world.keep(1)
        world.clock.advance(by: 3_550)
        #expect(number(of: try await world.session().accessToken()) == 1)
    }

    @Test func retryAfterIsObeyed() async throws {
        let world = try SessionWorld()
        try await world.keep(1)
        world.clock.advance(by: 3_700)
        world.http.then(.json(429, "{}", ["Retry-After": "120"]))
        let session = world.session()
        await #expect(throws: BackendError.busy(retryAfter: .seconds(120))) {
            try await session.accessToken()
        }
        world.clock.advance(by: 60)
        await #expect(throws: BackendError.busy(retryAfter: .seconds(60))) { try await session.accessToken() }
        #expect(world.http.requests.count == 1)
    }

    @Test(arguments: [-600, 600]) func aWrongClockMakesNoLoop(_ ahead: Int64) async throws {
        let world = try SessionWorld()
        try await world.keep(1, ahead: ahead)
        let session = world.session()
        for _ in 0..<10 {
            #expect(number(of: try await session.accessToken()) == 1)
            world.clock.advance(by: 60)
        }
        #expect(world.http.requests.isEmpty)
    }

    @Test func forReasonsOfTimeATokenIsRenewedOnceInThirtySeconds() async throws {
        let count = Mutex(1)
        let made = Mutex<SessionWorld?>(nil)
        let world = try SessionWorld(
            ScriptedHTTP { _ throws(NetworkError) in
                // Dead on arrival: a server that gives out tokens without life.
                let number = count.withLock {
                    $0 += 1; return $0
                }
                return .json(made.withLock { $0?.sessionJSON(number, life: 0) } ?? "")
            })
        made.withLock { $0 = world }
        try await world.keep(1, life: 0)
        let session = world.session()
        for _ in 0..<29 {
            _ = try await session.accessToken()
            world.clock.advance(by: 1)
        }
        #expect(world.http.requests.count == 1)
        world.clock.advance(by: 2)
        _ = try await session.accessToken()
        #expect(world.http.requests.count == 2)
    }

    @Test func aRefusedTokenIsRenewedWhateverTheTime() async throws {
        let world = try SessionWorld()
        try await world.keep(1)
        world.http.then(.json(world.sessionJSON(2)))
        let session = world.session()
        let first = try await session.accessToken()
        #expect(number(of: try await session.token(replacing: first)) == 2)
        #expect(number(of: try await session.token(replacing: first)) == 2)
        #expect(world.http.requests.count == 1)
    }

    @Test func whoSignsInAgainIsHeardWithoutARestart() async throws {
        let world = try SessionWorld()
        let session = world.session()
        await #expect(throws: BackendError.signedOut) { try await session.accessToken() }
        try await world.keep(7)
        #expect(number(of: try await session.accessToken()) == 7)
    }

    @Test func aSignOutElsewhereEndsTheSessionAtTheNextRenewal() async throws {
        let world = try SessionWorld()
        try await world.keep(1)
        let session = world.session()
        _ = try await session.accessToken()
        try await world.secrets.set(nil, for: SupabaseSession.secretName)
        world.clock.advance(by: 3_600)
        await #expect(throws: BackendError.signedOut) { try await session.accessToken() }
        #expect(world.http.requests.isEmpty)
    }

    @Test func signingOutForgetsTheSessionWhateverTheServerSays() async throws {
        let world = try SessionWorld()
        try await world.keep(1)
        world.http.then(.json(500, "{}"))
        let session = world.session()
        await session.signOut()
        #expect(world.http.paths == ["/auth/v1/logout?scope=local"])
        #expect(number(of: world.http.requests[0].bearer ?? "") == 1)
        #expect(try await world.secrets.value(for: SupabaseSession.secretName) == nil)
        await #expect(throws: BackendError.signedOut) { try await session.accessToken() }
    }

    @Test func listenersHearOfEachNewToken() async throws {
        let world = try SessionWorld()
        try await world.keep(1)
        world.clock.advance(by: 3_590)
        world.http.then(.json(world.sessionJSON(2)))
        let session = world.session()
        var renewals = await session.renewals().makeAsyncIterator()
        _ = try await session.accessToken()
        #expect(await renewals.next().flatMap { number(of: $0) } == 2)
        #expect(await session.timeToRenewal() == .seconds(3_540))
    }
}
