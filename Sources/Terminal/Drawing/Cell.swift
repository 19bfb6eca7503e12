/// One cell of a frame, small and trivially copied: a frame is made for every key.
package struct Cell: Hashable, Sendable {
    package var code: CellCode
    package var role: Role
    package var ground: Role?
    /// For a tile of a picture: the number of its colours in the frame, from 1. 0: no tile.
    ///
    /// It lies in what would be padding otherwise, so cells are as small as without pictures.
    package var tint: UInt16 = 0

    /// Equal in cells of the same role, ground and tint, and only there.
    package var look: UInt32 {
        UInt32(role.rawValue) << 8 | UInt32(ground?.rawValue ?? .max) | UInt32(tint) << 16
    }

    /// One comparison of packed bits: whole frames are compared for every key.
    package static func == (left: Cell, right: Cell) -> Bool {
        left.code.bits == right.code.bits && left.look == right.look
    }

    package static let blank = Cell(code: .blank, role: .body, ground: nil)
}

/// What a cell shows, packed: bits 0...20 a scalar or a number into the frame's `joined`, 24...26 the width,
/// then flags.
package struct CellCode: Hashable, Sendable {
    fileprivate let bits: UInt32

    private static let untrusted: UInt32 = 1 << 28
    private static let several: UInt32 = 1 << 29

    /// A later cell of the wide cluster on its left.
    package static let continuation = CellCode(bits: 1 << 31)
    static let blank = CellCode(single: .space)

    private init(bits: UInt32) { self.bits = bits }

    init(single cluster: Cluster) {
        let trust = cluster.isTrusted ? 0 : Self.untrusted
        bits = cluster.scalar | UInt32(cluster.cells) << 24 | trust
    }

    init(joined number: UInt32, cells: UInt8) {
        bits = number & 0x1F_FFFF | UInt32(cells) << 24 | Self.untrusted | Self.several
    }

    /// 0 for a continuation.
    package var width: Int { Int(bits >> 24 & 7) }
    package var isTrusted: Bool { bits & Self.untrusted == 0 }

    /// The index into the frame's `joined`.
    package var number: Int? { bits & Self.several == 0 ? nil : Int(bits & 0x1F_FFFF) }

    /// The scalar of a cluster of one.
    package var scalar: Unicode.Scalar? {
        self == .continuation || bits & Self.several != 0 ? nil : Unicode.Scalar(bits & 0x1F_FFFF)
    }

    /// The cluster, when it has one scalar.
    var cluster: Cluster? {
        guard let scalar else { return nil }
        let cells = UInt8(truncatingIfNeeded: width)
        return isTrusted
            ? Cluster(trusted: scalar, cells: cells) : Cluster(untrusted: scalar, cells: cells)
    }
}
