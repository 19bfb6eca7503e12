import Terminal
import Testing

struct ThemeTests {
    private let roles: [Role] =
        [
            .body, .time, .dim, .hint, .title, .brand, .heading, .unread, .mention, .mark, .warning, .error,
            .success,
            .border, .borderFocused, .selected, .cursorLine, .banner, .bannerOK, .statusBar, .daySeparator,
            .newSeparator, .typing, .quote, .reaction, .link, .match, .input, .placeholder, .key, .button,
            .buttonFocused, .popup,
        ] + (0..<Role.senderHues).map { .sender($0) }

    @Test func noColorWinsOverAnyTheme() {
        #expect(Theme.chosen("dusk", noColor: "1") == .monochrome)
        #expect(Theme.chosen("dusk", noColor: "") == .dusk)
        #expect(Theme.chosen("high-contrast", noColor: nil) == .highContrast)
        #expect(Theme.chosen("no such theme", noColor: nil) == .standard)
    }

    @Test func monochromeHasNoColourAtAll() {
        for role in roles {
            let style = Theme.monochrome.style(role, on: .selected)
            #expect(style.foreground == .standard && style.background == .standard)
        }
    }

    @Test(arguments: Theme.allCases) func whatMattersIsMarkedByMoreThanColour(theme: Theme) {
        for role in [Role.unread, .warning, .error, .newSeparator, .borderFocused, .buttonFocused] {
            #expect(theme.style(role).reduced(to: .none) != Style(), "\(role)")
        }
        #expect(theme.style(.borderFocused) != theme.style(.border))
        #expect(theme.style(.selected) != theme.style(.body))
    }

    @Test func highContrastDimsNothing() {
        #expect(roles.allSatisfy { !Theme.highContrast.style($0).attributes.contains(.dim) })
    }

    @Test(arguments: Theme.allCases, [ColorDepth.none, .eight, .sixteen, .palette, .trueColor])
    func everyStyleFitsTheDepth(theme: Theme, depth: ColorDepth) {
        for role in roles {
            let style = theme.style(role).reduced(to: depth)
            #expect(fits(style.foreground, depth) && fits(style.background, depth), "\(role)")
        }
    }

    private func fits(_ color: Color, _ depth: ColorDepth) -> Bool {
        switch color {
        case .standard: true
        case .ansi(let index): depth >= .sixteen || depth == .eight && index < 8
        case .palette: depth >= .palette
        case .rgb: depth == .trueColor
        }
    }

    @Test func coloursGoToTheirNearest() {
        #expect(Color.rgb(255, 0, 0).reduced(to: .palette) == .palette(196))
        #expect(Color.rgb(250, 5, 5).reduced(to: .sixteen) == .ansi(9))
        #expect(Color.rgb(10, 10, 10).reduced(to: .eight) == .ansi(0))
        #expect(Color.palette(244).reduced(to: .sixteen) == .ansi(8))
        #expect(Color.ansi(12).reduced(to: .eight) == .ansi(4))
        #expect(Color.rgb(1, 2, 3).reduced(to: .none) == .standard)
    }

    @Test func aBrightColourIsBoldWithEightColours() {
        let style = Style(.ansi(11)).reduced(to: .eight)
        #expect(style == Style(.ansi(3), .bold))
    }

    @Test func aGroundShinesThrough() {
        let style = Theme.dusk.style(.time, on: .selected)
        #expect(style.background == Theme.dusk.style(.selected).background)
        #expect(style.foreground == Theme.dusk.style(.time).foreground)
        #expect(Theme.standard.style(.time, on: .selected).attributes == .reverse)
    }

    @Test func aPersonsColourIsStableForAnyNumber() {
        #expect(Role.sender(-1) == Role.sender(Role.senderHues - 1))
        #expect(Role.sender(3) == Role.sender(3 + Role.senderHues))
    }
}
