import Addresses
import Settings
import Testing

@testable import App

@Suite struct KnownServersTests {
    private func known(_ allows: Bool) throws -> KnownServers {
        var settings = Settings()
        settings.accounts = [
            AccountSettings(
                name: "team",
                service: .supabase(
                    address: try ServerAddress("http://chat.example.test:8000", allowsPlainHTTP: true),
                    key: "sb_publishable_1", allowsPlainHTTP: allows, caFile: nil))
        ]
        return KnownServers(settings)
    }

    @Test(arguments: [
        "http://chat.example.test:8000", " HTTP://Chat.Example.Test:8000/ ",
        "http://chat.example.test:8000//",
    ])
    func anAddressIsFoundHoweverItIsSpelled(_ address: String) throws {
        let known = try known(true)
        #expect(known.name(of: address) == "team")
        #expect(known.key(of: address) == "sb_publishable_1")
        #expect(known.allowsPlainHTTP(to: address))
    }

    @Test func unencryptedIsAllowedOnlyWhereTheFileSaysSo() throws {
        #expect(!(try known(false)).allowsPlainHTTP(to: "http://chat.example.test:8000"))
        #expect(!(try known(true)).allowsPlainHTTP(to: "http://chat.example.test:8001"))
        #expect(!(try known(true)).allowsPlainHTTP(to: "nonsense"))
    }

    @Test func aFileOfCertificatesIsLookedAtOnce() throws {
        var settings = Settings()
        settings.caFile = "~/office.pem"
        settings.accounts = [
            AccountSettings(
                name: "team",
                service: .supabase(
                    address: try ServerAddress("https://chat.example.test"), key: nil, allowsPlainHTTP: false,
                    caFile: "team.pem"))
        ]
        let known = KnownServers(settings, in: "/nowhere/config", home: "/nowhere/home")
        #expect(known.caFile == "/nowhere/home/office.pem")
        #expect(known.ownCAFile(of: "chat.example.test/") == "/nowhere/config/team.pem")
        #expect(known.ownCAFile(of: "other.example.test") == nil)
        #expect(
            known.troubles.map { $0.prefix { $0 != ":" } } == [
                "config.toml, network.ca_file", "config.toml, ca_file of team",
            ])
    }
}
