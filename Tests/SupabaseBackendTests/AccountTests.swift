import Addresses
import FoundationEssentials
import Glibc
import Models
import Networking
import SupabaseWire
import Testing

@testable import SupabaseBackend

@Suite struct DoorTests {
    @Test func theRealtimeDoorHasTheKeyEncoded() throws {
        #expect(
            try ServerAddress("https://a.b").realtime(key: "k+y=")
                == "wss://a.b/realtime/v1/websocket?apikey=k%2By%3D&vsn=1.0.0")
    }

    @Test func anAttachmentsPathCannotLeaveItsDoor() throws {
        let url = try ServerAddress("https://a.b").attachment("c/m/a b?x#y%2F.png")
        #expect(
            url?.absoluteString
                == "https://a.b/storage/v1/object/authenticated/attachments/c/m/a%20b%3Fx%23y%252F.png")
    }
}

@Suite struct AccountTests {
    private struct World {
        let http = ScriptedHTTP()
        let place: TemporaryFolder
        let folder: String
        let accounts: SupabaseAccounts

        init() throws {
            place = try TemporaryFolder()
            folder = place.path + "/accounts"
            accounts = SupabaseAccounts(
                folder: folder, network: SupabaseNetwork(http: http, sockets: FakeSockets()))
        }

        func credentials(server: String = ScriptedHTTP.base, key: String = "key")
            -> SupabaseAccounts.Credentials
        {
            SupabaseAccounts.Credentials(
                server: server, key: key, email: " ana@example.test ", password: " correct horse ")
        }

        func signUpFailure(_ answer: HTTPResponse) async -> SignInError? {
            http.then(answer)
            do throws(SignInError) {
                _ = try await accounts.signUp(credentials(), username: "ana", displayName: "Ana")
                return nil
            } catch { return error }
        }
    }

    private static let session = """
        {"access_token":"a.b.c","refresh_token":"r","expires_in":3600,\
        "user":{"id":"3D0F9B52-6A1E-4C77-9D64-0E5B7A1F2C11"}}
        """

