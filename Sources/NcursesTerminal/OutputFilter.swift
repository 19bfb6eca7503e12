import Terminal

/// Turns what ncurses wrote into what the terminal gets: clusters and tiles for placeholders, true colours for
/// slots.
///
/// It needs no position and keeps nothing between frames.
struct OutputFilter {
    let placeholders: Placeholders
    var tiles = TilePlaceholders()
    let colors: TrueColorSlots
    var keepsAutowrap = false

    struct Result {
        var bytes: [UInt8] = []
        /// Clusters that a terminal may have drawn over neighbours that were not written after them.
        var covering: Set<Cluster> = []
    }

    /// The cluster written last, while cells that it may cover are still to come.
    private struct Overhang {
        var cluster: Cluster
        var cells: Int
    }

    private struct State {
        var result = Result()
        /// The placeholder that comes next if the cluster is written whole.
        var expected: UInt32?
        var overhang: Overhang?
        var tiles = TileWriter()

        mutating func wrote(cells: Int) {
            overhang?.cells -= cells
            if let left = overhang?.cells, left <= 0 { overhang = nil }
        }

        /// The cursor goes elsewhere.
        mutating func broke() {
            if let overhang { result.covering.insert(overhang.cluster) }
            overhang = nil
        }
    }

    func run(_ raw: [UInt8]) -> Result {
        var state = State()
        state.result.bytes.reserveCapacity(raw.count + raw.count / 2)
        var index = 0
        while index < raw.count {
            let byte = raw[index]
            if byte == 0xF4, let scalar = Self.tilePlaceholder(raw, at: index) {
                tile(scalar, &state)
                index += 4
                continue
            }
            state.tiles.end(&state.result.bytes)
            if byte == 0xF3, let scalar = Self.scalar(raw, at: index) {
                placeholder(scalar, &state)
                index += 4
                continue
            }
            state.expected = nil
            if Self.isPlain(byte) {
                let end = raw[index...].firstIndex { !Self.isPlain($0) } ?? raw.count
                state.wrote(cells: end - index)
                state.result.bytes += raw[index..<end]
                index = end
                continue
            }
            if byte == 0x1B {
                index += escape(raw, at: index, &state)
                continue
            }
            if byte < 0x20 {
                state.broke()
            } else if byte & 0xC0 != 0x80 {
                state.wrote(cells: 1)
            }
            state.result.bytes.append(byte)
            index += 1
        }
        state.tiles.end(&state.result.bytes)
        state.broke()
        return state.result
    }

    /// Printable ASCII: each byte is a cell.
    private static func isPlain(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7F }

    /// Placeholders are in U+F0000...U+FFFFD, always four bytes, and nothing else is.
    private static func scalar(_ raw: [UInt8], at index: Int) -> UInt32? {
        guard index + 3 < raw.count, raw[index + 1] >= 0xB0 else { return nil }
        return 0xC0000 | UInt32(raw[index + 1] & 0x3F) << 12 | UInt32(raw[index + 2] & 0x3F) << 6
            | UInt32(raw[index + 3] & 0x3F)
    }

    private func tile(_ scalar: UInt32, _ state: inout State) {
        guard let tile = tiles.tile(of: scalar) else { return }
        state.expected = nil
        state.wrote(cells: 1)
        state.tiles.write(tile, to: &state.result.bytes)
    }

    /// Those for tiles are in U+100000...U+10FFFD.
    private static func tilePlaceholder(_ raw: [UInt8], at index: Int) -> UInt32? {
        guard index + 3 < raw.count, raw[index + 1] <= 0x8F else { return nil }
        return 0x100000 | UInt32(raw[index + 1] & 0x3F) << 12 | UInt32(raw[index + 2] & 0x3F) << 6
            | UInt32(raw[index + 3] & 0x3F)
    }

