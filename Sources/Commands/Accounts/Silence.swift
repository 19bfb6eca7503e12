import Dispatch
import Glibc
import Synchronization

/// A terminal that does not show what is typed, until `end`, or until a signal ends or stops the program: whatever
/// comes, the shell gets a terminal that shows it.
struct Silence {
    private static let watched = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]

    private let echo: Echo
    private let sources: [any DispatchSourceSignal]

    /// - Returns: `nil` when the terminal cannot be told.
    init?(of terminal: Int32, showing question: String, on output: Int32) {
        guard let echo = Echo(of: terminal, showing: question, on: output) else { return nil }
        self.echo = echo
        let queue = DispatchQueue(label: "silence")
        sources = Self.watched.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { @Sendable in echo.take(number) }
            source.activate()
            return source
        }
        echo.hide()
    }

    /// Shows again what is typed.
    func end() {
        for source in sources { source.cancel() }
        echo.end()
        for number in Self.watched { signal(number, SIG_DFL) }
    }
}

/// Whether a terminal shows what is typed. Signals come on a queue of their own.
private final class Echo: Sendable {
    private let terminal: Int32
    private let output: Int32
    private let question: String
    private let before: termios
    private let hasEnded = Mutex(false)

    init?(of terminal: Int32, showing question: String, on output: Int32) {
        var before = termios()
        guard tcgetattr(terminal, &before) == 0 else { return nil }
        self.terminal = terminal
        self.output = output
        self.question = question
        self.before = before
    }

    /// First silent, then the question: nothing that answers it is shown.
    func hide() {
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        silent.c_lflag |= tcflag_t(ECHONL)  // the end of the line is
        tcsetattr(terminal, TCSAFLUSH, &silent)
        Console(output: output, errors: output).print(Array(question.utf8))
    }

    func end() {
        hasEnded.withLock { hasEnded in
            restore()
            hasEnded = true
        }
    }

    /// Who ends us learns what did it, as if nobody had watched.
    func take(_ number: Int32) {
        hasEnded.withLock { hasEnded in
            guard !hasEnded else { return }
            restore()
            guard number == SIGTSTP else {
                Console(output: output, errors: output).print([0x0A])
                signal(number, SIG_DFL)
                kill(getpid(), number)
                return
            }
            raise(SIGSTOP)  // this very thread stops here; `kill` might let it run on a little
            hide()  // the shell brought us back
        }
    }

    private func restore() {
        var before = before
        tcsetattr(terminal, TCSADRAIN, &before)
    }
}
