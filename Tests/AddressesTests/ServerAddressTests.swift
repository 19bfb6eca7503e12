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

    @Test(arguments: [
        ("https://abcdefghijklmnopqrst.supabase.co/rest/v1/", "https://abcdefghijklmnopqrst.supabase.co"),
        ("abcdefghijklmnopqrst.supabase.co/anything", "https://abcdefghijklmnopqrst.supabase.co"),
        ("https://a.b/supabase/auth/v1/token", "https://a.b/supabase"),
        ("https://a.b/rest/v1", "https://a.b"), ("https://a.b/rest/v10", "https://a.b"),
        ("https://a.b/team", "https://a.b/team"),
    ])
    func aDoorsPathIsNotPartOfTheServer(typed: String, base: String) throws {
        #expect(try ServerAddress(typed).base == base)
    }

    @Test(arguments: [
        (
            "https://supabase.com/dashboard/project/abcdefghijklmnopqrst/settings/api-keys?x=1",
            ServerAddressError.dashboard(project: "https://abcdefghijklmnopqrst.supabase.co")
        ),
        ("app.supabase.io/project/default", .dashboard(project: nil)),
        ("https://supabase.com/dashboard/project", .dashboard(project: nil)),
        ("https://www.supabase.com", .dashboard(project: nil)),
        (
            "postgresql://postgres:pa@ss@db.abcdefghijklmnopqrst.supabase.co:5432/postgres",
            .database(project: "https://abcdefghijklmnopqrst.supabase.co")
        ),
        (
            "postgres://postgres.abcdefghijklmnopqrst:pw@aws-0-eu.pooler.supabase.com:6543/postgres",
            .database(project: "https://abcdefghijklmnopqrst.supabase.co")
        ),
        ("postgresql://me:pw@db.example.org/x", .database(project: nil)),
        (
            "https://db.abcdefghijklmnopqrst.supabase.co",
            .database(project: "https://abcdefghijklmnopqrst.supabase.co")
        ),
        ("sb_publishable_abc", .key), ("eyJhbGciOiJIUzI1NiJ9.eyJyIjoxfQ.c2ln", .key),
    ])
    func whatPeoplePasteInsteadIsKnown(typed: String, error: ServerAddressError) {
        #expect(throws: error) { try ServerAddress(typed) }
    }

    @Test func plainHTTPGoesWhereItIsAllowed() throws {
        let address = try ServerAddress("http://a.b:80/supabase/", allowsPlainHTTP: true)
        #expect(address.base == "http://a.b/supabase")
        #expect(address.isPlain)
    }
}

@Suite struct ProjectKeyTests {
    @Test(arguments: [
        ("sb_secret_abc", true), ("sb_publishable_abc", false), ("", false), ("a.b.c", false), ("a.b", false),
        ("eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoic2VydmljZV9yb2xlIn0.c2ln", true),
        ("eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoiYW5vbiJ9.c2ln", false),
    ])
    func aKeyForServersIsToldFromOneForClients(key: String, isForServers: Bool) {
        #expect(ProjectKey.isForServers(key) == isForServers)
    }
}
