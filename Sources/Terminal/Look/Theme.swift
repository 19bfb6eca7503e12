/// From what a piece of the screen means to how it looks.
///
/// No theme tells anything by colour alone: the words and marks of the screen say it too, and in `monochrome`
/// attributes do what colours do in the others.
package enum Theme: String, CaseIterable, Hashable, Sendable {
    /// The sixteen colours of the user's own terminal, so it suits light and dark backgrounds.
    case standard = "default"
    /// Chosen colours, for dark backgrounds.
    case dusk
    /// Chosen colours, for light backgrounds.
    case daylight
    /// Nothing dim, strong differences, a filled selection.
    case highContrast = "high-contrast"
    /// Attributes only.
    case monochrome

    /// The theme of this name, unless the user wants no colours at all.
    ///
    /// - Parameters:
    ///   - name: As in the settings; an unknown one gives `standard`.
    ///   - noColor: The value of `NO_COLOR`; set and not empty, it asks for `monochrome` (no-color.org).
    package static func chosen(_ name: String?, noColor: String?) -> Theme {
        if let noColor, !noColor.isEmpty { return .monochrome }
        return name.flatMap(Theme.init) ?? .standard
    }

    /// - Parameter ground: The role whose background lies under it, such as `.selected`.
    package func style(_ role: Role, on ground: Role? = nil) -> Style {
        let style = style(of: role)
        guard let ground else { return style }
        return style.over(self.style(of: ground))
    }

    private func style(of role: Role) -> Style {
        switch self {
        case .standard: Palette.standard.style(of: role)
        case .dusk: Palette.dusk.style(of: role)
        case .daylight: Palette.daylight.style(of: role)
        case .highContrast: Palette.highContrast.style(of: role)
        case .monochrome: Palette.monochrome.style(of: role)
        }
    }
}

/// The few colours a theme is made of.
private struct Palette {
    var accent = Color.standard
    var good = Color.standard
    var bad = Color.standard
    var alert = Color.standard
    var quiet = Style(.standard, .dim)
    var edge = Style(.standard, .dim)
    var selection = Style(.standard, .reverse)
    var banner = Style(.standard, .reverse)
    var bannerOK = Style(.standard, .reverse)
    var popup = Style()
    var hues: [Color] = [.standard]

    func style(of role: Role) -> Style {
        switch role {
        case .body, .input: Style()
        case .time, .dim, .hint, .placeholder, .daySeparator, .mark, .quote, .statusBar: quiet
        case .title, .heading: Style(.standard, .bold)
        case .brand: Style(accent, .bold)
        case .unread, .mention: Style(alert, .bold)
        case .newSeparator, .warning: Style(alert, .bold)
        case .error: Style(bad, .bold)
        case .success: Style(good)
        case .border: edge
        case .borderFocused: Style(accent, .bold)
        case .selected, .buttonFocused: selection
        case .cursorLine: Style(.standard, .bold)
        case .banner: banner
        case .bannerOK: bannerOK
        case .typing: Style(quiet.foreground, quiet.attributes.union(.italic))
        case .reaction: Style(accent)
        case .link: Style(accent, .underline)
        case .match: Style(alert, .underline)
        case .key: Style(accent, .bold)
        case .button: Style(.standard, .underline)
        case .popup: popup
        case .sender0, .sender1, .sender2, .sender3, .sender4, .sender5, .sender6, .sender7, .sender8,
            .sender9, .sender10, .sender11:
            Style(hues[role.hue % hues.count], .bold)
        }
    }

    static let standard = Palette(
        accent: .ansi(6), good: .ansi(2), bad: .ansi(1), alert: .ansi(3),
        banner: Style(.ansi(0), on: .ansi(3)), bannerOK: Style(.ansi(0), on: .ansi(2)),
        hues: [6, 2, 5, 3, 4, 1, 14, 10, 13, 11, 12, 9].map(Color.ansi))

    static let dusk = Palette(
        accent: .rgb(125, 196, 228), good: .rgb(140, 200, 120), bad: .rgb(240, 110, 110),
        alert: .rgb(240, 200, 100), quiet: Style(.rgb(138, 146, 160)), edge: Style(.rgb(84, 92, 108)),
        selection: Style(.standard, on: .rgb(52, 62, 82), .bold),
        banner: Style(.rgb(30, 26, 10), on: .rgb(240, 200, 100)),
        bannerOK: Style(.rgb(14, 30, 12), on: .rgb(140, 200, 120)),
        popup: Style(.standard, on: .rgb(36, 42, 56)),
        hues: [
            .rgb(125, 196, 228), .rgb(166, 218, 149), .rgb(198, 160, 246), .rgb(245, 169, 127),
            .rgb(238, 212, 159), .rgb(139, 213, 202), .rgb(240, 150, 170), .rgb(138, 173, 244),
            .rgb(200, 210, 120), .rgb(230, 160, 220), .rgb(120, 220, 170), .rgb(220, 190, 180),
        ])

    static let daylight = Palette(
        accent: .rgb(20, 90, 160), good: .rgb(30, 110, 40), bad: .rgb(180, 20, 30),
        alert: .rgb(150, 80, 0), quiet: Style(.rgb(100, 104, 112)), edge: Style(.rgb(160, 166, 176)),
        selection: Style(.standard, on: .rgb(214, 226, 242), .bold),
        banner: Style(.rgb(60, 40, 0), on: .rgb(250, 220, 140)),
        bannerOK: Style(.rgb(10, 50, 14), on: .rgb(190, 230, 180)),
        popup: Style(.standard, on: .rgb(238, 240, 244)),
        hues: [
            .rgb(20, 90, 160), .rgb(30, 110, 40), .rgb(120, 50, 160), .rgb(160, 70, 0),
            .rgb(120, 96, 0), .rgb(0, 110, 110), .rgb(180, 30, 90), .rgb(60, 70, 180),
            .rgb(84, 104, 0), .rgb(150, 30, 130), .rgb(0, 120, 80), .rgb(130, 80, 60),
        ])

    static let highContrast = Palette(
        accent: .ansi(14), good: .ansi(10), bad: .ansi(9), alert: .ansi(11),
        quiet: Style(), edge: Style(.standard, .bold),
        selection: Style(.ansi(0), on: .ansi(15), .bold),
        banner: Style(.ansi(0), on: .ansi(11), .bold), bannerOK: Style(.ansi(0), on: .ansi(10), .bold),
        hues: [14, 10, 13, 11, 15, 9].map(Color.ansi))

    static let monochrome = Palette()
}

extension Style {
    fileprivate init(_ foreground: Color, _ attributes: Attributes) {
        self.init(foreground, on: .standard, attributes)
    }
}
