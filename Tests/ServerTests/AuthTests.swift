import Networking
import SupabaseWire
import Synchronization
import Testing

@testable import Server

@Suite struct AuthTests {
    private func refresh(_ server: TestServer, _ token: String) async throws -> TestAnswer {
        try await server.call(
            "POST", "/auth/v1/token?grant_type=refresh_token", ["refresh_token": .string(token)])
    }

    private func signIn(_ server: TestServer, _ email: String, _ password: String) async throws -> TestAnswer
    {
        try await server.call(
            "POST", "/auth/v1/token?grant_type=password",
            ["email": .string(email), "password": .string(password)])
    }

    @Test func aSessionHasAllThatClientsNeed() async throws {
        try await TestServer.run { server in
            let ada = try await server.signUp("ada")
            let session = try await signIn(server, "ADA@example.test", "correct horse").json
            #expect(session["token_type"] == "bearer")
            #expect(session["expires_in"] == 3600)
            let user = session["user"]
            #expect(user?["id"] == .string(ada.id))
            #expect(user?["user_metadata"]?["username"] == "ada")
            #expect(user?["identities"]?.array?.count == 1)
            let profile = try await ada.call("GET", "/rest/v1/profiles?id=eq.\(ada.id)").json.array?.first
            #expect(profile?["username"] == "ada")
            #expect(profile?["display_name"] == "Ada")
        }
    }

    @Test func refusalsHaveTheirCodes() async throws {
        try await TestServer.run { server in
            _ = try await server.signUp("ada")
            let version = [("X-Supabase-Api-Version", "2024-01-01")]
            func signUp(_ email: String, _ password: String) async throws -> TestAnswer {
                try await server.call(
                    "POST", "/auth/v1/signup", ["email": .string(email), "password": .string(password)],
                    headers: version)
            }
            #expect(try await signUp("Ada@Example.test", "correct horse").code == "user_already_exists")
            let weak = try await signUp("b@example.test", "abc")
            #expect(weak.status == 422)
            #expect(try weak.json["weak_password"]?["reasons"] == ["length"])
            #expect(try await signUp("nope", "correct horse").code == "validation_failed")
            #expect(try await signUp("c@example.test", String(repeating: "x", count: 73)).status == 400)
            let wrong = try await signIn(server, "ada@example.test", "wrong horse")
            #expect(try wrong.json["code"] == 400)
            #expect(try wrong.json["error_code"] == "invalid_credentials")
            #expect(wrong.headers["x-sb-error-code"] == "invalid_credentials")
            #expect(try await signIn(server, "zoe@example.test", "wrong horse").text == wrong.text)
        }
    }

    @Test func theDirectParentOfTheActiveTokenIsForgivenForEver() async throws {
        let clock = TestClock()
        try await TestServer.run({ $0.now = clock.read }) { server in
            let ada = try await server.signUp("ada")
            let next = try await refresh(server, ada.refreshToken).json["refresh_token"]
            clock.advance(seconds: 1_000)
            #expect(try await refresh(server, ada.refreshToken).json["refresh_token"] == next)
        }
    }

    @Test func aTokenReusedTooLateEndsTheFamily() async throws {
        let clock = TestClock()
        try await TestServer.run({ $0.now = clock.read }) { server in
            let first = try await server.signUp("ada").refreshToken
            let second = try await refresh(server, first).json["refresh_token"]?.string ?? ""
            let third = try await refresh(server, second).json["refresh_token"]?.string ?? ""
            #expect(try await refresh(server, first).json["refresh_token"] == .string(third))
            clock.advance(seconds: 11)
            let refused = try await refresh(server, first)
            #expect(refused.status == 400)
            #expect(try refused.json["error_code"] == "refresh_token_already_used")
            #expect(try await refresh(server, third).status == 400)
            #expect(try await refresh(server, "unknown12345").json["error_code"] == "refresh_token_not_found")
            #expect(try await refresh(server, "Nope").json["error_code"] == "validation_failed")
        }
    }

