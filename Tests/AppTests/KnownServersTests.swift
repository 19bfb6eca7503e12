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
                    key: "sb_publishable_1", allowsPlainHTTP: allows))
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
}
