import FoundationEssentials
import Glibc
import Testing

@testable import Diagnostics

/// A directory that goes away with the test.
private final class Folder {
    let path = FileManager.default.temporaryDirectory.path + "/diagnostics-\(UUID().uuidString)"

    deinit {
        for name in ["pingline.log", "pingline.log.1", "other"] { unlink(path + "/" + name) }
        rmdir(path)
    }

    func text(_ name: String = "pingline.log") -> String {
        FileManager.default.contents(atPath: path + "/" + name).map { String(decoding: $0, as: UTF8.self) }
            ?? ""
    }

    func mode(_ name: String = "") -> mode_t {
        var status = stat()
        return lstat(path + "/" + name, &status) == 0 ? status.st_mode & 0o777 : 0
    }
}

struct LogTests {
    @Test func aLineHoldsTimeLevelSubsystemEventAndFields() throws {
        let folder = Folder()
        let log = Log(to: try LogFile(directory: folder.path) { 1_767_323_045_006_789 }, subsystem: "net")
        let id = UUID(uuidString: "6BA7B811-9DAD-11D1-80B4-00C04FD430C8") ?? UUID()

        log.info("connected", ["account": .id(id), "attempt": 2, "after": .duration(.milliseconds(1_020))])
        log.named("sync").warning(
            "row.skipped", ["code": .code("PGRST301"), "kind": "message", "kept": false])

        #expect(
            folder.text() == """
                2026-01-02T03:04:05.006Z info net connected account=6ba7b811-9dad-11d1-80b4-00c04fd430c8 \
                attempt=2 after=1.020s
                2026-01-02T03:04:05.006Z warning sync row.skipped code=PGRST301 kind=message kept=no

                """)
    }

    @Test(arguments: ["hello there", "", "a\nb", "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9", "naïve", "a=b"])
    func aCodeThatCouldBeTextIsNotWritten(code: String) {
        #expect(LogValue.code(code).text == "?")
    }

    @Test func levelsBelowTheWantedOneAreLeftOut() throws {
        let folder = Folder()
        let log = Log(to: try LogFile(directory: folder.path, level: .warning))

        log.debug("a")
        log.info("b")
        log.warning("c")
        log.error("d")

        #expect(folder.text().split(separator: "\n").map { String($0.suffix(1)) } == ["c", "d"])
    }

    @Test func onlyTheOwnerMayRead() throws {
        let folder = Folder()
        #expect(mkdir(folder.path, 0o700) == 0)
        let made = FileManager.default.createFile(
            atPath: folder.path + "/pingline.log", contents: Data("old\n".utf8))
        #expect(made)
        #expect(chmod(folder.path + "/pingline.log", 0o644) == 0)

        Log(to: try LogFile(directory: folder.path)).info("new")

        #expect(folder.mode("pingline.log") == 0o600)
        #expect(folder.text().hasPrefix("old\n2"))
    }

    @Test func theDirectoryIsMadeForTheOwnerOnly() throws {
        let folder = Folder()

        _ = try LogFile(directory: folder.path)

        #expect(folder.mode() == 0o700)
    }

    @Test func aFullFileIsSetAsideOnce() throws {
        let folder = Folder()
        let log = Log(to: try LogFile(directory: folder.path, sizeLimit: 200))

        for number in 0..<100 { log.info("event", ["number": .count(number)]) }

        let lines = (folder.text("pingline.log.1") + folder.text()).split(separator: "\n")
        #expect(folder.text().utf8.count <= 300 && folder.text("pingline.log.1").utf8.count <= 300)
        #expect(lines.last?.hasSuffix("number=99") == true)
        #expect(folder.mode("pingline.log.1") == 0o600)
        let numbers = lines.compactMap { Int($0.split(separator: "=").last ?? "") }
        #expect(numbers == Array(100 - numbers.count..<100))
    }

    @Test func anotherWritersRotationIsFollowed() throws {
        let folder = Folder()
        let first = Log(to: try LogFile(directory: folder.path, sizeLimit: 100))
        let second = Log(to: try LogFile(directory: folder.path, sizeLimit: 100))
        for _ in 0..<4 { first.info("first") }  // has set the file aside
        let aside = folder.text("pingline.log.1")

        second.info("second")

        #expect(folder.text("pingline.log.1") == aside)
        #expect(folder.text().contains("second"))
    }

    @Test func aSymbolicLinkIsNotFollowed() {
        let folder = Folder()
        #expect(mkdir(folder.path, 0o700) == 0)
        #expect(symlink(folder.path + "/other", folder.path + "/pingline.log") == 0)

        #expect(throws: LogError.file(code: ELOOP)) { try LogFile(directory: folder.path) }
    }

    @Test func noDirectoryIsATypedError() {
        #expect(throws: LogError.directory(code: ENOENT)) { try LogFile(directory: "/nowhere/at/all") }
    }

    @Test func linesOfManyTasksStayWhole() async throws {
        let folder = Folder()
        let log = Log(to: try LogFile(directory: folder.path))

        await withTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    for _ in 0..<100 { log.info("event", ["task": .count(task)]) }
                }
            }
        }

        let lines = folder.text().split(separator: "\n")
        #expect(lines.count == 800)
        #expect(lines.allSatisfy { $0.contains(" info app event task=") })
    }

    @Test func silenceIsSilent() {
        Log.silent.named("net").error("nothing", ["count": 1])
    }
}