    @Test func signingInKeepsTheAccountForItsOwnerOnly() async throws {
        let world = try World()
        let before = umask(0)
        defer { umask(before) }
        world.http.then(.json(Self.session))
        let account = try await world.accounts.signIn(world.credentials())
        #expect(world.accounts.all() == [account])
        #expect(
            world.http.requests[0].bodyJSON == ["email": "ana@example.test", "password": " correct horse "])
        let folder = world.accounts.folder(of: account)
        #expect(folder == world.folder + "/" + account.id.rawValue.text)
        for name in ["", "/account.json", "/secrets.json"] {
            var status = stat()
            #expect(stat(folder + name, &status) == 0)
            #expect(status.st_mode & 0o077 == 0)
        }
        let text = try String(contentsOf: URL(filePath: folder + "/account.json"), encoding: .utf8)
        #expect(!text.contains("a.b.c") && !text.contains("horse"))
    }

    @Test func signingInAgainIsTheSameAccount() async throws {
        let world = try World()
        world.http.then(.json(Self.session))
        let first = try await world.accounts.signIn(world.credentials(server: "https://CHAT.example.test/"))
        world.http.then(.json(Self.session))
        let second = try await world.accounts.signIn(world.credentials())
        #expect(first.id == second.id)
        #expect(world.accounts.all().count == 1)
    }

    @Test func aServerThatSaysItsKeyNeedsNone() async throws {
        let world = try World()
        world.http.then(.json(#"{"version":"1","publishable_key":"own"}"#))
        world.http.then(.json(Self.session))
        let account = try await world.accounts.signIn(world.credentials(key: " "))
        #expect(account.key == "own")
        #expect(world.http.paths[0] == "/health")
        #expect(world.http.requests[1].headers["apikey"] == "own")
    }

    @Test func anotherServerWantsItsKeyGiven() async throws {
        for answer in [HTTPResponse.json(404, "{}"), .html(200), .json(200, "{}")] {
            let world = try World()
            world.http.then(answer)
            await #expect(throws: SignInError.keyNeeded) {
                try await world.accounts.signIn(world.credentials(key: ""))
            }
        }
    }

    @Test func theReasonOfARefusalIsTold() async throws {
        func refusal(_ code: String, _ status: Int = 422) -> HTTPResponse {
            .json(status, #"{"code":"\#(code)","message":"x"}"#)
        }
        let answers: [(HTTPResponse, SignInError)] = [
            (refusal("user_already_exists"), .addressTaken), (refusal("weak_password"), .weakPassword),
            (refusal("validation_failed", 400), .badAddress), (refusal("signup_disabled"), .signUpClosed),
            (refusal("over_request_rate_limit", 429), .rateLimited),
            (refusal("unexpected_failure", 500), .unreachable(.serverUnavailable)),
            (.json(404, "{}"), .notAPinglineServer), (.html(404), .notAPinglineServer),
            (.json(200, #"{"hello":1}"#), .notAPinglineServer), (.html(200), .unreachable(.intercepted)),
            (.json(401, #"{"message":"Invalid API key"}"#), .keyRefused),
            (.json(#"{"id":"3d0f9b52-6a1e-4c77-9d64-0e5b7a1f2c11","identities":[]}"#), .addressNotConfirmed),
        ]
        for (answer, expected) in answers {
            let world = try World()
            #expect(await world.signUpFailure(answer) == expected)
            #expect(world.accounts.all().isEmpty)
        }
        let world = try World()
        world.http.then(refusal("invalid_credentials", 400))
        await #expect(throws: SignInError.wrongPassword) {
            try await world.accounts.signIn(world.credentials())
        }
    }

    @Test(arguments: ["ab", "Ana", "a b c", ".ana", "ana_", "ana\u{301}x", String(repeating: "a", count: 33)])
    func aNameTheServerCannotTakeIsNotSent(_ name: String) async throws {
        let world = try World()
        await #expect(throws: SignInError.badName) {
            try await world.accounts.signUp(world.credentials(), username: name, displayName: "")
        }
        #expect(world.http.requests.isEmpty)
    }

    @Test func anUnencryptedServerElsewhereIsRefusedBeforeAnythingIsSent() async throws {
        let world = try World()
        await #expect(throws: SignInError.insecureServer) {
            try await world.accounts.signIn(world.credentials(server: "http://chat.example.test"))
        }
        #expect(world.http.requests.isEmpty)
    }

    @Test func aProjectWithoutTheTablesIsSaidToHaveNone() async throws {
        let world = try World()
        world.http.then(.json(Self.session))
        world.http.then(.refusal(404, "PGRST205"))
        await #expect(throws: SignInError.tablesMissing) {
            try await world.accounts.signIn(world.credentials())
        }
        #expect(world.accounts.all().isEmpty)
    }

    @Test func aKeyForServersIsRefusedBeforeAnythingIsSent() async throws {
        let world = try World()
        for key in ["sb_secret_abc", "eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoic2VydmljZV9yb2xlIn0.c2ln"] {
            await #expect(throws: SignInError.secretKey) {
                try await world.accounts.signIn(world.credentials(key: key))
            }
        }
        #expect(world.http.requests.isEmpty)
    }

    @Test func whatTheOwnerDecidedStaysWithTheAccount() async throws {
        let world = try World()
        var credentials = world.credentials()
        credentials.keeping = .init(label: "team", caFile: "/etc/team.pem", acceptsPlainHTTP: true)
        for credentials in [credentials, world.credentials()] {
            world.http.then(.json(Self.session))
            let account = try await world.accounts.signIn(credentials)
            #expect(account.label == "team" && account.caFile == "/etc/team.pem")
            #expect(account.acceptsPlainHTTP == true)
            #expect(world.accounts.all() == [account])
        }
    }

    @Test func aPausedProjectIsSaidToBePaused() async throws {
        let world = try World()
        for key in ["", "key"] {
            world.http.then(.json(540, "{}"))
            await #expect(throws: SignInError.projectPaused) {
                try await world.accounts.signIn(world.credentials(key: key))
            }
        }
    }

    @Test(arguments: [
        "https://supabase.com/dashboard/project/abcdefghijklmnopqrst", "sb_publishable_1",
        "postgres://postgres:pw@db.abcdefghijklmnopqrst.supabase.co/postgres",
    ])
    func anAddressOfSomethingElseSaysOfWhat(_ typed: String) async throws {
        let world = try World()
        do throws(SignInError) {
            _ = try await world.accounts.signIn(world.credentials(server: typed))
            Issue.record("signed in")
        } catch {
            #expect(error.userCopy.what.hasPrefix("This is "))
            #expect(!error.userCopy.next.contains("pw"))
        }
    }

    @Test func accountsStandInTheOrderOfTheFirstSignIn() async throws {
        let world = try World()
        let people = [3, 1, 4, 2].map { "0000000\($0)-6A1E-4C77-9D64-0E5B7A1F2C11" }
        for person in people + people.reversed() {
            world.http.then(
                .json(
                    #"{"access_token":"a.b.c","refresh_token":"r","expires_in":3600,"user":{"id":"\#(person)"}}"#
                ))
            _ = try await world.accounts.signIn(world.credentials())
        }
        #expect(world.accounts.all().map(\.userID.uuidString) == people)
    }

    @Test func aDamagedAccountFileHidesNoOther() async throws {
        let world = try World()
        world.http.then(.json(Self.session))
        let account = try await world.accounts.signIn(world.credentials())
        let other = world.folder + "/broken"
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        try Data("{".utf8).write(to: URL(filePath: other + "/account.json"))
        #expect(world.accounts.all() == [account])
    }

    @Test func aDamagedSessionIsSetAsideBySigningIn() async throws {
        let world = try World()
        world.http.then(.json(Self.session))
        let account = try await world.accounts.signIn(world.credentials())
        let secrets = world.accounts.folder(of: account) + "/secrets.json"
        try Data("torn".utf8).write(to: URL(filePath: secrets))
        world.http.then(.json(Self.session))
        _ = try await world.accounts.signIn(world.credentials())
        #expect(FileManager.default.fileExists(atPath: secrets + ".damaged-1"))
    }
}
