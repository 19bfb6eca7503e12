import Addresses
import Commands
import FoundationEssentials
import Models
import Settings
import Store
import Testing
import ViewModels

@testable import App

@Suite struct KeptAccountsTests {
    private func desk(_ surroundings: Surroundings, _ settings: Settings = Settings()) -> KeptAccounts {
        KeptAccounts(surroundings, knowing: KnownServers(settings, around: surroundings), folder: "/tmp")
    }

    private func request(_ address: String, _ key: String, label: String? = nil) -> LoginRequest {
        LoginRequest(
            place: SignInPlace(server: address), key: key, email: "ana@example.test",
            password: "correct horse",
            newcomer: .init(username: "ana", displayName: "Ana"), label: label)
    }

    @Test func anAccountMadeByCommandIsThereForTheScreen() async throws {
        try await withServer { address, surroundings in
            let desk = desk(surroundings)
            let key = try await desk.key(of: SignInPlace(server: address))
            #expect(try await desk.look(at: SignInPlace(server: address), key: key))
            let made = try await desk.signIn(request(address, key, label: "team"))
            #expect(made.label == "team" && made.isSignedIn && made.holder == nil && made.server == address)

            let screen = OpenAccounts(surroundings, knowing: KnownServers(Settings()))
            guard case .opened(let account)? = await screen.openKept().first else {
                Issue.record("not opened")
                return
            }
            #expect(account.id == made.id && account.label == "team")
            #expect(account.facts?.email == "ana@example.test")
            let held = await desk.accounts()
            #expect(held.first?.holder?.hasPrefix("process ") == true)
            await #expect(throws: StoreError.self) { try await desk.signOut(made.id) }
            await screen.close()

            try await desk.signOut(made.id)
            #expect(await desk.accounts().isEmpty)
            await #expect(throws: Never.self) { try await desk.signOut(made.id) }
        }
    }

    @Test func aKeyOfTheSettingsIsNotAskedFor() async throws {
        try await withServer { address, surroundings in
            var settings = Settings()
            settings.accounts = [
                AccountSettings(
                    name: "team",
                    service: .supabase(
                        address: try .init(address), key: "sb_publishable_1", allowsPlainHTTP: false,
                        caFile: nil))
            ]
            let key = try await desk(surroundings, settings).key(of: SignInPlace(server: address))
            #expect(key == "sb_publishable_1")
            await #expect(throws: SignInError.keyRefused) {
                try await desk(surroundings).look(at: SignInPlace(server: address), key: key)
            }
        }
    }

    @Test func aFileOfCertificatesIsKeptFromTheRootOn() async throws {
        try await withServer { address, surroundings in
            let desk = desk(surroundings)
            var request = request(address, try await desk.key(of: SignInPlace(server: address)))
            request.place.caFile = "ca.pem"  // not there, which matters to encrypted connections only
            _ = try await desk.signIn(request)
            request.place.caFile = nil
            request.newcomer = nil
            _ = try await desk.signIn(request)
            let screen = OpenAccounts(surroundings, knowing: KnownServers(Settings()))
            guard case .opened(let account)? = await screen.openKept().first else {
                Issue.record("not opened")
                return
            }
            #expect(account.facts?.caFile == "/tmp/ca.pem")
            await screen.close()
        }
    }

    @Test func encryptionIsGivenUpOnlyByChoice() async throws {
        try await withServer { _, surroundings in
            let desk = desk(surroundings)
            var place = SignInPlace(server: "http://chat.example.invalid")
            await #expect(throws: SignInError.insecureServer) { try await desk.key(of: place) }
            place.allowsPlainHTTP = true
            await #expect(throws: SignInError.unreachable(.noSuchName)) { try await desk.key(of: place) }
        }
    }
}

@Suite struct UserPathTests {
    @Test(arguments: [
        ("/etc/ca.pem", "/etc/ca.pem"), ("ca.pem", "/srv/here/ca.pem"), ("../a/./ca.pem", "/srv/a/ca.pem"),
        ("~/ca.pem", "/home/ana/ca.pem"),
        ("'/a b.pem'", "/a b.pem"),
    ])
    func aPathIsMeantFromSomewhere(typed: String, absolute: String) {
        #expect(UserPath.absolute(typed, in: "/srv/here", home: "/home/ana") == absolute)
    }
}
