import FoundationEssentials
import Glibc
import Testing

@testable import App

@Suite struct DemoFolderTests {
    @Test func foldersOfKilledProcessesAreRemovedAndOthersKept() throws {
        let runtime = FileManager.default.temporaryDirectory.appending(path: "pingline-demo-\(UUID())").path
        // Leftovers in the temporary directory are no trouble.
        defer { try? FileManager.default.removeItem(atPath: runtime) }
        // Process ids end at 2^22 on Linux: nobody has this one.
        for name in ["demo-\(1 << 30)", "demo-1", "demo-x", "other"] {
            try FileManager.default.createDirectory(
                atPath: runtime + "/" + name, withIntermediateDirectories: true)
        }
        #expect(DemoFolder.make(in: runtime) == "\(runtime)/demo-\(getpid())")
        let left = try FileManager.default.contentsOfDirectory(atPath: runtime).sorted()
        #expect(left == ["demo-1", "demo-x", "other"])
    }
}
