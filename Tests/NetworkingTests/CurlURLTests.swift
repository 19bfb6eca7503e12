import Testing

@testable import Networking

struct CurlURLTests {
    @Test(arguments: [
        "http://localhost/", "http://LOCALHOST:8000", "http://127.0.0.1", "http://127.1",
        "http://2130706433/",
        "http://127.255.0.9:1", "http://[::1]:54321/x", "ws://localhost/socket", "http://0x7f.1/",
    ])
    func thisMachineNeedsNoEncryption(url: String) throws {
        let parsed = try CurlURL(url)

        #expect(parsed.isLoopback)
        #expect(throws: Never.self) { try parsed.checkEncryption(NetworkConfiguration()) }
    }

    @Test(arguments: [
        "http://example.org", "http://127.0.0.1.example.org", "http://localhost.example.org/",
        "http://128.0.0.1", "http://0.0.0.0/", "http://[::]/", "http://[::ffff:10.0.0.1]/",
        "ws://127.0.0.1x/",
        "http://example.org/127.0.0.1", "http://example.org?localhost", "http://localhost./",
    ])
    func otherMachinesDo(url: String) throws {
        let parsed = try CurlURL(url)

        #expect(throws: NetworkError.plainHTTPRefused) { try parsed.checkEncryption(NetworkConfiguration()) }
        #expect(throws: Never.self) {
            try parsed.checkEncryption(NetworkConfiguration(allowsPlainHTTP: true))
        }
    }

    @Test(arguments: [
        "", "/path", "example.org", "ftp://example.org/", "file:///etc/passwd", "https://", "https://a b/",
        "https://user:secret@example.org/", "http://127.0.0.1@example.org/", "https://example.org:99999/",
        "https://exam\nple.org/", "https://example.org/\r\nX-Evil:", "javascript:alert(1)",
    ])
    func whatIsNoAddressIsRefused(url: String) {
        #expect(throws: NetworkError.invalidURL) { try CurlURL(url) }
    }

    @Test func thePartsOfARequestAreKept() throws {
        let url = try CurlURL("wss://Chat.Example.org:8443/a%20b/c?x=1&y=%2F#part")

        #expect(url.scheme == "https")
        #expect(url.authority == "chat.example.org:8443")
        #expect(url.target == "/a%20b/c?x=1&y=%2F")
        #expect(try CurlURL("https://example.org").target == "/")
        #expect(try CurlURL("https://example.org").authority == "example.org")
    }

    @Test func millisecondsAreRoundedUp() {
        #expect(Duration.zero.wholeMilliseconds == 1)
        #expect(Duration.microseconds(1_001).wholeMilliseconds == 2)
        #expect(Duration.seconds(3).wholeMilliseconds == 3_000)
    }
}
