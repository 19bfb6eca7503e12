/// One cell of a frame, small and trivially copied: a frame is made for every key.
package struct Cell: Hashable, Sendable {
    /// The code in the upper half, the look in the lower one.
    ///
    /// One number, so that rows are filled and compared as rows of numbers are.
    private var bits: UInt64

    /// - Parameter tint: For a tile of a picture: the number of its colours in the frame, from 1. 0: no tile.
    package init(code: CellCode, role: Role, ground: Role?, tint: UInt16 = 0) {
        bits =
            UInt64(code.bits) << 32 | UInt64(tint) << 16 | UInt64(role.rawValue) << 8
            | UInt64(ground?.rawValue ?? .max)
    }

    package var code: CellCode {
        get { CellCode(bits: UInt32(truncatingIfNeeded: bits >> 32)) }
        set { bits = UInt64(newValue.bits) << 32 | UInt64(look) }
    }

    package var role: Role { Role(rawValue: UInt8(truncatingIfNeeded: bits >> 8)) ?? .body }
    package var ground: Role? { Role(rawValue: UInt8(truncatingIfNeeded: bits)) }
    package var tint: UInt16 { UInt16(truncatingIfNeeded: bits >> 16) }

    /// Equal in cells of the same role, ground and tint, and only there.
    package var look: UInt32 { UInt32(truncatingIfNeeded: bits) }

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

    fileprivate init(bits: UInt32) { self.bits = bits }

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

    /// The character, when it is printable ASCII.
    var ascii: UInt8? {
        let value = bits & ~(1 << 24)
        return bits & 1 << 24 != 0 && value >= 0x20 && value < 0x7F ? UInt8(value) : nil
    }

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
