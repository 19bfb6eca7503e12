import FoundationEssentials
import Models
import Networking
import Secrets
import TestSupport
import Testing

@testable import SupabaseBackend

/// Account files that were torn, as they were reported of other programs.
@Suite struct AccountTrialTests {
    private let place: TemporaryFolder
    private let http = ScriptedHTTP()
    private let accounts: SupabaseAccounts

    init() throws {
        place = try TemporaryFolder()
        accounts = SupabaseAccounts(
            folder: place.path + "/accounts",
            network: SupabaseNetwork(http: http, sockets: FakeSockets()))
    }

    private func signIn(_ person: Int) async throws -> SupabaseAccount {
        http.then(
            .json(
                """
                {"access_token":"a.b.c","refresh_token":"r\(person)","expires_in":3600,\
                "user":{"id":"\(UUID.example(UInt32(person)).uuidString)"}}
                """))
        return try await accounts.signIn(
            .init(
                server: ScriptedHTTP.base, key: "key", email: "p\(person)@example.test", password: "correct"))
    }

    private func file(_ account: SupabaseAccount) -> String { accounts.folder(of: account) + "/account.json" }

    private func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }

    enum Damage: CaseIterable { case cut, empty, zeros, braces, brackets, null, wrongTypes, doubled }

    private func damaged(_ whole: Data, by damage: Damage) -> Data {
        switch damage {
        case .cut: whole.prefix(whole.count / 2)
        case .empty: Data()
        case .zeros: Data(repeating: 0, count: whole.count)
        case .braces: Data("{}".utf8)
        case .brackets: Data("[]".utf8)
        case .null: Data("null".utf8)
        case .wrongTypes: Data(#"{"version":1,"kind":"supabase","account":{"key":1}}"#.utf8)
        case .doubled: whole + whole.suffix(whole.count / 2)
        }
    }

    @Test(arguments: Damage.allCases) func t61ATornAccountIsToldSetAsideAndHidesNoOther(
        _ damage: Damage
    ) async throws {
        let (ana, ben) = (try await signIn(1), try await signIn(2))
        let torn = damaged(try bytes(file(ana)), by: damage)
        try torn.write(to: URL(filePath: file(ana)))
        #expect(accounts.all() == [ben])
        #expect(accounts.troubles() == [.damaged])
        #expect(accounts.troubles() == [])
        #expect(try bytes(file(ana) + ".damaged-1") == torn)
        #expect(await accounts.sessionTrouble(of: ana) == nil)  // another file, unaffected
        #expect(try await signIn(1) == ana)
        #expect(Set(accounts.all()) == [ana, ben])
    }

    @Test func t61SigningInOverATornAccountKeepsACopyOfIt() async throws {
        let ana = try await signIn(1)
        try Data("{".utf8).write(to: URL(filePath: file(ana)))
        _ = try await signIn(1)
        #expect(accounts.all() == [ana])
        #expect(try bytes(file(ana) + ".damaged-1") == Data("{".utf8))
    }

    @Test func t61AnAccountOfALaterVersionIsLeftAsItIs() async throws {
        let (ana, ben) = (try await signIn(1), try await signIn(2))
        let later = Data(#"{"version":999,"kind":"supabase","account":[]}"#.utf8)
        try later.write(to: URL(filePath: file(ana)))
        #expect(accounts.all() == [ben])
        #expect(accounts.troubles() == [.tooNew])
        await #expect(throws: SignInError.notKept(SecretError.tooNew.userCopy)) { try await signIn(1) }
        #expect(try bytes(file(ana)) == later)
    }

    @Test func t61ATornSessionIsToldByTheWordsOfTheAccount() async throws {
        let ana = try await signIn(1)
        let secrets = accounts.folder(of: ana) + "/secrets.json"
        try Data("torn".utf8).write(to: URL(filePath: secrets))
        let words = await accounts.sessionTrouble(of: ana)
        #expect(words?.what == "The kept session is damaged; it was set aside.")
        #expect(await accounts.sessionTrouble(of: ana) == nil)
        #expect(try bytes(secrets + ".damaged-1") == Data("torn".utf8))
        #expect(accounts.all() == [ana])
    }
}
