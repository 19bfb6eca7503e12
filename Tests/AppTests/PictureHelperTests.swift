import Attachments
import FoundationEssentials
import Glibc
import Models
import Programs
import Screens
import Terminal
import TestSupport
import Testing

@testable import App

/// A helper that is a script of ours, in a folder of its own.
private struct FakeHelper {
    let folder = FileManager.default.temporaryDirectory.path + "/pingline-helper-" + UUID().uuidString

    /// Another process writes the script: what we hold open for writing, a child of another test may hold too, and
    /// nobody could run it then.
    init(_ script: String) async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let writing = Program(
            "/bin/sh", options: ["-c", #"cat > "$0" && chmod 700 "$0""#, folder + "/chafa"],
            input: Array("#!/bin/sh\n\(script)\n".utf8))
        _ = try await ProgramRunner(environment: ["PATH": "/usr/bin:/bin"]).run(writing)
    }

    func remove() { try? FileManager.default.removeItem(atPath: folder) }  // a leftover harms no test

    func helper(_ depth: ColorDepth = .palette, time: Duration = .seconds(20)) -> PictureHelper {
        PictureHelper(
            environment: [
                "PATH": folder + ":/usr/bin:/bin", "HOME": "/home/ana", "TOKEN": "hush", "DISPLAY": ":0",
            ],
            depth: depth, limits: ProgramLimits(time: time, output: PictureHelper.outputLimit))
    }
}

