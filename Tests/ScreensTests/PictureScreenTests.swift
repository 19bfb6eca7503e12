import FoundationEssentials
import Models
import Terminal
import TestSupport
import Testing
import ViewModels

@testable import Screens

@MainActor @Suite(.timeLimit(.minutes(1))) struct PictureScreenTests {
    /// A picture of the size asked for, as the helper would draw it.
    private static func mosaic(_ size: Size) throws -> Mosaic {
        let row = String(repeating: "\u{1B}[38;2;200;90;20;48;2;20;30;90m▀", count: size.columns.cells)
        let text = Array(repeating: row, count: size.rows).joined(separator: "\n")
        return try MosaicReader.read(Array(text.utf8), limit: size)
    }

    private static func picture(
        _ body: String = "", _ number: Int = 0, width: Int? = 160, height: Int? = 100, minutes: Int = 40,
        from sender: Person = .ben
    ) -> Message {
        var message = Message.example(
            body, from: sender, minutes: minutes, id: .example(UInt32(30_000 + number)))
        message.attachment = Models.Attachment(
            path: "c/m/\(number).png", name: "cabin.png", mimeType: "image/png", size: 48_211, width: width,
            height: height)
        message.reactions = body.isEmpty ? [] : [Reaction(symbol: "heart.fill", byMe: false)]
        return message
    }

    private func scene(
        _ messages: [Message], columns: Int = 80, rows: Int = 24,
        _ pictures: ThreadPictures = ThreadPictures(.on)
    ) async -> Scene {
        let scene = Scene(columns: columns, rows: rows)
        scene.screen.album = PictureAlbum()
        scene.model.draw(pictures)
        scene.service.stored[MainScreenTests.crewID] = messages
        await scene.begin(MainScreenTests.conversations)
        await scene.open(MainScreenTests.conversations[0])
        scene.clock.advance(by: 1)
        await until { scene.model.thread?.state.window.hasOlder == false }
        return scene
    }

    /// Fulfils every wish of the last frame.
    private func fulfil(_ scene: Scene) throws {
        _ = scene.frame
        for wish in scene.screen.wishes where scene.screen.album?.entries[wish.key] == nil {
            let file = wish.attachment
            let size = wish.key.room.size(width: file.width ?? 160, height: file.height ?? 100)
            scene.screen.album?.entries[wish.key] = .drawn(try Self.mosaic(size))
        }
    }

    private static let thread: [Message] = [
        .example("Look what I found", minutes: 38), picture("The cabin, from memory", 1, minutes: 39),
        .example("Lovely. Is that the shower?", from: .ana, minutes: 41, state: .read),
    ]

    @Test func aPictureStandsUnderItsNameAndSize() async throws {
        let scene = await scene(Self.thread)
        try expectGolden(scene.picture, "picture-coming-80x24")
        try fulfil(scene)
        try expectGolden(scene.picture, "picture-80x24")
        let row = try #require((0..<24).first { scene.frame.text(row: $0).contains("▀") })
        let column = scene.frame.text(row: row).prefix { $0 != "▀" }.count
        let tint = scene.frame.tint(at: Point(column: Columns(column), row: row))
        #expect(tint == Tint(.rgb(200, 90, 20), on: .rgb(20, 30, 90)))
    }

    @Test func aPictureInANarrowPaneStandsUnderItsSender() async throws {
        let scene = await scene(Self.thread, columns: 38, rows: 20)
        try fulfil(scene)
        try expectGolden(scene.picture, "picture-38x20")
    }

    @Test func nothingMovesWhenAPictureOfKnownShapeArrives() async throws {
        let scene = await scene(Self.thread)
        let before = scene.picture.split(separator: "\n")
        try fulfil(scene)
        let after = scene.picture.split(separator: "\n")
        for (old, new) in zip(before, after) where !new.contains("▀") { #expect(old == new) }
        #expect(after.count { $0.contains("▀") } == 7)
    }

    @Test func whatIsReadBelowStaysWhenAPictureOfUnknownShapeArrives() async throws {
        let messages =
            [Self.picture("", 1, width: nil, height: nil, minutes: 1)]
            + (2..<9).map { .example("message \($0)", minutes: $0) }
        let scene = await scene(messages)
        let before = scene.picture.split(separator: "\n")
        try fulfil(scene)
        let after = scene.picture.split(separator: "\n")
        #expect(before.suffix(10) == after.suffix(10))
        #expect(after.contains { $0.contains("▀") })
    }

    @Test func onlyPicturesInSightAreWanted() async throws {
        let messages = (0..<40).map { Self.picture("", $0, minutes: $0) }
        let scene = await scene(messages)
        _ = scene.frame
        let first = scene.screen.wishes.map(\.attachment.path)
        #expect(first.last == "c/m/39.png" && (2...4).contains(first.count))
        scene.press("PgUp")
        _ = scene.frame
        #expect(!scene.screen.wishes.map(\.attachment.path).contains("c/m/39.png"))
        scene.model.setFocus(.list)
        scene.size = Size(columns: 40, rows: 24)
        _ = scene.frame
        #expect(scene.screen.wishes.isEmpty)
    }

    @Test func scrollingIsTheSameWhetherPicturesAreThereOrNot() async throws {
        let messages = (0..<30).map { number in
            number % 3 == 0
                ? Self.picture("", number, minutes: number) : .example("m\(number)", minutes: number)
        }
        let (bare, drawn) = (await scene(messages), await scene(messages))
        for key in ["PgUp", "PgUp", "PgDn", "PgUp", "PgUp", "PgUp", "PgDn", "PgDn", "PgDn"] {
            for scene in [bare, drawn] { scene.press(key) }
            try fulfil(drawn)
            #expect(bare.model.thread?.state.scroll == drawn.model.thread?.state.scroll)
            let pairs = zip(bare.picture.split(separator: "\n"), drawn.picture.split(separator: "\n"))
            for (old, new) in pairs where !new.contains("▀") { #expect(old == new) }
        }
    }

    @Test func aFrameDrawnOnTheLastOneIsTheFrameDrawnFromNothing() async throws {
        let messages = (0..<30).map { Self.picture("", $0, minutes: $0) }
        let scene = await scene(messages)
        for key in ["PgUp", "x", "Esc", "k", "k", "v", "v", "F1", "Esc", "PgDn", "Alt-l", "G"] {
            scene.press(key)
            try fulfil(scene)
            let drawnOn = scene.frame
            scene.screen.forgetFrame()
            #expect(drawnOn == scene.frame, "after \(key)")
        }
    }

    @Test func anotherSizeIsAnotherPicture() async throws {
        let scene = await scene(Self.thread)
        try fulfil(scene)
        let small = try #require(scene.screen.wishes.first?.key)
        scene.size = Size(columns: 120, rows: 40)
        #expect(!scene.picture.contains("▀"))
        #expect(scene.screen.wishes.first?.key != small)
        try fulfil(scene)
        #expect(scene.picture.split(separator: "\n").count { $0.contains("▀") } == 12)
        scene.size = Size(columns: 80, rows: 24)
        #expect(scene.picture.contains("▀"))
    }

    @Test func neitherALongDraftNorABannerNorANoticeChangesAPicture() async throws {
        let scene = await scene(Self.thread)
        try fulfil(scene)
        let key = scene.screen.wishes.first?.key
        scene.press("Alt-Enter", "Alt-Enter", "Alt-Enter")
        #expect(scene.picture.contains("▀"))
        scene.service.statuses.send(.disconnected)
        await until { scene.model.banner.state != .hidden }
        scene.model.show(
            Notice("Two lines of words at the lower edge, which take rows from the thread above it."))
        #expect(scene.picture.contains("▀"))
        #expect(scene.screen.wishes.first?.key == key)
    }

    @Test func aTerminalTooSmallForPicturesHasALineInstead() async throws {
        let scene = await scene(Self.thread, rows: 13)
        #expect(scene.picture.contains("cabin.png 48 kB picture"))
        #expect(scene.screen.wishes.isEmpty)
    }

    @Test func whatCannotBeDrawnSaysSo() async throws {
        let scene = await scene(Self.thread)
        _ = scene.frame
        let key = try #require(scene.screen.wishes.first?.key)
        scene.screen.album?.entries[key] = .failed(UserCopy("The helper program failed.", next: ""))
        #expect(scene.picture.contains("Not drawn: The helper program       "))
        scene.screen.album?.entries[key] = .tooLarge
        #expect(scene.picture.contains(" (v draws it) "))
        scene.press("Esc", "k", "v")
        #expect(!scene.picture.contains("draws it"))
        #expect(scene.screen.wishes.first?.limit == .some(nil))
        scene.press("v")
        #expect(scene.picture.contains("draws it"))
        #expect(scene.screen.wishes.isEmpty)
    }

    @Test func withoutAnAlbumNothingIsKeptFree() async throws {
        let scene = await scene(Self.thread)
        let with = scene.picture
        scene.screen.album = nil
        #expect(scene.picture != with)
        #expect(scene.screen.wishes.isEmpty && scene.picture.contains("cabin.png 48 kB picture"))
    }
}

@Suite struct PictureRoomTests {
    private let room = PictureRoom(columns: 40, threadRows: 21)

    @Test(arguments: [
        (160, 100, 22, 7), (100, 160, 9, 7), (4_000, 100, 40, 1), (1, 10_000, 1, 7), (6, 6, 6, 3),
        (1, 1, 1, 1),
        (0, -5, 1, 1), (100_000, 100_000, 14, 7),
    ])
    func aPictureKeepsItsShapeAndGetsNoMoreCellsThanPixels(
        _ width: Int, _ height: Int, _ columns: Int, _ rows: Int
    ) {
        #expect(room?.size(width: width, height: height) == Size(columns: Columns(columns), rows: rows))
    }

    @Test func aThirdOfTheThreadIsTheMost() {
        #expect(room?.rows == 7)
        #expect(PictureRoom(columns: 40, threadRows: 11) == nil)
        #expect(PictureRoom(columns: 7, threadRows: 40) == nil)
        #expect(PictureRoom(columns: 500, threadRows: 500)?.rows == 28)
    }
}
