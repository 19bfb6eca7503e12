import FoundationEssentials
import Glibc
import Testing

@testable import Attachments

private func withFolder(_ body: (String) async throws -> Void) async throws {
    let path = FileManager.default.temporaryDirectory.path + "/pingline-place-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: path) }  // a leftover harms no test
    try await body(path)
}

private func save(_ text: String, as name: String, in destination: DestinationAccess) async throws -> String {
    let file = try await destination.begin()
    try file.append(Array(text.utf8))
    return try await destination.place(file, as: AttachmentFileName(name, fallback: "file"))
}

private func contents(_ folder: String) throws -> [String: String] {
    var found: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
        let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
        found[name] = String(decoding: bytes, as: UTF8.self)
    }
    return found
}

@Test func filesOfOneNameAreNumberedAndNoneIsWrittenOver() async throws {
    try await withFolder { folder in
        let destination = try DestinationAccess(folder)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...5 {
                group.addTask { _ = try await save("\(number)", as: "video.mp4", in: destination) }
            }
            try await group.waitForAll()
        }
        let last = try await save("6", as: "Video.MP4", in: destination)

        let found = try contents(folder)
        #expect(last == "Video (6).MP4")
        #expect(Set(found.values) == ["1", "2", "3", "4", "5", "6"])
        #expect(
            Set(found.keys) == [
                "video.mp4", "video (2).mp4", "video (3).mp4", "video (4).mp4", "video (5).mp4",
                "Video (6).MP4",
            ])
    }
}

@Test func whatWasThereBeforeStaysWhateverItIs() async throws {
    try await withFolder { folder in
        let outside = folder + "/outside"
        try Data("old".utf8).write(to: URL(filePath: folder + "/a.txt"))
        symlink(outside, folder + "/a (2).txt")
        mkdir(folder + "/a (3).txt", 0o755)
        let name = try await save("new", as: "a.txt", in: try DestinationAccess(folder))
        #expect(name == "a (4).txt")
        #expect(FileManager.default.contents(atPath: folder + "/a.txt") == Data("old".utf8))
        #expect(access(outside, F_OK) != 0)
    }
}

@Test func aFileThatAppearsAfterwardsIsNotWrittenOverEither() async throws {
    try await withFolder { folder in
        let destination = try DestinationAccess(folder)
        symlink("/etc/passwd", folder + "/a.txt")
        #expect(try await save("new", as: "a.txt", in: destination) == "a (2).txt")
    }
}

@Test func twoOpenersOfOneFolderDoNotWriteOverEachOther() async throws {
    try await withFolder { folder in
        let one = try DestinationAccess(folder)
        let two = try DestinationAccess(folder)
        #expect(try await save("1", as: "é.txt", in: one) == "é.txt")
        #expect(try await save("2", as: "e\u{301}.txt", in: two) == "é (2).txt")
    }
}

@Test func aSwappedPathRedirectsNothing() async throws {
    try await withFolder { folder in
        mkdir(folder + "/real", 0o755)
        mkdir(folder + "/trap", 0o755)
        let destination = try DestinationAccess(folder + "/real")
        rename(folder + "/real", folder + "/moved")
        symlink(folder + "/trap", folder + "/real")
        _ = try await save("x", as: "../x.txt", in: destination)
        #expect(try contents(folder + "/moved") == ["x.txt": "x"])
        #expect(try contents(folder + "/trap").isEmpty)
    }
}

@Test func anUnfinishedFileIsHiddenAndItsOwnersOnly() async throws {
    try await withFolder { folder in
        let destination = try DestinationAccess(folder)
        let file = try await destination.begin()
        try file.append([1, 2, 3])
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let name = try #require(names.first)
        #expect(names.count == 1 && name.hasPrefix(".pingline-") && name.hasSuffix(".part"))
        var status = stat()
        #expect(stat("\(folder)/\(name)", &status) == 0 && status.st_mode & 0o777 == 0o600)
        await destination.discard(file)
        #expect(try contents(folder).isEmpty)
    }
}

@Test func aFinishedFileHasTheRightsOfAnyNewFile() async throws {
    try await withFolder { folder in
        let name = try await save("x", as: "x.txt", in: try DestinationAccess(folder))
        close(creat(folder + "/other", 0o666))
        var ours = stat()
        var other = stat()
        #expect(stat("\(folder)/\(name)", &ours) == 0 && stat(folder + "/other", &other) == 0)
        #expect(ours.st_mode == other.st_mode)
    }
}

@Test func theLongestNamesFitWithTheirNumbers() async throws {
    try await withFolder { folder in
        let destination = try DestinationAccess(folder)
        let long = String(repeating: "ä", count: 200) + ".jpeg"
        let first = try await save("1", as: long, in: destination)
        let second = try await save("2", as: long, in: destination)
        #expect(first.hasSuffix("ä.jpeg") && second.hasSuffix("ä (2).jpeg"))
    }
}

@Test func copiesThatNobodyTouchedForAWeekAreSweptAway() async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/pingline-copies-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder + "/a folder", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }  // a leftover harms nobody
    for name in ["old.pdf", "new.pdf", ".pingline-x.part"] {
        try Data([1]).write(to: URL(filePath: folder + "/" + name))
        guard name != "new.pdf" else { continue }
        let past = timespec(tv_sec: time(nil) - 8 * 86_400, tv_nsec: 0)
        #expect(utimensat(AT_FDCWD, folder + "/" + name, [past, past], 0) == 0)
    }
    let destination = try DestinationAccess(folder)
    await destination.sweep(now: time(nil))
    #expect(FileManager.default.fileExists(atPath: folder + "/old.pdf"))
    #expect(!FileManager.default.fileExists(atPath: folder + "/.pingline-x.part"))
    await destination.sweepCopies(now: time(nil))
    let left = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(left == ["a folder", "new.pdf"])
}

@Test func aFolderThatCannotBeUsedSaysWhy() async throws {
    try await withFolder { folder in
        #expect(throws: DestinationError.unavailable) { try DestinationAccess(folder + "/none") }
        try Data().write(to: URL(filePath: folder + "/file"))
        #expect(throws: DestinationError.notAFolder) { try DestinationAccess(folder + "/file") }
        mkdir(folder + "/gone", 0o755)
        let destination = try DestinationAccess(folder + "/gone")
        rmdir(folder + "/gone")
        await #expect(throws: DestinationError.unavailable) { try await destination.begin() }
    }
}
