@testable import Terminal

extension FuzzTarget {
    /// What a picture helper wrote: tiles within the limit or nothing, and the same tiles when written again.
    static let pictures = FuzzTarget(
        "pictures",
        words: [
            "\u{1B}[", "38;2;1;2;3", "48;5;200", "m", "\u{1B}[0m", "\u{1B}[7m", "\u{2580}", "\u{2584}",
            "\u{2588}", "\n", ";;;",
        ],
        seeds: {
            [
                "\u{1B}[38;2;10;20;30;48;5;77m\u{2580}\u{2584} \u{1B}[0m\n\u{1B}[31;107m\u{2588}\u{258C}\u{2591}",
                "  \n  ",
                "\u{1B}[7m\u{2580}\u{1B}[27;42m\u{259F}", "\u{1B}[m \u{1B}[97m\u{2588}", "\u{1B}]0;x\u{7}",
                "\u{1B}[2J",
            ].map { Array($0.utf8) }
        },
        check: { input in
            let limit = Size(columns: 40, rows: 24)
            guard let picture = try? MosaicReader.read(input.body, limit: limit) else { return nil }
            guard picture.size.rows <= limit.rows, picture.size.columns <= limit.columns else {
                return "it is too large"
            }
            var text = ""
            for row in 0..<picture.size.rows {
                let tiles = picture.tiles(inRow: row)
                guard tiles.count == picture.size.columns.cells else {
                    return "row \(row) has \(tiles.count) tiles"
                }
                text += row > 0 ? "\n" : ""
                for tile in tiles { text += written(tile) }
            }
            guard let again = try? MosaicReader.read(Array(text.utf8), limit: limit) else {
                return "it is not read again"
            }
            guard again == picture else { return "read again it is another picture" }
            for depth in [ColorDepth.none, .eight, .sixteen, .palette, .trueColor] {
                for tile in picture.tiles
                where tile.reduced(to: depth).reduced(to: depth) != tile.reduced(to: depth) {
                    return "\(tile) is reduced twice to \(depth)"
                }
            }
            return nil
        })

    private static func written(_ tile: Tile) -> String {
        "\u{1B}[0;\(numbers(tile.tint.foreground, 30));\(numbers(tile.tint.background, 40))m\(tile.scalar)"
    }

    /// - Parameter base: 30 for the letter, 40 for what is behind it.
    private static func numbers(_ color: Color, _ base: Int) -> String {
        switch color {
        case .standard: "\(base + 9)"
        case .ansi(let index): "\(index < 8 ? base + Int(index) : base + 60 + Int(index) - 8)"
        case .palette(let index): "\(base + 8);5;\(index)"
        case .rgb(let red, let green, let blue): "\(base + 8);2;\(red);\(green);\(blue)"
        }
    }
}