    @Test func twoRefreshesAtOnceGiveOneToken() async throws {
        try await TestServer.run { server in
            let token = try await server.signUp("ada").refreshToken
            async let one = refresh(server, token).json["refresh_token"]
            async let other = refresh(server, token).json["refresh_token"]
            let both = try await (one, other)
            #expect(both.0 == both.1)
        }
    }

    @Test func loggingOutEndsTheSessionsOfItsScope() async throws {
        try await TestServer.run { server in
            let ada = try await server.signUp("ada")
            let other = try await signIn(server, "ada@example.test", "correct horse").json
            let token = other["access_token"]?.string ?? ""
            #expect(try await ada.call("POST", "/auth/v1/logout?scope=nowhere").status == 400)
            #expect(try await ada.call("POST", "/auth/v1/logout?scope=others").status == 204)
            #expect(try await server.call("GET", "/auth/v1/user", token: token).status == 403)
            #expect(try await refresh(server, other["refresh_token"]?.string ?? "").status == 400)
            #expect(try await ada.call("GET", "/auth/v1/user").status == 200)
            #expect(try await ada.call("POST", "/auth/v1/logout").status == 204)
            #expect(try await ada.call("GET", "/auth/v1/user").json["error_code"] == "session_not_found")
        }
    }

    @Test func aUserIsChanged() async throws {
        try await TestServer.run { server in
            let ada = try await server.signUp("ada")
            _ = try await server.signUp("ben")
            func put(_ body: JSONValue) async throws -> TestAnswer {
                try await ada.call("PUT", "/auth/v1/user", body)
            }
            let merged = try await put(["data": ["display_name": "Ada L"]]).json["user_metadata"]
            #expect(merged == ["username": "ada", "display_name": "Ada L"])
            #expect(try await put(["password": "correct horse"]).json["error_code"] == "same_password")
            #expect(try await put(["email": "ben@example.test"]).json["error_code"] == "email_exists")
            #expect(try await put(["password": "another horse"]).status == 200)
            #expect(try await signIn(server, "ada@example.test", "another horse").status == 200)
            #expect(try await server.call("GET", "/auth/v1/user").status == 401)
            #expect(try await server.call("GET", "/auth/v1/user", token: "x.y.z").status == 403)
        }
    }

    @Test func guessingPasswordsIsSlowedDown() async throws {
        try await TestServer.run({ $0.limits.failedSignIns = 3 }) { server in
            _ = try await server.signUp("ada")
            for _ in 0..<3 {
                #expect(try await signIn(server, "ada@example.test", "wrong horse").status == 400)
            }
            let held = try await signIn(server, "ada@example.test", "correct horse")
            #expect(held.status == 429)
            #expect(held.headers["Retry-After"] != nil)
        }
    }

    @Test func everyDoorAsksForTheKey() async throws {
        try await TestServer.run { server in
            let doors = [
                "/rest/v1/profiles", "/auth/v1/settings", "/realtime/v1/api/broadcast", "/storage/v1/bucket",
            ]
            for path in doors {
                let wrong = try await server.call("GET", path, headers: [("apikey", "nope")])
                #expect(wrong.status == 401)
                #expect(try wrong.json["message"] == "Invalid API key")
                #expect(try wrong.json["code"] == nil)
            }
            #expect(try await server.call("GET", "/auth/v1/health").json["name"] == "GoTrue")
            #expect(try await server.call("GET", "/nowhere").status == 404)
            #expect(try await server.call("POST", "/auth/v1/otp", [:]).json["error_code"] == "not_found")
        }
    }
}

/// A clock that stands until it is moved.
final class TestClock: Sendable {
    private let microseconds = Mutex(Int64(1_790_000_000_000_000))

    var read: @Sendable () -> Int64 {
        { self.microseconds.withLock { $0 } }
    }

    func advance(seconds: Int64) { microseconds.withLock { $0 += seconds * 1_000_000 } }
}
