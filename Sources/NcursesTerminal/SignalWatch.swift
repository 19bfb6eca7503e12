import CNcurses
import Dispatch
import Glibc
import Synchronization

/// Turns signals into calls on the main actor.
///
/// Those that end the program have a queue of their own: if the main actor does not bring the program to its
/// end within a second, because it is stuck, the terminal is given back and the process ends from there.
@MainActor final class SignalWatch {
    nonisolated static let patience = DispatchTimeInterval.seconds(1)
    private static let ending: [Int32] = [SIGTERM, SIGHUP, SIGINT, SIGQUIT]
    private static let others: [Int32] = [SIGWINCH, SIGTSTP, SIGCONT]

    private let keysAreOthers = Mutex(false)
    private var sources: [any DispatchSourceSignal] = []
    /// The window's size has changed.
    var resized: () -> Void = {}
    /// Somebody asked us to stop.
    var stopAsked: () -> Void = {}
    /// We go on after a stop.
    var continued: () -> Void = {}
    /// We are to end; the number of the signal.
    var endAsked: (Int32) -> Void = { _ in }

    /// Another program has the terminal: the signals its keys send to the whole job are meant for it.
    var leavesKeysToOthers: Bool {
        get { keysAreOthers.withLock { $0 } }
        set { keysAreOthers.withLock { $0 = newValue } }
    }

    init() {
        // Ignored before ncurses starts, which would otherwise install handlers of its own.
        for number in Self.ending + Self.others + [SIGPIPE] { signal(number, SIG_IGN) }
        for number in Self.others {
            let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
            source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.received(number) } }
            add(source)
        }
        let queue = DispatchQueue(label: "terminal.ending")
        for number in Self.ending {
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { @Sendable [weak self] in
                if number == SIGINT || number == SIGQUIT, self?.isKeyOfOthers == true { return }
                DispatchQueue.main.async { MainActor.assumeIsolated { self?.endAsked(number) } }
                queue.asyncAfter(deadline: .now() + Self.patience) { @Sendable in pl_guard_exit(128 + number)
                }
            }
            add(source)
        }
    }

    /// The signals stay ignored: the process is about to end.
    func close() {
        for source in sources { source.cancel() }
        sources = []
    }

    private nonisolated var isKeyOfOthers: Bool { keysAreOthers.withLock { $0 } }

    private func add(_ source: any DispatchSourceSignal) {
        source.activate()
        sources.append(source)
    }

    private func received(_ number: Int32) {
        switch number {
        case SIGWINCH: resized()
        case SIGTSTP: stopAsked()
        default: continued()
        }
    }
}

/// Whether a shell waits for this job and can continue it after a stop.
///
/// Without one, say as the only program of a terminal window, a stopped program would be stuck for ever.
func hasJobControl() -> Bool {
    let session = getsid(0)
    return getpgrp() != session && getsid(getppid()) == session
}