    /// Saves the cursor, blanks the cells, writes the cluster, and goes to where it ends by our reckoning:
    /// wherever the terminal thinks it ended.
    private func placeholder(_ scalar: UInt32, _ state: inout State) {
        guard let (cluster, cell) = placeholders.meaning(of: scalar) else { return }
        if cell > 0 {
            // A further cell without the first: the cluster is there already, only the cursor moves.
            if state.expected != scalar { state.result.bytes += "\u{1B}[C".utf8 }
            state.expected = scalar + 1
            return
        }
        let width = cluster.width.cells
        state.result.bytes += "\u{1B}7".utf8
        // Blanks, not an erase: those keep the background in every terminal.
        state.result.bytes += repeatElement(0x20, count: width)
        state.result.bytes += "\u{1B}8".utf8
        state.result.bytes += cluster.text.utf8
        state.result.bytes += (width == 1 ? "\u{1B}8\u{1B}[C" : "\u{1B}8\u{1B}[\(width)C").utf8
        state.expected = scalar + 1
        let reach = max(cluster.overhang, (state.overhang?.cells ?? 0) - width)
        state.overhang = reach > 0 ? Overhang(cluster: cluster, cells: reach) : nil
    }

    /// The length of an escape sequence without parameters.
    private static func shortEscape(_ raw: [UInt8], at index: Int) -> Int {
        let final = raw[(index + 1)...].firstIndex { !(0x20...0x2F).contains($0) } ?? raw.count - 1
        return final + 1 - index
    }

    /// - Returns: How many bytes were used.
    private func escape(_ raw: [UInt8], at index: Int, _ state: inout State) -> Int {
        guard let sequence = RawSequence(raw, at: index) else {
            let length = Self.shortEscape(raw, at: index)
            if length != 3 { state.broke() }  // three bytes choose a character set; the cursor stays
            state.result.bytes += raw[index..<index + length]
            return length
        }
        // Autowrap stays off while the screen is ours; ncurses turns it on after the last cell.
        if sequence.isAutowrap, !keepsAutowrap { return sequence.length }
        switch sequence.final {
        case UInt8(ascii: "m"):
            if let (slot, isBackground) = sequence.paletteColor, let color = colors[slot] {
                let kind = isBackground ? 48 : 38
                state.result.bytes += "\u{1B}[\(kind);2;\(color.0);\(color.1);\(color.2)m".utf8
                return sequence.length
            }
        case UInt8(ascii: "K"): state.overhang = nil
        case UInt8(ascii: "X"): state.wrote(cells: sequence.number ?? 1)
        default: state.broke()
        }
        state.result.bytes += raw[index..<index + sequence.length]
        return sequence.length
    }
}

/// A control sequence in what ncurses wrote.
private struct RawSequence {
    let length: Int
    let final: UInt8
    private let body: ArraySlice<UInt8>

    /// - Returns: `nil` for an escape that begins no CSI.
    init?(_ raw: [UInt8], at index: Int) {
        guard index + 2 < raw.count, raw[index + 1] == UInt8(ascii: "[") else { return nil }
        guard let end = raw[(index + 2)...].firstIndex(where: { (0x40...0x7E).contains($0) }) else {
            return nil
        }
        body = raw[index + 2..<end]
        final = raw[end]
        length = end + 1 - index
    }

    var isAutowrap: Bool {
        body.elementsEqual("?7".utf8) && (final == UInt8(ascii: "h") || final == UInt8(ascii: "l"))
    }

    var number: Int? { Int(String(decoding: body, as: UTF8.self)) }

    /// `38;5;N` and `48;5;N`, which ncurses writes one by one.
    var paletteColor: (slot: UInt8, isBackground: Bool)? {
        let isBackground = body.starts(with: "48;5;".utf8)
        guard isBackground || body.starts(with: "38;5;".utf8) else { return nil }
        return UInt8(String(decoding: body.dropFirst(5), as: UTF8.self)).map { ($0, isBackground) }
    }
}
