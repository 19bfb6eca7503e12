/// One grapheme cluster that is safe to draw, with the cells it is given. The unit of cursor movement,
/// wrapping and deleting: nothing ever splits it.
package struct Cluster: Hashable, Sendable {
    /// The scalar, or 0 when there are several.
    let scalar: UInt32
    /// Cells on the screen, 1...4.
    let cells: UInt8
    /// Every terminal gives it the width we do. Others are painted so that the terminal's own idea of the
    /// width cannot move what stands beside them.
    package let isTrusted: Bool
    /// Only for clusters of several scalars.
    private let joined: String?

    package var width: Columns { Columns(Int(cells)) }

    /// The text, as it may be written to a terminal.
    package var text: String {
        joined ?? String(Unicode.Scalar(scalar).map(Character.init) ?? " ")
    }

    package static let space = Cluster(trusted: " ", cells: 1)
    static let ellipsis = Cluster(untrusted: "\u{2026}", cells: 1)

    init(trusted scalar: Unicode.Scalar, cells: UInt8) {
        self.scalar = scalar.value
        self.cells = cells
        isTrusted = true
        joined = nil
    }

    init(untrusted scalar: Unicode.Scalar, cells: UInt8) {
        self.scalar = scalar.value
        self.cells = cells
        isTrusted = false
        joined = nil
    }

    init(untrusted text: String, cells: UInt8) {
        scalar = 0
        self.cells = cells
        isTrusted = false
        joined = text
    }

    package var isSpace: Bool { scalar == 0x20 }

    /// How many cells right of its own a terminal with another idea of widths may draw over.
    package var overhang: Int {
        guard !isTrusted else { return 0 }
        guard let joined else { return cells == 1 ? 1 : 0 }
        let widest = joined.unicodeScalars.reduce(0) { $0 + (ScalarClass($1).cells == 0 ? 1 : 2) }
        return max(widest - Int(cells), 0)
    }
}
