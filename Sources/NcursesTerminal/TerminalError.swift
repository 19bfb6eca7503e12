import Terminal

/// Why the screen cannot be opened. Nothing of the terminal was changed when one of these is thrown.
package enum TerminalError: Error, Hashable, Sendable {
    /// Input or output is a file or a pipe, or there is none.
    case notATerminal
    /// `TERM` is `dumb`: the terminal cannot place a cursor.
    case dumb
    /// Neither this terminal nor the usual fall-backs are in the terminal database.
    case noDescription(name: String)
    /// The terminal could not be opened or its modes not be set.
    case failed(errno: Int32)
    /// ncurses could not be started on a known terminal: no memory, or no room for temporary files.
    case noScreen

    /// What happened, in a sentence for people.
    package var what: String {
        switch self {
        case .notATerminal: "The screen needs a terminal for its input and output."
        case .dumb: "This terminal cannot show a full screen."
        case .noDescription(let name):
            "This machine knows neither the terminal “\(printable(name))” nor a common one."
        case .failed: "The terminal could not be set up."
        case .noScreen: "The screen could not be prepared."
        }
    }

    /// What to do about it.
    package var next: String {
        switch self {
        case .notATerminal: "Start it without redirection, or use a subcommand made for scripts."
        case .dumb: "Use a terminal emulator, or a subcommand made for scripts."
        case .noDescription:
            "Install the terminal database (on Debian: ncurses-base), or set TERMINFO to yours."
        case .failed: "Open a new terminal and try again."
        case .noScreen: "Free some memory and try again."
        }
    }
}

/// `TERM` comes from outside like any other text.
private func printable(_ name: String) -> String {
    CleanText(name).prefix(fitting: 40, ellipsis: true).string
}
