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

    @Test(arguments: ["a.desktop", "run.SH", "x.tar.exe", "a.sh/../b.sh", "a.desktop ", "a.sh\u{200B}"])
    func whatADesktopMightRunIsNotOpened(_ name: String) {
        #expect(OpenedFile.isRunnable(name))
    }

    @Test(arguments: ["bill.pdf", "cat.png", "notes", "a.tar.gz", ""])
    func whatIsOnlyShownMayBeOpened(_ name: String) {
        #expect(!OpenedFile.isRunnable(name))
    }
}
