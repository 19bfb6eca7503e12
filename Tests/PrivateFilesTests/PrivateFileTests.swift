import FoundationEssentials
import Glibc
import PrivateFiles
import Testing

@Suite final class PrivateFileTests {
    private let folder: String
    private var path: String { folder + "/one.json" }

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/pingline-\(UUID().uuidString)"
        _ = try PrivateFolder.prepare(folder)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }  // a leftover harms no test

    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    @Test func whatIsWrittenIsReadAndNobodyElseMay() throws {
        #expect(try PrivateFile.read(path) == nil)
        try PrivateFile.replace(path, with: Data("one".utf8))
        try PrivateFile.replace(path, with: Data("two".utf8))
        #expect(try PrivateFile.read(path) == Data("two".utf8))
        #expect(mode(path) == 0o600)
        #expect(mode(path + ".new") == nil)
    }

    @Test func aFileOpenToOthersIsClosedByReading() throws {
        try PrivateFile.replace(path, with: Data("one".utf8))
        chmod(path, 0o644)
        #expect(try PrivateFile.read(path) == Data("one".utf8))
        #expect(mode(path) == 0o600)
    }

    @Test func aLinkIsNotReadAndIsReplacedItself() throws {
        let elsewhere = folder + "/elsewhere"
        try PrivateFile.replace(elsewhere, with: Data("one".utf8))
        symlink(elsewhere, path)
        #expect(throws: PrivateFileError.failed(path: path, code: ELOOP)) { try PrivateFile.read(self.path) }
        try PrivateFile.replace(path, with: Data("two".utf8))
        #expect(try PrivateFile.read(elsewhere) == Data("one".utf8))
        #expect(try PrivateFile.read(path) == Data("two".utf8))
    }

    @Test func whatIsTooLongIsNoneOfOurs() throws {
        try PrivateFile.replace(path, with: Data(repeating: 0x20, count: PrivateFile.sizeLimit))
        #expect(try PrivateFile.read(path)?.count == PrivateFile.sizeLimit)
        try PrivateFile.replace(path, with: Data(repeating: 0x20, count: PrivateFile.sizeLimit + 1))
        #expect(throws: PrivateFileError.tooLong(path: path)) { try PrivateFile.read(self.path) }
    }

    @Test func whatIsSetAsideOverwritesNothing() throws {
        for number in 1...2 {
            try PrivateFile.replace(path, with: Data("\(number)".utf8))
            #expect(PrivateFile.setAside(path) == "\(path).damaged-\(number)")
            #expect(try PrivateFile.read("\(path).damaged-\(number)") == Data("\(number)".utf8))
        }
        #expect(PrivateFile.setAside(path) == nil)
    }

    @Test func foldersAreMadeDownToTheLastAndClosed() throws {
        let deep = folder + "/a/b/c"
        #expect(try PrivateFolder.prepare(deep) == false)
        #expect([folder + "/a", folder + "/a/b", deep].map(mode) == [0o700, 0o700, 0o700])
        chmod(deep, 0o755)
        #expect(try PrivateFolder.prepare(deep))
        chmod(deep, 0o500)
        #expect(try PrivateFolder.prepare(deep) == false)
        #expect(mode(deep) == 0o700)
    }

    @Test func aFolderThatIsNotThereCannotBeClosed() {
        let none = folder + "/none"
        #expect(throws: PrivateFileError.failed(path: none, code: ENOENT)) {
            try PrivateFolder.closeToOthers(none)
        }
    }
}
