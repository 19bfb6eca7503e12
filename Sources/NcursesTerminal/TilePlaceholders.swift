import Terminal

/// Stand-ins for the tiles of pictures, which come in more colours than ncurses has pairs for.
///
/// Each kind of tile on the screen, letter and colours together, is one private-use scalar of one column to
/// ncurses, without a colour. What ncurses moves, scrolls and erases are ordinary cells then; the output filter
/// writes colours and letter where the scalar stands. They are of another plane than those for clusters.
struct TilePlaceholders {
    private static let first: UInt32 = 0x100000
    /// Plane 16 without its two noncharacters.
    private static let capacity = 0xFFFE
    /// Above it the table is emptied with the next full repaint.
    private static let roomy = 0x8000

    private var numbers: [Tile: UInt32] = [:]
    private var tiles: [Tile] = []

    var isCrowded: Bool { tiles.count > Self.roomy }

    /// Only before a full repaint: what is on the glass keeps its numbers.
    mutating func removeAll() {
        numbers.removeAll(keepingCapacity: true)
        tiles.removeAll(keepingCapacity: true)
    }

    /// - Returns: `nil` when there are more kinds of tiles on one screen than placeholders.
    mutating func scalar(for tile: Tile) -> UInt32? {
        if let number = numbers[tile] { return Self.first + number }
        guard tiles.count < Self.capacity else { return nil }
        let number = UInt32(tiles.count)
        tiles.append(tile)
        numbers[tile] = number
        return Self.first + number
    }

    func tile(of scalar: UInt32) -> Tile? {
        guard scalar >= Self.first, Int(scalar - Self.first) < tiles.count else { return nil }
        return tiles[Int(scalar - Self.first)]
    }
}

/// Writes tiles, and keeps in mind which colours the terminal has been told.
///
/// ncurses believes that no colour is set where it wrote a placeholder, and it has to be right whenever it writes
/// anything else: `end` comes before that.
struct TileWriter {
    /// `nil`: as ncurses believes.
    private var tint: Tint?

    mutating func write(_ tile: Tile, to bytes: inout [UInt8]) {
        let worn = tint ?? Tint()
        // A blank shows no foreground; leaving the one that is set spares bytes.
        let foreground = tile.scalar == " " ? worn.foreground : tile.tint.foreground
        var codes: [String] = []
        if foreground != worn.foreground { codes.append(foreground.code(isBackground: false)) }
        if tile.tint.background != worn.background {
            codes.append(tile.tint.background.code(isBackground: true))
        }
        if !codes.isEmpty { bytes += "\u{1B}[\(codes.joined(separator: ";"))m".utf8 }
        tint = Tint(foreground, on: tile.tint.background)
        bytes += UTF8.encode(tile.scalar) ?? UTF8.encodedReplacementCharacter
    }

    mutating func end(_ bytes: inout [UInt8]) {
        guard let tint else { return }
        if tint != Tint() { bytes += "\u{1B}[m".utf8 }
        self.tint = nil
    }
}

extension Color {
    /// The parameters of the sequence that sets it (ECMA-48 8.3.117, and xterm's for more colours).
    fileprivate func code(isBackground: Bool) -> String {
        let base = isBackground ? 40 : 30
        return switch self {
        case .standard: "\(base + 9)"
        case .ansi(let index) where index < 8: "\(base + Int(index))"
        case .ansi(let index): "\(base + 60 + Int(index) - 8)"
        case .palette(let index): "\(base + 8);5;\(index)"
        case .rgb(let red, let green, let blue): "\(base + 8);2;\(red);\(green);\(blue)"
        }
    }
}
