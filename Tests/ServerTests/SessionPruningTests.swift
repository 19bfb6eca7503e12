import SQLite
import SupabaseWire
import Testing

@testable import Server

@Suite struct SessionPruningTests {
    private static let day: Int64 = 86_400

    private func refresh(_ server: TestServer, _ token: String) async throws -> TestAnswer {
        try await server.call(
            "POST", "/auth/v1/token?grant_type=refresh_token", ["refresh_token": .string(token)])
    }

    /// The next token; a refusal ends the test.
    private func renewed(_ server: TestServer, _ token: String) async throws -> String {
        try #require(try await refresh(server, token).json["refresh_token"]?.string)
    }

    private func rows(_ server: TestServer) async throws -> (sessions: Int64?, tokens: Int64?) {
        let rows = try await server.call("GET", "/health").json["rows"]
        return (rows?["sessions"]?.integer, rows?["refresh_tokens"]?.integer)
    }

    @Test func tokensSpentLongAgoAreForgottenAndTheSessionLives() async throws {
        let clock = TestClock()
        try await TestServer.run({ $0.now = clock.read }) { server in
            var tokens = [try await server.signUp("ada").refreshToken]
            for _ in 0..<40 {
                clock.advance(seconds: Self.day)
                tokens.append(try await renewed(server, tokens[tokens.count - 1]))
            }
            let rows = try await rows(server)
            #expect(rows.sessions == 1)
            #expect((30...32).contains(rows.tokens ?? 0))
            // Forgotten: a token like any that never was. The session does not suffer from it.
            let old = try await refresh(server, tokens[0])
            #expect(old.status == 400)
            #expect(try old.json["error_code"] == "refresh_token_not_found")
            #expect(try await refresh(server, tokens[40]).status == 200)
        }
    }

    @Test func reuseWithinTheMemoryStillEndsTheFamily() async throws {
        let clock = TestClock()
        try await TestServer.run({ $0.now = clock.read }) { server in
            let first = try await server.signUp("ada").refreshToken
            let second = try await renewed(server, first)
            clock.advance(seconds: 20 * Self.day)
            let third = try await renewed(server, second)
            clock.advance(seconds: 5 * Self.day)
            _ = try await server.signUp("ben")  // somebody else's call does the pruning
            #expect(try await refresh(server, first).json["error_code"] == "refresh_token_already_used")
            #expect(try await refresh(server, third).json["error_code"] == "refresh_token_already_used")
            // Revoked it stays for as long as a spent token is remembered, and is gone after.
            let ben = try await server.signUp("cleo").refreshToken
            #expect(try await rows(server).sessions == 3)
            clock.advance(seconds: 26 * Self.day)
            _ = try await renewed(server, ben)
            #expect(try await rows(server).sessions == 2)
            #expect(try await refresh(server, third).json["error_code"] == "refresh_token_not_found")
        }
    }

    @Test func theParentOfTheActiveTokenIsKeptHoweverOld() async throws {
        let clock = TestClock()
        try await TestServer.run({ $0.now = clock.read }) { server in
            let first = try await server.signUp("ada").refreshToken
            let second = try await renewed(server, first)
            clock.advance(seconds: 100 * Self.day)
            let ben = try await server.signUp("ben").refreshToken
            _ = try await renewed(server, ben)
            #expect(try await renewed(server, first) == second)
        }
    }

    @Test func aSessionNobodyRenewsEnds() async throws {
        let clock = TestClock()
        try await TestServer.run({ $0.now = clock.read }) { server in
            let idle = try await server.signUp("ada").refreshToken
            var used = try await server.signUp("ben").refreshToken
            for _ in 0..<7 {
                clock.advance(seconds: 30 * Self.day)
                used = try await renewed(server, used)
            }
            #expect(try await rows(server).sessions == 1)
            #expect(try await refresh(server, idle).json["error_code"] == "refresh_token_not_found")
            #expect(try await refresh(server, used).status == 200)
        }
    }

    @Test func muchIsForgottenInSeveralPasses() async throws {
        let clock = TestClock()
        var configuration = ServerConfiguration()
        configuration.now = clock.read
        let database = Database(configuration: configuration)
        try await database.open(.memory)
        try await database.write { session throws(Refusal) in
            _ = try session.execute(
                "INSERT INTO users VALUES ('u', 'a@b', '', '{}', 'i', 0, NULL, 0, 0)")
            _ = try session.execute(
                """
                WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 2500)
                INSERT INTO sessions SELECT 's' || x, 'u', 0, 0 FROM n
                """)
        }
        let pruning = SessionPruning(configuration)
        for left in [500, 0, 0] {
            let count = try await database.write { session throws(Refusal) in
                try pruning.prune(session)
                return try session.rowCounts()["sessions"]
            }
            #expect(count == left)
        }
        await database.close()
    }
}
