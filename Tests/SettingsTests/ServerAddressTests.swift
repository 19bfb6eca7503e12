import Testing

@testable import Settings

@Test(arguments: [
    ("http://[::1]:8400/", "http://[::1]:8400"), ("HTTP://LocalHost", "http://localhost"),
    ("http://127.8.9.1:80", "http://127.8.9.1:80"), ("\u{FEFF}https://A.example\r\n", "https://a.example"),
])
func anAddressIsKeptInOneForm(typed: String, kept: String) throws {
    #expect(try ServerAddress(typed).text == kept)
}

@Test(arguments: [
    "http://127.0.0.1.evil.example", "http://127.1", "http://localhost.evil.example", "http://128.0.0.1",
])
func whatOnlyLooksLikeThisMachineNeedsEncryption(typed: String) {
    #expect(throws: ServerAddressError.plainHTTP) { try ServerAddress(typed) }
}

@Test(arguments: [
    "https://a.example:0", "https://a.example:70000", "https://a b", "https://a.example:x", "https://",
])
func whatIsNoAddressIsUnreadable(typed: String) {
    #expect(throws: ServerAddressError.unreadable) { try ServerAddress(typed) }
}
