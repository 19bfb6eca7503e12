/// Reads what a picture helper wrote into tiles, and refuses everything that is none of it.
///
/// The helper is a program that had a stranger's file in its hands. Of its output only this is known: rows parted
/// by line feeds, blanks and block elements, and `ESC [ … m` with colours, reset and reverse (ECMA-48 8.3.117).
/// One byte of anything else, and the whole of it counts for nothing.
package struct MosaicReader {
    private var rest: ArraySlice<UInt8>
    private let limit: Size
    private var rows: [[Tile]] = []
    private var row: [Tile] = []
    private var tint = Tint()
    private var isReversed = false

    private init(_ bytes: [UInt8], limit: Size) {
        rest = bytes[...]
        self.limit = limit
    }

    /// - Parameter limit: The most columns and rows there may be.
    /// - Throws: What is wrong; nothing of the output may be used then.
    package static func read(_ bytes: [UInt8], limit: Size) throws(MosaicError) -> Mosaic {
        var reader = MosaicReader(bytes, limit: limit)
        return try reader.mosaic()
    }

    private mutating func mosaic() throws(MosaicError) -> Mosaic {
        while let byte = rest.first {
            switch byte {
            case 0x0A: try endRow()
            case 0x1B: try takeSequence()
            default: try takeTile()
            }
        }
        if !row.isEmpty { try endRow() }
        guard let width = rows.first?.count, width > 0 else { throw .empty }
        guard rows.allSatisfy({ $0.count == width }) else { throw .uneven }
        return Mosaic(
            size: Size(columns: Columns(width), rows: rows.count), tiles: rows.flatMap { $0 })
    }

    private mutating func endRow() throws(MosaicError) {
        if rest.first == 0x0A { rest.removeFirst() }
        guard rows.count < limit.rows else { throw .tooLarge }
        rows.append(row)
        row.removeAll(keepingCapacity: true)
    }

    // MARK: Tiles

    private mutating func takeTile() throws(MosaicError) {
        let scalar: Unicode.Scalar
        if rest.first == 0x20 {
            scalar = " "
            rest.removeFirst()
        } else {
            // All block elements are E2 96 80 to E2 96 9F in UTF-8.
            let bytes = Array(rest.prefix(3))
            guard bytes.count == 3, bytes[0] == 0xE2, bytes[1] == 0x96, (0x80...0x9F).contains(bytes[2]),
                let block = Unicode.Scalar(UInt32(0x2580) + UInt32(bytes[2] - 0x80))
            else { throw .foreignText }
            scalar = block
            rest.removeFirst(3)
        }
        guard row.count < limit.columns.cells else { throw .tooLarge }
        guard let tile = isReversed ? reversed(scalar) : Tile(scalar, tint) else { throw .foreignText }
        row.append(tile)
    }

    /// At the edge of what is transparent the terminal's own background is the colour of the block, which no tile can
    /// have. The block that fills the rest of the cell shows the same.
    private func reversed(_ scalar: Unicode.Scalar) -> Tile? {
        if tint.background == .standard, let rest = Self.rests[scalar] { return Tile(rest, tint) }
        return Tile(scalar, Tint(tint.background, on: tint.foreground))
    }

    private static let rests: [Unicode.Scalar: Unicode.Scalar] = {
        let pairs: [(Unicode.Scalar, Unicode.Scalar)] = [
            ("▀", "▄"), ("▌", "▐"), ("▖", "▜"), ("▗", "▛"), ("▘", "▟"), ("▝", "▙"), ("▚", "▞"), ("█", " "),
        ]
        return Dictionary(uniqueKeysWithValues: pairs + pairs.map { ($1, $0) })
    }()

    // MARK: Sequences

    /// Numbers of one sequence; the longest of use has a reset and two colours of five numbers.
    private static let numberLimit = 16

    private mutating func takeSequence() throws(MosaicError) {
        guard rest.dropFirst().first == UInt8(ascii: "[") else { throw .foreignSequence }
        rest.removeFirst(2)
        var numbers: [UInt8] = []
        var number: Int?
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                let value = (number ?? 0) * 10 + Int(byte - UInt8(ascii: "0"))
                guard value <= 255 else { throw .foreignSequence }
                number = value
            case UInt8(ascii: ";"), UInt8(ascii: "m"):
                guard numbers.count < Self.numberLimit else { throw .foreignSequence }
                numbers.append(UInt8(number ?? 0))
                number = nil
                if byte == UInt8(ascii: "m") { return try apply(numbers[...]) }
            default: throw .foreignSequence
            }
        }
        throw .foreignSequence
    }

    private mutating func apply(_ numbers: ArraySlice<UInt8>) throws(MosaicError) {
        var numbers = numbers
        while let number = numbers.popFirst() {
            switch number {
            case 0: (tint, isReversed) = (Tint(), false)
            case 7: isReversed = true
            case 27: isReversed = false
            case 30...37: tint.foreground = .ansi(number - 30)
            case 38: tint.foreground = try color(&numbers)
            case 39: tint.foreground = .standard
            case 40...47: tint.background = .ansi(number - 40)
            case 48: tint.background = try color(&numbers)
            case 49: tint.background = .standard
            case 90...97: tint.foreground = .ansi(number - 90 + 8)
            case 100...107: tint.background = .ansi(number - 100 + 8)
            default: throw .foreignSequence
            }
        }
    }

    /// `5;N` or `2;R;G;B`.
    private func color(_ numbers: inout ArraySlice<UInt8>) throws(MosaicError) -> Color {
        switch numbers.popFirst() {
        case 5:
            guard let index = numbers.popFirst() else { throw .foreignSequence }
            return index < 16 ? .ansi(index) : .palette(index)
        case 2:
            guard let red = numbers.popFirst(), let green = numbers.popFirst(), let blue = numbers.popFirst()
            else { throw .foreignSequence }
            return .rgb(red, green, blue)
        default: throw .foreignSequence
        }
    }
}

/// Why the output of a picture helper is no picture.
package enum MosaicError: Error, Hashable, Sendable {
    /// A letter that is neither a blank nor a block element.
    case foreignText
    /// A sequence that sets no colour.
    case foreignSequence
    /// More rows or columns than were asked for.
    case tooLarge
    /// Rows of different lengths.
    case uneven
    case empty
}
