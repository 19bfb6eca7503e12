/// A colour a theme asks for. What the terminal can do decides what becomes of it.
package enum Color: Hashable, Sendable {
    /// The terminal's own.
    case standard
    /// 0...7 and their bright versions 8...15, as the user's terminal defines them.
    case ansi(UInt8)
    /// 16...255 of the xterm palette.
    case palette(UInt8)
    case rgb(UInt8, UInt8, UInt8)
}

/// How many colours a terminal shows.
package enum ColorDepth: Int, Hashable, Sendable, Comparable {
    case none, eight, sixteen, palette, trueColor

    package static func < (left: ColorDepth, right: ColorDepth) -> Bool { left.rawValue < right.rawValue }
}

/// How text is drawn.
package struct Style: Hashable, Sendable {
    package struct Attributes: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let bold = Attributes(rawValue: 1)
        package static let dim = Attributes(rawValue: 2)
        package static let italic = Attributes(rawValue: 4)
        package static let underline = Attributes(rawValue: 8)
        package static let reverse = Attributes(rawValue: 16)
    }

    package var foreground: Color
    package var background: Color
    package var attributes: Attributes

    package init(
        _ foreground: Color = .standard, on background: Color = .standard, _ attributes: Attributes = []
    ) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    /// This style on top of another's background. With a ground in reverse video the two swap as one.
    package func over(_ ground: Style) -> Style {
        var style = self
        if background == .standard { style.background = ground.background }
        if foreground == .standard { style.foreground = ground.foreground }
        style.attributes.formUnion(ground.attributes)
        // Dim on a filled ground is hard to read, and some terminals drop the fill.
        if ground.attributes.contains(.reverse) || ground.background != .standard {
            style.attributes.remove(.dim)
        }
        return style
    }

    /// The nearest style a terminal of this depth can show.
    package func reduced(to depth: ColorDepth) -> Style {
        var style = self
        style.foreground = foreground.reduced(to: depth)
        style.background = background.reduced(to: depth)
        guard depth <= .eight else { return style }
        if depth == .eight, case .ansi(let bright) = foreground.reduced(to: .sixteen), bright >= 8 {
            style.foreground = .ansi(bright - 8)
            style.attributes.insert(.bold)
        }
        return style
    }
}

extension Color {
    /// The nearest colour of this depth. `.none` leaves only the terminal's own.
    package func reduced(to depth: ColorDepth) -> Color {
        if self == .standard || depth == .none { return .standard }
        switch (self, depth) {
        case (.ansi(let index), .eight): return .ansi(index % 8)
        case (.ansi, _), (_, .trueColor): return self
        case (.palette, .palette): return self
        case (.rgb(let red, let green, let blue), .palette):
            return .palette(Self.nearest((red, green, blue), among: 16...255))
        default:
            let limit: ClosedRange<UInt8> = depth == .eight ? 0...7 : 0...15
            return .ansi(Self.nearest(components, among: limit))
        }
    }

    /// Red, green and blue; those of the first sixteen are xterm's, a terminal may show others.
    package var components: (UInt8, UInt8, UInt8) {
        switch self {
        case .standard: (229, 229, 229)
        case .ansi(let index): Self.components(of: index % 16)
        case .palette(let index): Self.components(of: index)
        case .rgb(let red, let green, let blue): (red, green, blue)
        }
    }

    private static func components(of index: UInt8) -> (UInt8, UInt8, UInt8) {
        switch index {
        case 0...15: return ansiComponents[Int(index)]
        case 16...231:
            let cube = index - 16
            return (level(cube / 36), level(cube / 6 % 6), level(cube % 6))
        default:
            let grey = 8 + (index - 232) * 10
            return (grey, grey, grey)
        }
    }

    private static func level(_ step: UInt8) -> UInt8 { step == 0 ? 0 : 55 + step * 40 }

    private static let ansiComponents: [(UInt8, UInt8, UInt8)] = [
        (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0),
        (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
        (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0),
        (92, 92, 255), (255, 0, 255), (0, 255, 255), (255, 255, 255),
    ]

    private static func nearest(_ color: (UInt8, UInt8, UInt8), among range: ClosedRange<UInt8>) -> UInt8 {
        var best = (index: range.lowerBound, distance: Int.max)
        for index in range {
            let other = components(of: index)
            let (red, green, blue) = (
                Int(color.0) - Int(other.0), Int(color.1) - Int(other.1), Int(color.2) - Int(other.2)
            )
            // The eye sees differences in green best, in blue least.
            let distance = 3 * red * red + 6 * green * green + 2 * blue * blue
            if distance < best.distance { best = (index, distance) }
        }
        return best.index
    }
}
