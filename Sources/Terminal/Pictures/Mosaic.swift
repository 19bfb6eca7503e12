/// A picture made of character cells: what a helper program drew, read by `MosaicReader`, and nothing else.
///
/// Like `CleanText` it can only be made here, so no letter of a picture is one that a terminal might obey.
package struct Mosaic: Hashable, Sendable {
    package let size: Size
    /// Row by row, `size.columns` each.
    let tiles: [Tile]

    init(size: Size, tiles: [Tile]) {
        self.size = size
        self.tiles = tiles
    }

    /// The tiles of a row from left to right; none outside the picture.
    package func tiles(inRow row: Int) -> ArraySlice<Tile> {
        guard row >= 0, row < size.rows else { return [] }
        return tiles[row * size.columns.cells..<(row + 1) * size.columns.cells]
    }
}

/// One cell of a picture: a blank or a block element in two colours.
package struct Tile: Hashable, Sendable {
    package let scalar: Unicode.Scalar
    package let tint: Tint

    /// - Returns: `nil` for a letter that is no tile.
    init?(_ scalar: Unicode.Scalar, _ tint: Tint) {
        guard scalar == " " || Self.blocks.contains(scalar) else { return nil }
        self.init(trusted: scalar, tint)
    }

    private init(trusted scalar: Unicode.Scalar, _ tint: Tint) {
        switch scalar {
        case "\u{2588}" where tint.foreground != .standard:
            // A full block is a blank on its own colour: fewer bytes, and no gap between rows in any font.
            self.scalar = " "
            self.tint = Tint(.standard, on: tint.foreground)
        case " ":
            self.scalar = scalar
            self.tint = Tint(.standard, on: tint.background)
        default:
            self.scalar = scalar
            self.tint = tint
        }
    }

    /// Halves, quarters, eighths and shades of a cell. Every terminal gives each one cell.
    private static let blocks: ClosedRange<Unicode.Scalar> = "\u{2580}"..."\u{259F}"

    /// The nearest tile a terminal of this depth can show.
    package func reduced(to depth: ColorDepth) -> Tile {
        let tint = Tint(tint.foreground.reduced(to: depth), on: tint.background.reduced(to: depth))
        return Tile(trusted: scalar, tint)
    }
}

/// The colours of a tile.
package struct Tint: Hashable, Sendable {
    package var foreground: Color
    package var background: Color

    package init(_ foreground: Color = .standard, on background: Color = .standard) {
        self.foreground = foreground
        self.background = background
    }
}