@Suite(.timeLimit(.minutes(1))) struct PictureHelperTests {
    private let size = Size(columns: 20, rows: 7)

    private func failure(_ script: String, time: Duration = .seconds(20)) async throws -> ProgramError? {
        let fake = try await FakeHelper(script)
        defer { fake.remove() }
        do throws(ProgramError) {
            _ = try await fake.helper(time: time).draw("/tmp/picture", size: size)
            return nil
        } catch { return error }
    }

    @Test func itIsToldTheSizeTheColoursAndOneFile() async throws {
        let fake = try await FakeHelper(#"printf '%s\n' "$@"; env"#)
        defer { fake.remove() }
        let output = try await fake.helper(.trueColor).draw("/cache/ab cd", size: size)
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(lines.contains("--size=20x7") && lines.contains("--colors=full"))
        #expect(lines.contains("--format=symbols"))
        let operands = lines.drop { $0 != "--" }.dropFirst()
        #expect(operands.first == "/cache/ab cd")
        // The shell adds PWD and the like of its own.
        let names = Set(operands.dropFirst().compactMap { $0.split(separator: "=").first.map(String.init) })
        #expect(names.subtracting(["PWD", "OLDPWD", "SHLVL", "_"]) == ["PATH", "LANG"])
    }

    @Test(arguments: [(ColorDepth.palette, "240"), (.sixteen, "16"), (.eight, "8"), (.trueColor, "full")])
    func itsColoursAreThoseOfTheTerminal(_ depth: ColorDepth, _ word: String) async throws {
        let fake = try await FakeHelper(#"echo "$*""#)
        defer { fake.remove() }
        let output = try await fake.helper(depth).draw("/x", size: size)
        #expect(String(decoding: output, as: UTF8.self).contains("--colors=\(word) "))
    }

    @Test func oneThatHangsIsEnded() async throws {
        #expect(try await failure("exec sleep 600", time: .milliseconds(80)) == .timedOut)
    }

    @Test func oneThatFloodsIsEnded() async throws {
        #expect(try await failure("exec yes") == .tooMuchOutput)
    }

    @Test func oneThatCrashesOrFailsIsTold() async throws {
        #expect(try await failure("kill -SEGV $$") == .crashed(signal: SIGSEGV))
        #expect(try await failure("echo ▀; exit 2") == .failed(status: 2))
    }

    @Test func oneThatTakesAllMemoryIsEnded() async throws {
        let fake = try await FakeHelper("exec tail -c 900000000 /dev/zero")
        defer { fake.remove() }
        let helper = PictureHelper(environment: ["PATH": fake.folder + ":/usr/bin:/bin"], depth: .palette)
        await #expect(throws: ProgramError.self) { try await helper.draw("/x", size: size) }
    }

    @Test func whetherItIsInstalledIsKnown() async throws {
        let fake = try await FakeHelper("true")
        defer { fake.remove() }
        #expect(fake.helper().isInstalled)
        #expect(!PictureHelper(environment: ["PATH": "/nowhere"], depth: .palette).isInstalled)
    }
}

@Suite(.timeLimit(.minutes(1))) struct PictureDrawingTests {
    private let folder =
        FileManager.default.temporaryDirectory.path + "/pingline-drawing-" + UUID().uuidString
    private let backend = FakeBackend()
    private let file = Models.Attachment(path: "c/m/cat.png", name: "cat.png", mimeType: "image/png")

    private func wish(limit: Int64? = nil) throws -> PictureWish {
        let room = try #require(PictureRoom(columns: 20, threadRows: 21))
        let key = PictureKey(account: .example, path: file.path, room: room)
        return PictureWish(key: key, attachment: file, limit: limit)
    }

    /// Draws a picture of 40 by 28 pixels with a helper that does what the script says.
    private func entries(_ script: String, times: Int = 1, limit: Int64? = nil) async throws
        -> [PictureAlbum.Entry?]
    {
        let head: [UInt8] = [
            0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 40,
            0,
            0, 0, 28,
        ]
        backend.server.keep(Data(head), at: file.path)
        let fake = try await FakeHelper(script)
        let shelf = PictureShelf(folder, saver: FileSaver(backend) { _ in })
        defer {
            fake.remove()
            shelf.clear()
        }
        let drawing = PictureDrawing(helper: fake.helper()) { _ in shelf }
        var entries: [PictureAlbum.Entry?] = []
        for _ in 0..<times { entries.append(await drawing.entry(for: try wish(limit: limit))) }
        return entries
    }

    private func words(_ entry: PictureAlbum.Entry??) -> String? {
        if case .failed(let words)?? = entry { words.what } else { nil }
    }

    @Test func whatTheHelperDrawsIsReadAndKept() async throws {
        let script =
            #"echo run >> "$(dirname "$0")/runs"; test ! -e "$(dirname "$0")/second" || exit 1; "#
            + #"touch "$(dirname "$0")/second"; printf '\033[38;5;20m▀▀\n▀▀\n'"#
        let entries = try await entries(script, times: 2)
        guard case .drawn(let mosaic)?? = entries.first else {
            Issue.record("not drawn: \(entries)")
            return
        }
        #expect(mosaic.size == Size(columns: 2, rows: 2))
        // The second time nothing is run, and nothing fetched.
        #expect(entries[1] == .drawn(mosaic))
        #expect(backend.fetchOffsets == [0])
    }

    @Test(arguments: [
        #"printf '\033[2J\033[31mpwned'"#, #"printf '\033]52;c;AAAA\a'"#, "head -c 3000 /dev/urandom", "echo",
        "seq 100",
    ])
    func whatIsNoPictureOfTilesIsRefused(_ script: String) async throws {
        #expect(words(try await entries(script).first) == "The helper program drew something else.")
    }

    @Test func aHelperThatFailsIsTold() async throws {
        #expect(words(try await entries("exit 1").first) == ProgramError.failed(status: 1).what)
    }

    @Test func aPictureAboveTheLimitIsNotFetched() async throws {
        #expect(try await entries("exit 1", limit: 10).first == .tooLarge)
        #expect(backend.fetchOffsets.isEmpty)
    }

    @Test func whatWasKeptAndIsDamagedIsDrawnAnew() async throws {
        let fake = try await FakeHelper("printf '▀'")
        let shelf = PictureShelf(folder, saver: FileSaver(backend) { _ in })
        defer {
            fake.remove()
            shelf.clear()
        }
        _ = try await entries("printf '▀'")
        mkdir(folder, 0o700)
        shelf.keep(Array("\u{1B}[2J".utf8), of: file, way: "20x7-240")
        let entry = await PictureDrawing(helper: fake.helper()) { _ in shelf }.entry(for: try wish())
        guard case .drawn? = entry else {
            Issue.record("not drawn: \(String(describing: entry))")
            return
        }
    }

    @Test func aClosedAccountHasNoPictures() async throws {
        let fake = try await FakeHelper("exit 1")
        defer { fake.remove() }
        let drawing = PictureDrawing(helper: fake.helper()) { _ in nil }
        #expect(words(.some(await drawing.entry(for: try wish()))) != nil)
    }
}
