import Terminal

/// Turns what ncurses wrote into what the terminal gets: clusters for placeholders, true colours for slots.
///
/// It needs no position and keeps nothing between frames.
struct OutputFilter {
    let placeholders: Placeholders
    let colors: TrueColorSlots

    struct Result {
        var bytes: [UInt8] = []
        /// Clusters that a terminal may have drawn over their right neighbours.
        var overflowing: Set<Cluster> = []
    }

    func run(_ raw: [UInt8]) -> Result {
        var result = Result()
        result.bytes.reserveCapacity(raw.count + raw.count / 2)
        var index = 0
        var expected: UInt32?
        while index < raw.count {
            let byte = raw[index]
            if byte == 0x1B {
                index += escape(raw, at: index, into: &result.bytes)
                expected = nil
            } else if byte == 0xF3, let scalar = Self.scalar(raw, at: index) {
                placeholder(scalar, expected: &expected, into: &result)
                index += 4
            } else {
                result.bytes.append(byte)
                expected = nil
                index += 1
            }
        }
        return result
    }

    /// Placeholders are in U+F0000...U+FFFFD, always four bytes, and nothing else is.
    private static func scalar(_ raw: [UInt8], at index: Int) -> UInt32? {
        guard index + 3 < raw.count, raw[index + 1] >= 0xB0 else { return nil }
        return 0xC0000 | UInt32(raw[index + 1] & 0x3F) << 12 | UInt32(raw[index + 2] & 0x3F) << 6
            | UInt32(raw[index + 3] & 0x3F)
    }

    /// Saves the cursor, blanks the cells, writes the cluster, and goes to where it ends by our reckoning:
    /// wherever the terminal thinks it ended.
    private func placeholder(_ scalar: UInt32, expected: inout UInt32?, into result: inout Result) {
        guard let (cluster, cell) = placeholders.meaning(of: scalar) else { return }
        if cell > 0 {
            // A further cell without the first: the cluster is there already, only the cursor moves.
            if expected != scalar { result.bytes += "\u{1B}[C".utf8 }
            expected = scalar + 1
            return
        }
        let width = cluster.width.cells
        result.bytes += "\u{1B}7".utf8
        // Blanks, not an erase: those keep the background in every terminal.
        result.bytes += repeatElement(0x20, count: width)
        result.bytes += "\u{1B}8".utf8
        result.bytes += cluster.text.utf8
        result.bytes += (width == 1 ? "\u{1B}8\u{1B}[C" : "\u{1B}8\u{1B}[\(width)C").utf8
        if cluster.mayOverflow { result.overflowing.insert(cluster) }
        expected = scalar + 1
    }

    /// - Returns: How many bytes were used.
    private func escape(_ raw: [UInt8], at index: Int, into bytes: inout [UInt8]) -> Int {
        // Autowrap stays off while the screen is ours; ncurses turns it on after the last cell.
        for wrap in [Self.wrapOn, Self.wrapOff] where raw[index...].starts(with: wrap) { return wrap.count }
        guard let (slot, isBackground, length) = Self.paletteColor(raw, at: index), let color = colors[slot]
        else {
            bytes.append(raw[index])
            return 1
        }
        bytes += "\u{1B}[\(isBackground ? 48 : 38);2;\(color.0);\(color.1);\(color.2)m".utf8
        return length
    }

    private static let wrapOn = Array("\u{1B}[?7h".utf8)
    private static let wrapOff = Array("\u{1B}[?7l".utf8)

    /// Reads `ESC [ 38;5;N m` and `ESC [ 48;5;N m`.
    private static func paletteColor(
        _ raw: [UInt8], at index: Int
    ) -> (slot: UInt8, isBackground: Bool, length: Int)? {
        let start = index + 7
        guard start < raw.count, raw[index + 1] == UInt8(ascii: "["), raw[index + 3] == UInt8(ascii: "8"),
            raw[index + 2] == UInt8(ascii: "3") || raw[index + 2] == UInt8(ascii: "4"),
            raw[index + 4..<start].elementsEqual(";5;".utf8)
        else { return nil }
        let digits = raw[start...].prefix { (0x30...0x39).contains($0) }
        guard let slot = UInt8(String(decoding: digits, as: UTF8.self)), digits.endIndex < raw.count,
            raw[digits.endIndex] == UInt8(ascii: "m")
        else { return nil }
        return (slot, raw[index + 2] == UInt8(ascii: "4"), digits.endIndex + 1 - index)
    }
}
