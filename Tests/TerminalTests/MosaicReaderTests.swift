import Terminal
import Testing

@Suite struct MosaicReaderTests {
    private let limit = Size(columns: 10, rows: 4)

    private func read(_ text: String) throws(MosaicError) -> Mosaic {
        try MosaicReader.read(Array(text.utf8), limit: limit)
    }

    private func tints(_ mosaic: Mosaic, row: Int = 0) -> [Tint] { mosaic.tiles(inRow: row).map(\.tint) }

    @Test func halfBlocksInTrueColourAreRead() throws {
        let mosaic = try read(
            "\u{1B}[0m\u{1B}[38;2;10;20;30;48;2;1;2;3m▀\u{1B}[38;2;4;5;6m▄\u{1B}[0m\n\u{1B}[48;5;200m  \u{1B}[0m\n"
        )
        #expect(mosaic.size == Size(columns: 2, rows: 2))
        #expect(mosaic.tiles(inRow: 0).map(\.scalar) == ["▀", "▄"])
        #expect(
            tints(mosaic) == [
                Tint(.rgb(10, 20, 30), on: .rgb(1, 2, 3)), Tint(.rgb(4, 5, 6), on: .rgb(1, 2, 3)),
            ])
        #expect(
            tints(mosaic, row: 1) == [Tint(.standard, on: .palette(200)), Tint(.standard, on: .palette(200))])
        #expect(mosaic.tiles(inRow: 2).isEmpty && mosaic.tiles(inRow: -1).isEmpty)
    }

    @Test func sixteenColoursAndReverseAreRead() throws {
        let mosaic = try read("\u{1B}[31;102m▌\u{1B}[7m▌\u{1B}[27;39;49m▌\u{1B}[38;5;9m▌\u{1B}[m▌")
        #expect(
            tints(mosaic) == [
                Tint(.ansi(1), on: .ansi(10)), Tint(.ansi(10), on: .ansi(1)), Tint(), Tint(.ansi(9)), Tint(),
            ])
    }

    @Test func whatIsTransparentShowsTheTerminalsOwnBackground() throws {
        let mosaic = try read("\u{1B}[7m\u{1B}[38;5;131m▀▘▚ █\u{1B}[48;5;20m▀")
        #expect(mosaic.tiles(inRow: 0).map(\.scalar) == ["▄", "▟", "▞", " ", " ", "▀"])
        let red = Color.palette(131)
        #expect(
            tints(mosaic) == [
                Tint(red), Tint(red), Tint(red), Tint(.standard, on: red), Tint(),
                Tint(.palette(20), on: red),
            ])
    }

    @Test func aFullBlockIsABlankInItsOwnColour() throws {
        let tile = try #require(read("\u{1B}[35m█").tiles(inRow: 0).first)
        #expect(tile.scalar == " " && tile.tint == Tint(.standard, on: .ansi(5)))
        #expect(try read("█").tiles(inRow: 0).first?.scalar == "█")
    }

    @Test(arguments: [
        "x", "▀\r\n▀", "\t", "\u{0}", "\u{7}", "─", "\u{25A0}", "\u{E2}\u{96}", "🙂", "\u{9B}31m", "\u{1B}7▀",
    ])
    func aLetterThatIsNoTileRefusesEverything(_ text: String) {
        #expect(throws: MosaicError.self) { try read("▀" + text) }
    }

    @Test(arguments: [
        "\u{1B}[2J", "\u{1B}[H", "\u{1B}[?25l", "\u{1B}[5b", "\u{1B}]0;title\u{7}", "\u{1B}[1m", "\u{1B}[4m",
        "\u{1B}[38;2;1;2m", "\u{1B}[38;5m", "\u{1B}[38;9;1m", "\u{1B}[256m", "\u{1B}[38;5;256m", "\u{1B}[",
        "\u{1B}", "\u{1B}[31", "\u{1B}[3:1m", "\u{1B}P1$q\u{1B}\\",
        "\u{1B}[0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0m",
        "\u{1B}[99999999999999999999m",
    ])
    func aSequenceThatSetsNoColourRefusesEverything(_ text: String) {
        #expect(throws: MosaicError.foreignSequence) { try read("▀" + text) }
    }

    @Test func morethanWasAskedForIsRefused() throws {
        #expect(throws: MosaicError.tooLarge) { try read(String(repeating: " ", count: 11)) }
        #expect(throws: MosaicError.tooLarge) { try read(" \n \n \n \n ") }
        #expect(try read(" \n \n \n \n").size.rows == 4)
    }

    @Test func rowsOfDifferentLengthsAndNoRowsAreRefused() {
        #expect(throws: MosaicError.uneven) { try read("  \n ") }
        #expect(throws: MosaicError.uneven) { try read("  \n\n  ") }
        for empty in ["", "\n", "\u{1B}[0m", "\u{1B}[0m\n"] {
            #expect(throws: MosaicError.empty) { try read(empty) }
        }
    }

    @Test(arguments: 0..<20)
    func whateverComesIsReadOrRefused(_ seed: UInt64) {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let pieces = [
            "▀", " ", "█", "\n", "\u{1B}[", "\u{1B}", "38;2;", "48;5;", "7", "0", "255", ";", "m", "31m", "H",
            "é",
        ].map { Array($0.utf8) }
        for _ in 0..<2_000 {
            var bytes: [UInt8] = []
            for _ in 0..<next(24) {
                bytes += next(12) == 0 ? [UInt8(next(256))] : pieces[next(pieces.count)]
            }
            guard let mosaic = try? MosaicReader.read(bytes, limit: limit) else { continue }
            #expect(mosaic.size.columns <= limit.columns && mosaic.size.rows <= limit.rows)
            for row in 0..<mosaic.size.rows {
                let tiles = mosaic.tiles(inRow: row)
                #expect(tiles.count == mosaic.size.columns.cells)
                #expect(tiles.allSatisfy { $0.scalar == " " || (0x2580...0x259F).contains($0.scalar.value) })
            }
        }
    }
}

