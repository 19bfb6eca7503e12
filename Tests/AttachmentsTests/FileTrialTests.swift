import Backend
import Digest
import FoundationEssentials
import Glibc
import Models
import TestSupport
import Testing

@testable import Attachments

/// Files that other programs saved wrongly, as people reported them; `Trials` holds their names as they were reported.
@Suite(.timeLimit(.minutes(2))) struct FileTrialTests {
    private struct Named: Decodable {
        let name: String

        enum CodingKeys: String, CodingKey { case name = "file_name" }
    }

    private let base: String
    private var folder: String { base + "/saved" }
    private let backend = FakeBackend()
    private let path = "c/m/file.bin"
    private let bytes = Data((0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })

    init() throws {
        base = FileManager.default.temporaryDirectory.path + "/pingline-trial-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: base + "/saved", withIntermediateDirectories: true)
        keep(bytes, at: path)
    }

    private func cleanUp() { try? FileManager.default.removeItem(atPath: base) }  // a leftover harms nobody

    private func keep(_ bytes: Data, at path: String) {
        backend.server.keep(bytes, at: path, sha256: Hex.encode(Digest.sha256(bytes)))
    }

    private var saver: FileSaver { FileSaver(backend) { _ in } }

    @discardableResult
    private func save(_ name: String? = "talk.pdf", path: String? = nil) async throws -> String {
        try await saver.save(
            Models.Attachment(path: path ?? self.path, name: name), in: folder, fallback: "file")
    }

    private func names(_ folder: String? = nil) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder ?? self.folder)) ?? []).sorted()
    }

    private func contents(_ name: String) -> Data? {
        FileManager.default.contents(atPath: folder + "/" + name)
    }

    private func reported(_ input: [UInt8]) throws -> [String] {
        try JSONDecoder().decode([Named].self, from: Data(input)).map(\.name)
    }

    /// The name under which an unfinished file of this content lies in the folder.
    private func leave(_ partial: Data, of bytes: Data? = nil) throws -> String {
        let digest = Hex.encode(Digest.sha256(bytes ?? self.bytes))
        let key = Hex.encode(Digest.sha256("\(path)\n\(digest)")).prefix(32)
        let name = ".pingline-\(key).part"
        try partial.write(to: URL(filePath: folder + "/" + name))
        return name
    }

    // MARK: Names

    @Test func t64NoNameLeadsOutOfTheFolder() async throws {
        defer { cleanUp() }
        let elsewhere = base + "/elsewhere"
        try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
        symlink(elsewhere, folder + "/link-to-elsewhere")
        for name in try reported(PackageResources.T64_traversal_json) {
            let saved = try await save(name)
            #expect(!saved.contains("/") && contents(saved) == bytes, "\(name)")
        }
        #expect(names(base) == ["elsewhere", "saved"])
        #expect(names(elsewhere).isEmpty)
        #expect(names().count == 25)
    }

    @Test func t65OddNamesBecomeReadableOnesOfOneLine() async throws {
        defer { cleanUp() }
        for name in try reported(PackageResources.T65_oddnames_json) {
            let saved = try await save(name)
            #expect(saved.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
            #expect(!saved.hasPrefix("-") && !saved.hasPrefix(" ") && !saved.hasPrefix("."), "\(name)")
            #expect(contents(saved) == bytes, "\(name)")
            let ending = name.split(separator: ".").dropFirst().last ?? ""
            if ["pdf", "png", "html", "log"].contains(ending) { #expect(saved.hasSuffix("." + ending)) }
        }
        #expect(names().count == 30)
    }

    @Test func t66TheLongestNamesFitWithTheirNumbersAndTheirUnfinishedForms() async throws {
        defer { cleanUp() }
        for count in [255, 251, 250, 249] {
            let name = String(repeating: "n", count: count - 4) + ".pdf"
            for _ in 0..<2 { #expect(contents(try await save(name)) == bytes) }
        }
        #expect(names().count == 8 && names().allSatisfy { $0.hasSuffix(".pdf") })
        let deep = folder + String(repeating: "/" + String(repeating: "d", count: 200), count: 21)
        let attachment = Models.Attachment(path: path, name: "a.pdf")
        await #expect(throws: SaveError.destination(.nameTooLong)) {
            try await saver.save(attachment, in: deep, fallback: "file")
        }
        #expect(names().count == 8)
    }

    @Test func t67FilesOfOneNameSavedAtOnceAreAllThereAndWhole() async throws {
        defer { cleanUp() }
        let contents = (0..<6).map { Data(repeating: UInt8($0 == 5 ? 4 : $0), count: 3_000_000) }
        for (number, bytes) in contents.enumerated() { keep(bytes, at: "c/m/\(number)") }
        try await withThrowingTaskGroup { group in
            for number in 0..<5 {
                let name = number % 2 == 0 ? "video.mp4" : "Video.MP4"
                group.addTask { _ = try await save(name, path: "c/m/\(number)") }
            }
            try await group.waitForAll()
        }
        try await save("video.mp4", path: "c/m/5")
        let found = names().compactMap { self.contents($0) }
        #expect(found.count == 6)
        for bytes in contents { #expect(found.contains(bytes)) }
    }

    // MARK: Unfinished files

    @Test func t68WhatIsWholeAlreadyIsFinishedAtOnce() async throws {
        defer { cleanUp() }
        _ = try leave(bytes)
        let got = try await save()
        #expect(got == "talk.pdf" && contents(got) == bytes && names() == ["talk.pdf"])
        #expect(backend.fetchOffsets == [1_000])
    }

    @Test func t68WhatIsLongerOrDamagedIsFetchedAnew() async throws {
        defer { cleanUp() }
        let damaged = bytes.prefix(400) + Data(count: 200) + bytes.suffix(400)
        for (number, partial) in [bytes + Data([1]), damaged, Data(bytes.reversed())].enumerated() {
            _ = try leave(partial)
            let got = try await save("\(number).pdf")
            #expect(contents(got) == bytes)
        }
        #expect(names() == ["0.pdf", "1.pdf", "2.pdf"])
    }

    @Test func t68AFileReplacedWhileItWasLeftAloneIsNeverAMixture() async throws {
        defer { cleanUp() }
        let left = try leave(bytes.prefix(600))
        let longer = Data(repeating: 9, count: 2_000)
        keep(longer, at: path)
        let got = try await save()
        #expect(contents(got) == longer)
        // The other version's rest is nobody's any more; it goes when it is a week old.
        #expect(names() == [left, "talk.pdf"])
        let weekOld = timespec(tv_sec: time(nil) - 8 * 86_400, tv_nsec: 0)
        #expect(utimensat(AT_FDCWD, folder + "/" + left, [weekOld, weekOld], 0) == 0)
        try await save()
        #expect(names() == ["talk (2).pdf", "talk.pdf"])
    }

    @Test func t68WhatStrangersPutUnderTheNameIsLeftAlone() async throws {
        defer { cleanUp() }
        let victim = base + "/victim"
        try Data("mine".utf8).write(to: URL(filePath: victim))
        let name = try leave(Data())
        for link in [symlink, Glibc.link] {
            unlink(folder + "/" + name)
            #expect(link(victim, folder + "/" + name) == 0)
            #expect(contents(try await save()) == bytes)
            #expect(FileManager.default.contents(atPath: victim) == Data("mine".utf8))
        }
    }

    @Test func t69AnEmptyAnswerIsNoFileAndAnEmptyFileIs() async throws {
        defer { cleanUp() }
        keep(Data(), at: "c/m/empty")
        backend.lieInFetches(Data(), Data())
        #expect(contents(try await save("right.bin")) == bytes)
        #expect(contents(try await save("empty.bin", path: "c/m/empty")) == Data())
        backend.lieInFetches(Data(), Data(), Data())
        await #expect(throws: SaveError.self) { try await save("wrong.bin") }
        #expect(names() == ["empty.bin", "right.bin"])
    }

    @Test func t69AServerThatAsksToWaitIsWaitedFor() async throws {
        defer { cleanUp() }
        for round in 0..<2 {
            for number in 0..<10 {
                if number % 3 == 0 { backend.refuseReads(.busy(retryAfter: .seconds(4)), .timedOut) }
                #expect(contents(try await save("\(round) \(number).bin")) == bytes)
            }
        }
        #expect(names().count == 20)
    }

    @Test func t70WhatWasDeletedMeanwhileIsToldAndNotAskedForAgain() async throws {
        defer { cleanUp() }
        await #expect(throws: SaveError.service(.notFound)) { try await save(path: "c/m/gone") }
        #expect(SaveError.service(.notFound).userCopy.what == "The file is not there any more.")
        #expect(backend.count(of: "remoteFile") == 1 && names().isEmpty)
    }

    @Test func t71AnAnswerOfAnotherContentIsNotSaved() async throws {
        defer { cleanUp() }
        // A sign-in page of some network, as long as the file by accident.
        backend.lieInFetches(Data(repeating: 60, count: 1_000))
        #expect(contents(try await save()) == bytes)
        #expect(backend.fetchOffsets == [0, 0])
    }

    @Test func t73WhatWasStoppedGoesOnAndNeverLooksFinished() async throws {
        defer { cleanUp() }
        for step in 1...9 {
            backend.cutFetches(after: 100)
            let stopped = FileSaver(backend) { _ in throw CancellationError() }
            await #expect(throws: SaveError.cancelled) {
                try await stopped.save(
                    Models.Attachment(path: path, name: "talk.pdf"), in: folder, fallback: "file")
            }
            #expect(names().count == 1 && names().allSatisfy { $0.hasPrefix(".pingline-") })
            #expect(backend.fetchOffsets.last == Int64(step - 1) * 100)
        }
        #expect(contents(try await save()) == bytes)
        #expect(backend.fetchOffsets.last == 900 && names() == ["talk.pdf"])
    }

    @Test func t73TwoSavesOfOneFileDoNotWriteIntoOneAnother() async throws {
        defer { cleanUp() }
        _ = try leave(bytes.prefix(500))
        async let first = save()
        async let second = save()
        let saved = try await [first, second]
        #expect(Set(saved) == ["talk.pdf", "talk (2).pdf"])
        for name in saved { #expect(contents(name) == bytes) }
        #expect(names().count == 2)
    }
}
