/// What a scalar may do on a screen: the allow list for foreign text and the width of what it allows.
///
/// The raw values are those of `scalarClassTable`.
enum ScalarClass: UInt8 {
    /// Never reaches the terminal: format controls, private use, surrogates, unassigned.
    case dropped
    case narrow
    case wide
    /// Sits on the scalar before it, without a cell of its own.
    case mark
    /// A mark that takes a cell.
    case spacingMark
    /// ZWJ and ZWNJ: only inside a cluster.
    case joiner
    /// Only in a flag that starts with U+1F3F4.
    case tag
    /// C0, DEL and C1: shown as a control picture.
    case control
    /// One cell in every terminal.
    case trustedNarrow
    /// Two cells in every terminal.
    case trustedWide
    /// A space that is not U+0020; drawn as one.
    case space

    init(_ scalar: Unicode.Scalar) {
        let value = scalar.value
        if value < 0x7F {
            self = value < 0x20 ? .control : .trustedNarrow
        } else if value >= 0x4E00, value <= 0x9FFF {
            self = .trustedWide
        } else {
            self = Self.search(value)
        }
    }

    private static func search(_ value: UInt32) -> ScalarClass {
        var low = 0
        var high = scalarClassTable.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if scalarClassTable[middle] >> 4 <= value { low = middle } else { high = middle }
        }
        return ScalarClass(rawValue: UInt8(scalarClassTable[low] & 15)) ?? .dropped
    }

    /// Cells the scalar adds to a cluster.
    var cells: Int {
        switch self {
        case .dropped, .mark, .joiner, .tag: 0
        case .narrow, .spacingMark, .control, .trustedNarrow, .space: 1
        case .wide, .trustedWide: 2
        }
    }

    /// Counts toward the marks a cluster may carry.
    var isMark: Bool { self == .mark || self == .spacingMark }
}

extension Unicode.Scalar {
    static let zeroWidthJoiner: Unicode.Scalar = "\u{200D}"
    static let blackFlag: Unicode.Scalar = "\u{1F3F4}"
    static let dottedCircle: Unicode.Scalar = "\u{25CC}"

    var isRegionalIndicator: Bool { value >= 0x1F1E6 && value <= 0x1F1FF }
    var isSkinTone: Bool { value >= 0x1F3FB && value <= 0x1F3FF }
    var isEmojiPresentationSelector: Bool { value == 0xFE0F }
    var isJamo: Bool {
        (value >= 0x1100 && value <= 0x11FF) || (value >= 0xA960 && value <= 0xA97C)
            || (value >= 0xD7B0 && value <= 0xD7FB)
    }

    /// Ends a line, however it is written. CR LF is two of them.
    var endsLine: Bool {
        switch value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    /// The visible stand-in for a control: U+2400 up; for C1 that of the C0 control it abbreviates.
    var controlPicture: Unicode.Scalar {
        Unicode.Scalar(value == 0x7F ? 0x2421 : 0x2400 + (value & 0x1F)) ?? "\u{2426}"
    }
}