@Suite struct MosaicFrameTests {
    private let mosaic: Mosaic

    init() throws {
        let text = "\u{1B}[31;42m▀▄\u{1B}[34m▀\n\u{1B}[38;2;9;9;9m▌▌▌"
        mosaic = try MosaicReader.read(Array(text.utf8), limit: Size(columns: 3, rows: 2))
    }

    private func frame(_ columns: Columns = 6, _ at: Point = .origin, width: Columns = 6) -> Frame {
        var frame = Frame(size: Size(columns: columns, rows: 2))
        for row in 0..<2 {
            frame.draw(mosaic, row: row, at: Point(column: at.column, row: at.row + row), width: width)
        }
        return frame
    }

    @Test func aCellIsAsSmallAsWithoutPictures() {
        #expect(MemoryLayout<Cell>.stride == 8)
    }

    @Test func aPictureIsDrawnWithItsColours() {
        let frame = frame(6, Point(column: 1, row: 0))
        #expect(frame.picture == " ▀▄▀\n ▌▌▌")
        #expect(frame.tint(at: Point(column: 1, row: 0)) == Tint(.ansi(1), on: .ansi(2)))
        #expect(frame.tint(at: Point(column: 3, row: 1)) == Tint(.rgb(9, 9, 9), on: .ansi(2)))
        #expect(frame.tint(at: .origin) == nil)
        let tile = frame.tile(of: frame[row: 0][3])
        #expect(tile == mosaic.tiles(inRow: 0).last)
    }

    @Test func aPictureIsClipped() {
        #expect(frame(6, width: 2).picture == "▀▄\n▌▌")
        #expect(frame(2).picture == "▀▄\n▌▌")
        #expect(frame(6, Point(column: -2, row: -1)).picture == "▌\n")
        #expect(frame(6, Point(column: 5, row: 1)).picture == "\n     ▀")
    }

    @Test func textOverAPictureHasNoneOfItsColours() {
        var frame = frame()
        frame.draw(Line("ab", .body), at: .origin)
        #expect(frame.tint(at: .origin) == nil)
        #expect(frame.picture == "ab▀\n▌▌▌")
        frame.draw(Line("日", .body), at: .origin)
        frame.draw(mosaic, row: 0, at: Point(column: 1, row: 0), width: 1)
        #expect(frame.picture == " ▀▀\n▌▌▌")
    }

    @Test func framesAreEqualWhateverNumbersTheirColoursHave() throws {
        let other = try MosaicReader.read(Array("\u{1B}[35m▀▀▀".utf8), limit: Size(columns: 3, rows: 1))
        var drawnOver = Frame(size: Size(columns: 6, rows: 2))
        drawnOver.draw(other, row: 0, at: .origin, width: 3)
        #expect(drawnOver != frame())
        for row in 0..<2 { drawnOver.draw(mosaic, row: row, at: Point(column: 0, row: row), width: 6) }
        #expect(drawnOver == frame())
        #expect(drawnOver.showsRow(1, as: frame()))
        drawnOver.draw(other, row: 0, at: Point(column: 0, row: 1), width: 3)
        #expect(!drawnOver.showsRow(1, as: frame()))
    }
}
