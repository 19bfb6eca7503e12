import FoundationEssentials
import Terminal

/// What drawing needs to know beside the state and the size.
package struct ScreenStyle: Sendable {
    package var clock: ClockFormat
    package var glyphs: Glyphs

    package init(clock: ClockFormat, glyphs: Glyphs = .unicode) {
        self.clock = clock
        self.glyphs = glyphs
    }
}
