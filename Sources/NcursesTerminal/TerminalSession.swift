import CNcurses
import Dispatch
import Glibc
import Terminal

/// The terminal while it is ours: takes it, paints frames, reads keys, and gives it back whatever happens.
///
/// One at a time. It is given back by `leave()`, at `exit`, on a crash, and one second after a signal that
/// the program did not follow. The caller never writes to the terminal itself; nothing may print meanwhile.
@MainActor package final class TerminalSession {
    enum Possession { case notYet, held, suspended, lent, closed }

    /// The screen's size in cells.
    package private(set) var size: Size
    /// A change is shown with the next frame.
    package var theme: Theme { didSet { if theme != oldValue { invalidate(.news) } } }
    /// What people should know about this terminal, such as that its name is unknown.
    package let notice: CleanText?
    /// The terminal reads no UTF-8: frames are drawn with ASCII.
    package let isASCII: Bool
    /// How many colours it shows; `.none` also when nobody wants any.
    package var colorDepth: ColorDepth { theme == .monochrome ? .none : painter.depth }

    private let tty: TTY
    private let painter: Painter
    let modes: ModeSequences
    let outflow: Outflow
    private let reader: InputReader
    private let pacer = FramePacer()
    private let signals: SignalWatch?
    private let isSynchronised: Bool
    var usesMouse: Bool
    var title: CleanText?
    var possession = Possession.notYet
    private var owesFrame = false
    /// Goes out ahead of the frame that is being drawn, in the same write; `nil` while none is.
    var aheadOfFrame: [UInt8]?
    /// The modes are on and were not left: what stopped us did so without asking.
    private var isEntered = false
    private var compose: (Size) -> Frame = { Frame(size: $0) }
    private var receive: (TerminalEvent) -> Void = { _ in }

    /// Prepares everything that can fail. The terminal is not touched before `start`.
    package init(_ options: TerminalOptions) throws(TerminalError) {
        let environment = TerminalEnvironment(options.environment)
        let tty = try TTY(path: options.path)
        if environment.name == "dumb" { throw .dumb }
        guard let name = environment.candidates.first(where: { pl_knows_terminal($0) }) else {
            throw .noDescription(name: environment.name ?? "")
        }
        signals = options.path == nil ? SignalWatch() : nil
        let noColor = Theme.chosen(options.theme.rawValue, noColor: environment.noColor)
        let size = tty.size
        painter = try Painter(
            name: name, size: size, onlyASCII: !environment.isUTF8, depth: environment.depth(colors:))
        modes = ModeSequences(name: name, hasExtendedTitles: pl_flag("XT"), mustWrap: mustWrap()) {
            pl_string($0).map { String(cString: $0) }
        }
        self.tty = tty
        self.size = size
        theme = noColor
        isASCII = painter.isASCII
        notice = environment.notice(using: name)
        outflow = Outflow(tty)
        reader = InputReader(tty, escapeDelay: options.escapeDelay ?? environment.escapeDelay)
        isSynchronised = options.isSynchronised
        usesMouse = options.usesMouse
        if options.path == nil { pl_guard_install() }
        connect()
    }

    private func connect() {
        outflow.drained = { [weak self] in self?.drained() }
        outflow.gone = { [weak self] in self?.lost() }
        reader.gone = { [weak self] in self?.lost() }
        reader.deliver = { [weak self] events in
            self?.pacer.turn { self?.receive(.input(events)) }
        }
        pacer.draw = { [weak self] in self?.draw() ?? 0 }
        signals?.resized = { [weak self] in self?.checkSize() }
        signals?.stopAsked = { [weak self] in self?.stop { kill(getpid(), SIGSTOP) } }
        signals?.continued = { [weak self] in self?.continued() }
        signals?.endAsked = { [weak self] in self?.receive(.endRequested(signal: $0)) }
    }

    /// Takes the terminal and draws the first frame.
    /// - Parameters:
    ///   - compose: Makes the frame to show, of the size given. Called on the main actor when a frame is due.
    ///   - receive: Told what happens. After `.gone` and `.endRequested` the caller ends the program.
    package func start(compose: @escaping (Size) -> Frame, receive: @escaping (TerminalEvent) -> Void) {
        guard possession == .notYet else { return }
        self.compose = compose
        self.receive = receive
        take()
    }

    /// Something to be drawn has changed. Any number of calls make one frame.
    package func invalidate(_ cause: FrameCause) {
        guard possession == .held else { return }
        pacer.invalidate(cause)
    }

    /// Paints everything anew, in case something else has written to the terminal.
    package func redraw() {
        painter.repaint(at: size)
        invalidate(.input)
    }

    /// Looks whether the window's size has changed. A `SIGWINCH` does this by itself.
    package func checkSize() {
        guard possession == .held else { return }
        let now = tty.size
        painter.repaint(at: now)
        if now != size {
            size = now
            receive(.resized(now))
        }
        invalidate(.input)
    }

    /// - Returns: How many bytes went out.
    @discardableResult private func draw() -> Int {
        guard possession == .held else { return 0 }
        guard !outflow.isBusy else {
            owesFrame = true
            return 0
        }
        owesFrame = false
        aheadOfFrame = []
        let frame = compose(size)
        let ahead = aheadOfFrame ?? []
        aheadOfFrame = nil
        let bytes = painter.paint(frame, theme: theme)
        let isGuarded = isSynchronised && bytes.count > 64
        outflow.send(
            isGuarded
                ? ahead + ModeSequences.beginSynchronised + bytes + ModeSequences.endSynchronised
                : ahead + bytes)
        return ahead.count + bytes.count
    }

    private func drained() {
        if owesFrame { draw() }
    }

    // MARK: Taking and giving back

    private func take() {
        guard tty.makeRaw() else { return lost() }
        var saved = tty.savedModes
        modes.leave.withUnsafeBufferPointer { leave in
            pl_guard_arm(tty.descriptor, &saved, leave.baseAddress, leave.count)
        }
        possession = .held
        signals?.leavesKeysToOthers = false
        size = tty.size
        outflow.send(
            (isEntered ? modes.leave : []) + modes.enter + (usesMouse ? ModeSequences.mouse(true) : []))
        isEntered = true
        if let title { show(title) }
        painter.repaint(at: size)
        reader.resume()
        pacer.invalidate(.input)
    }

    private func give(_ next: Possession) {
        isEntered = false
        signals?.leavesKeysToOthers = next == .lent
        reader.pause()
        outflow.discard()
        pl_guard_leave()
        possession = next
    }

    /// Gives the terminal back for good. Does nothing the second time.
    package func leave() {
        guard possession != .closed else { return }
        let wasStarted = possession != .notYet
        give(.closed)
        if wasStarted { signals?.close() }
        reader.close()
        outflow.close()
        painter.close()
    }

    private func lost() {
        guard possession != .closed else { return }
        leave()
        receive(.gone)
    }

    /// Gives the terminal back and stops the job, as Ctrl-z does, until the shell continues it.
    /// - Returns: False when there is no shell that could, and nothing was done.
    @discardableResult package func suspend() -> Bool {
        guard possession == .held, hasJobControl() else { return false }
        stop { kill(0, SIGSTOP) }  // the whole job, so that its shell takes notice
        return true
    }

    private func stop(_ stopping: () -> Int32) {
        if possession == .held { give(.suspended) }
        _ = stopping()
    }

    private func continued() {
        switch possession {
        case .notYet, .lent, .closed: return
        case .held, .suspended: break
        }
        guard tty.isForeground else {
            // Continued in the background: the terminal is somebody else's.
            possession = .suspended
            pl_guard_disarm()
            reader.pause()
            kill(getpid(), SIGSTOP)
            return
        }
        let before = size
        reader.pause()
        take()
        if possession == .held {
            if size != before { receive(.resized(size)) }
            receive(.resumed)
        }
    }

    /// Lends the terminal to another program, such as an editor, while `body` runs. Nothing is painted and no
    /// key read meanwhile; afterwards the screen is painted whole at the size it has then.
    package func withTerminalReleased<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        guard possession == .held else { return try await body() }
        give(.lent)
        let before = size
        defer {
            if possession == .lent {
                take()
                if size != before { receive(.resized(size)) }
            }
        }
        return try await body()
    }
}
