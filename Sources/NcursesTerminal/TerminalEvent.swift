import Terminal

/// What a terminal session tells the program.
package enum TerminalEvent: Hashable, Sendable {
    /// What one read gave, in order. Never empty.
    case input([InputEvent])
    /// The screen has another size; a frame is drawn by itself.
    case resized(Size)
    /// The program was stopped or the machine asleep, and goes on: time has passed.
    case resumed
    /// A signal asks for an orderly end. One second later the process is ended by force.
    case endRequested(signal: Int32)
    /// The terminal is closed; nothing can be shown any more. The program has to end by itself.
    case gone
}

/// How a session is opened.
package struct TerminalOptions: Sendable {
    /// The process's variables, such as `TERM`, `LANG` and `SSH_CONNECTION`.
    package var environment: [String: String]
    package var theme: Theme
    package var usesMouse = false
    /// How long an escape may be the beginning of a key; `nil` is 25 ms, or 100 ms over SSH.
    package var escapeDelay: Duration?
    /// Tells the terminal to show a frame only when it is complete.
    package var isSynchronised = false
    /// The terminal's file; `nil` is the process's own terminal. With a file of its own a session leaves the
    /// process's signals, crashes and exit alone.
    package var path: String?

    package init(environment: [String: String], theme: Theme = .standard) {
        self.environment = environment
        self.theme = theme
    }
}
