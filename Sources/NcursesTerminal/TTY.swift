import CNcurses
import Glibc
import Terminal

/// The terminal device: its modes and its size.
///
/// It is opened anew, since `O_NONBLOCK` set on standard input or output would be shared with the shell that
/// started us.
@MainActor final class TTY {
    let descriptor: Int32
    private let saved: termios

    /// - Parameter path: A terminal to use instead of the process's own.
    /// - Throws: `.notATerminal`, or `.failed` when it cannot be opened.
    init(path: String?) throws(TerminalError) {
        if path == nil {
            guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { throw .notATerminal }
        }
        let flags = O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY
        // A terminal that is not our controlling one has no /dev/tty for us; its own file works as well.
        let paths = path.map { [$0] } ?? ["/dev/tty", "/proc/self/fd/0"]
        guard let descriptor = paths.lazy.map({ open($0, flags) }).first(where: { $0 >= 0 }) else {
            throw .failed(errno: errno)
        }
        var modes = termios()
        guard tcgetattr(descriptor, &modes) == 0 else {
            close(descriptor)
            throw .notATerminal
        }
        self.descriptor = descriptor
        saved = modes
    }

    deinit { close(descriptor) }

    var savedModes: termios { saved }

    /// Every byte comes as it is typed, none is echoed, none means a signal.
    /// - Returns: Whether the terminal took it.
    func makeRaw() -> Bool {
        var modes = saved
        cfmakeraw(&modes)
        return tcsetattr(descriptor, TCSANOW, &modes) == 0
    }

    func restore() {
        var modes = saved
        tcsetattr(descriptor, TCSANOW, &modes)
    }

    /// The size in cells; 80x24 when the terminal says nothing, never below 1x1 nor above 1000x500.
    var size: Size {
        var window = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
            return Size(columns: 80, rows: 24)
        }
        return Size(columns: Columns(min(Int(window.ws_col), 1_000)), rows: min(Int(window.ws_row), 500))
    }

    /// False for a job in the background, which must not touch the terminal.
    var isForeground: Bool {
        let group = tcgetpgrp(descriptor)
        return group < 0 || group == getpgrp()
    }
}
