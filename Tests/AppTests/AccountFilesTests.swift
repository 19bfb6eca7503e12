import Testing

@testable import App

@Suite struct AccountFilesTests {
    @Test(arguments: [
        ("~/cat.png", "/home/ana/cat.png"), ("~", "/home/ana"), ("~ben/x", "~ben/x"),
        ("'/tmp/my cat.png'", "/tmp/my cat.png"), (#""/tmp/a""#, "/tmp/a"), ("'", "'"), ("a'b", "a'b"),
        ("'~/x y'", "/home/ana/x y"),
    ])
    func aPathIsReadAsAPersonWritesIt(_ text: String, _ path: String) {
        #expect(UserPath.expanded(text, home: "/home/ana") == path)
        #expect(UserPath.expanded("~/x", home: nil) == "~/x")
    }
}
