import FoundationEssentials
import Glibc
import Testing

@testable import Programs

private func withPath(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.path + "/pingline-lock-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }  // a leftover harms no test
    try body(folder + "/account.lock")
}

@Test func aLockIsHeldByOneAndNamesIt() throws {
    try withPath { path throws in
        let lock = try LockFile(path)
        #expect(throws: LockFileError.held(by: getpid())) { try LockFile(path) }
        withExtendedLifetime(lock) {}
    }
}

@Test func aLockThatWasLetGoCanBeTaken() throws {
    try withPath { path throws in
        _ = try LockFile(path)
        _ = try LockFile(path)
    }
}

@Test func theFileIsForItsOwnerAndALinkIsNotFollowed() throws {
    try withPath { path throws in
        _ = try LockFile(path)
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        symlink(path, path + "2")
        #expect(throws: LockFileError.unusable(code: ELOOP)) { try LockFile(path + "2") }
        #expect(throws: LockFileError.unusable(code: ENOTDIR)) { try LockFile(path + "/none") }
    }
}
