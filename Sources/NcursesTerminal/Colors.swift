import CNcurses
import Terminal

/// True colours through a palette of 256: each takes a number above the first sixteen, and the output filter
/// writes the colour where ncurses wrote the number.
struct TrueColorSlots {
    private var numbers: [Color: UInt8] = [:]
    private var colors: [UInt8: (UInt8, UInt8, UInt8)] = [:]

    /// The colour behind a palette number; `nil` when the number means itself.
    subscript(slot: UInt8) -> (UInt8, UInt8, UInt8)? { colors.isEmpty ? nil : colors[slot] }

    /// - Returns: `nil` when all 240 are taken.
    mutating func slot(for color: Color) -> UInt8? {
        if let number = numbers[color] { return number }
        guard numbers.count < 240 else { return nil }
        let number = UInt8(16 + numbers.count)
        numbers[color] = number
        colors[number] = color.components
        return number
    }
}

/// The attributes and colour pair of each style in use.
struct ResolvedStyles {
    struct Key: Hashable {
        var role: Role
        var ground: Role?
    }

    struct Look {
        var attributes: UInt32
        var pair: Int32
    }

    let depth: ColorDepth
    private(set) var slots = TrueColorSlots()
    private var looks: [Key: Look] = [:]
    private var theme: Theme?

    init(depth: ColorDepth) { self.depth = depth }

    /// Forgets the looks of another theme.
    mutating func use(_ theme: Theme) {
        guard self.theme != theme else { return }
        self.theme = theme
        looks.removeAll()
    }

    mutating func look(_ key: Key) -> Look {
        if let look = looks[key] { return look }
        let style = (theme ?? .standard).style(key.role, on: key.ground).reduced(to: depth)
        let pair = pl_pair(number(of: style.foreground), number(of: style.background))
        let look = Look(attributes: UInt32(style.attributes.rawValue), pair: pair)
        looks[key] = look
        return look
    }

    private mutating func number(of color: Color) -> Int32 {
        switch color {
        case .standard: -1
        case .ansi(let index): Int32(index)
        case .palette(let index) where depth < .trueColor: Int32(index)
        case .palette, .rgb:
            if let slot = slots.slot(for: color) {
                Int32(slot)
            } else {
                number(of: color.reduced(to: .sixteen))
            }
        }
    }
}
