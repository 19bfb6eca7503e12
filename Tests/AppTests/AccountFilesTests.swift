import Testing

@testable import App

@Suite struct AccountFilesTests {
    @Test(arguments: ["a.desktop", "run.SH", "x.tar.exe", "a.sh/../b.sh", "a.desktop ", "a.sh\u{200B}"])
    func whatADesktopMightRunIsNotOpened(_ name: String) {
        #expect(OpenedFile.isRunnable(name))
    }

    @Test(arguments: ["bill.pdf", "cat.png", "notes", "a.tar.gz", ""])
    func whatIsOnlyShownMayBeOpened(_ name: String) {
        #expect(!OpenedFile.isRunnable(name))
    }
}
