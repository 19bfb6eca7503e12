import Testing

@testable import Addresses

@Suite struct ServerAddressTests {
    @Test(arguments: [
        ("https://chat.example.org", "https://chat.example.org"),
        (" https://Chat.Example.org/ ", "https://chat.example.org"),
        ("chat.example.org", "https://chat.example.org"), ("localhost:8787", "http://localhost:8787"),
        ("127.0.0.1:54321", "http://127.0.0.1:54321"), ("HTTPS://a.b:443//", "https://a.b"),
        ("https://a.b:8443/x", "https://a.b:8443/x"), ("http://[::1]:8400/", "http://[::1]:8400"),
        ("HTTP://LocalHost:80", "http://localhost"), ("\u{FEFF}https://A.example\r\n", "https://a.example"),
    ])
    func oneServerHasOneSpelling(typed: String, base: String) throws {
        #expect(try ServerAddress(typed).base == base)
    }

    @Test(arguments: [
        ("", ServerAddressError.empty), (" \n", .empty), ("ftp://a.b", .otherScheme),
        ("https://", .unreadable), ("a b", .unreadable), ("https://a.b:0", .unreadable),
        ("https://a.b:70000", .unreadable), ("https://a.b:x", .unreadable),
        ("https://ana:pw@a.b", .hasUser), ("https://a.b?x=1", .hasQuery), ("https://a.b#x", .hasQuery),
    ])
    func whatIsNoServerSaysWhy(typed: String, error: ServerAddressError) {
        #expect(throws: error) { try ServerAddress(typed) }
    }

    @Test(arguments: ["http://localhost", "http://127.8.9.1:81", "http://[::1]", "localhost"])
    func thisMachineNeedsNoEncryption(typed: String) throws {
        let address = try ServerAddress(typed)
        #expect(address.isLoopback)
        #expect(address.isPlain)
    }

    @Test(arguments: [
        "http://127.0.0.1.evil.example", "http://127.0.0.example", "http://127.1",
        "http://localhost.evil.example", "http://128.0.0.1",
    ])
    func whatOnlyLooksLikeThisMachineNeedsEncryption(typed: String) throws {
        #expect(throws: ServerAddressError.plainHTTP) { try ServerAddress(typed) }
        #expect(try ServerAddress(typed, allowsPlainHTTP: true).isLoopback == false)
    }

    @Test func plainHTTPGoesWhereItIsAllowed() throws {
        let address = try ServerAddress("http://a.b:80/supabase/", allowsPlainHTTP: true)
        #expect(address.base == "http://a.b/supabase")
        #expect(address.isPlain)
    }
}
