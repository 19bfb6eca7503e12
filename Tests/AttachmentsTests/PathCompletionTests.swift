import FoundationEssentials
import Glibc
import Testing

@testable import Attachments

@Suite struct PathCompletionTests {
    private let folder: String

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/pingline-paths-" + UUID().uuidString
        for name in ["Documents/deep", "Downloads", "photos", ".config"] {
            try FileManager.default.createDirectory(
                atPath: folder + "/" + name, withIntermediateDirectories: true)
        }
        for name in [
            "Documents/My Cat.png", "Documents/My Car.png", "Documents/Übung", "notes.txt", ".profile",
        ] {
            try Data().write(to: URL(filePath: folder + "/" + name))
        }
        symlink("Documents", folder + "/papers")
    }

    private func cleanUp() { try? FileManager.default.removeItem(atPath: folder) }  // a leftover harms nobody

    private func find(_ typed: String, onlyFolders: Bool = false) async -> PathCompletion {
        await PathCompletion.find(typed, onlyFolders: onlyFolders, home: folder)
    }

    private func names(_ typed: String, onlyFolders: Bool = false) async -> [String] {
        await find(typed, onlyFolders: onlyFolders).candidates.map(\.name)
    }

    @Test func whatBeginsLikeThePathIsFoundWithFoldersMarked() async {
        defer { cleanUp() }
        #expect(
            await names(folder + "/") == ["Documents/", "Downloads/", "notes.txt", "papers/", "photos/"])
        let found = await find(folder + "/Do")
        #expect(found.candidates.map(\.text) == [folder + "/Documents/", folder + "/Downloads/"])
        #expect(found.common == folder + "/Do" && found.total == 2)
        #expect(await find(folder + "/n").common == folder + "/notes.txt")
        #expect(await find(folder + "/nothing").total == 0)
        #expect(await find(folder + "/nowhere/x").total == 0)
    }

    @Test func theHomeFolderStaysATilde() async {
        defer { cleanUp() }
        #expect(await find("~/Docu").candidates.map(\.text) == ["~/Documents/"])
        #expect(await find("~").common == "~/")
    }

    @Test func hiddenNamesAreFoundOnlyByTheirDot() async {
        defer { cleanUp() }
        #expect(await names("~/.") == [".config/", ".profile"])
        #expect(await names("~/.p") == [".profile"])
    }

    @Test func onlyFoldersAreFoundForAFolderAndLinksToThemToo() async {
        defer { cleanUp() }
        #expect(await names("~/", onlyFolders: true) == ["Documents/", "Downloads/", "papers/", "photos/"])
        #expect(await names("~/papers/", onlyFolders: true) == ["deep/"])
    }

    @Test func blanksAndQuotesAreGoneOnWithAsTheyWereBegun() async {
        defer { cleanUp() }
        #expect(await find("~/Documents/My").common == "~/Documents/My Ca")
        #expect(await names("~/Documents/My ") == ["My Car.png", "My Cat.png"])
        #expect(await find("~/Documents/My Cat").candidates.map(\.text) == ["~/Documents/My Cat.png"])
        #expect(await find("'~/Documents/My Cat").candidates.map(\.text) == ["'~/Documents/My Cat.png'"])
        #expect(await find("\"~/Docu").candidates.map(\.text) == ["\"~/Documents/"])
    }

    @Test func anOddNameIsWrittenSoThatItIsReadBack() async throws {
        defer { cleanUp() }
        try Data().write(to: URL(filePath: folder + "/photos/a\nb"))
        let odd: [UInt8] = Array((folder + "/photos/").utf8) + [0x62, 0xFF]
        close(open(LocalPath(bytes: odd).cString, O_CREAT | O_WRONLY, 0o600))
        let found = await find("~/photos/")
        #expect(found.candidates.map(\.text) == [#"$'~/photos/a\nb'"#, #"$'~/photos/b\xff'"#])
        let read = found.candidates.map { PathText.read($0.text).expanded(home: folder) }
        #expect(read.map { access($0.cString, F_OK) } == [0, 0])
    }

    @Test func whereNothingBeginsExactlySoCapitalsCountAsSmallLetters() async {
        defer { cleanUp() }
        #expect(await names("~/docu") == ["Documents/"])
        #expect(await names("~/Pho") == ["photos/"])
    }

    @Test func anAgreementEndsBetweenCharacters() async throws {
        defer { cleanUp() }
        for name in ["ä", "ö"] { try Data().write(to: URL(filePath: folder + "/photos/x" + name)) }
        #expect(await find("~/photos/x").common == "~/photos/x")
    }

    @Test func ofAHugeFolderTheFirstNamesAreKeptAndAllAreCounted() async throws {
        defer { cleanUp() }
        for number in (1_000..<4_000).reversed() {
            close(open(folder + "/photos/img\(number)", O_CREAT | O_WRONLY, 0o600))
        }
        let found = await find("~/photos/")
        #expect(found.total == 3_000 && found.candidates.count == FolderListing.mostEntries)
        #expect(found.candidates.first?.name == "img1000" && found.candidates.last?.name == "img1199")
        #expect(found.common == "~/photos/img")
    }
}
