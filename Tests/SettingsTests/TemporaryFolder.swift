import FoundationEssentials
import Glibc

/// A folder of the test's own, gone afterwards.
func withTemporaryFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
    var name = Array("/tmp/pingline-test-XXXXXX".utf8CString)
    guard let made = mkdtemp(&name) else { throw TemporaryFolderError(code: errno) }
    let path = String(cString: made)
    defer { try? FileManager.default.removeItem(atPath: path) }  // a leftover harms no test
    return try body(path)
}

struct TemporaryFolderError: Error {
    let code: Int32
}

func mode(_ path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
}

func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
}
