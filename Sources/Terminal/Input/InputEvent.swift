/// What came from the keyboard side of the terminal.
package enum InputEvent: Hashable, Sendable {
    case key(Key)
    /// A whole bracketed paste, or line ends that came too fast to be typed. Raw: controls are kept, and so
    /// are its line breaks. It never triggers keys.
    case paste(String)
    /// The terminal window got or lost the focus.
    case focus(Bool)
    case mouse(MouseEvent)
}

/// A mouse report; only sent after the mouse was turned on.
package struct MouseEvent: Hashable, Sendable {
    package enum Action: Hashable, Sendable {
        case press(Int)  // 1 left, 2 middle, 3 right
        case release(Int)
        case drag(Int)  // moved while held
        case scrollUp, scrollDown
    }

    package var action: Action
    package var at: Point
    package var modifiers: Key.Modifiers

    package init(_ action: Action, at: Point, modifiers: Key.Modifiers = []) {
        self.action = action
        self.at = at
        self.modifiers = modifiers
    }
}
