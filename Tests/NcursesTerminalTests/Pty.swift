import CNcurses
import Dispatch
import Glibc
import Terminal

@testable import NcursesTerminal

/// A pseudo-terminal: the test holds the end a terminal emulator would.
@MainActor final class Pty {
    let path: String
    private let master: Int32
    /// Held open, so that the terminal outlives a session.
    private let slave: Int32
    private let source: any DispatchSourceRead
    private var waiting: (condition: ([UInt8]) -> Bool, continuation: CheckedContinuation<Void, Never>)?
    private(set) var output: [UInt8] = []
    private var isReading = true
    private var isClosed = false

    init(columns: UInt16 = 80, rows: UInt16 = 24) {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        var (locked, number): (Int32, UInt32) = (0, 0)
        _ = ioctl(master, 0x4004_5431, &locked)  // TIOCSPTLCK
        _ = ioctl(master, 0x8004_5430, &number)  // TIOCGPTN
        path = "/dev/pts/\(number)"
        slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        source = DispatchSource.makeReadSource(fileDescriptor: master, queue: .main)
        resize(columns: columns, rows: rows)
        let master = master
        source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.read() } }
        source.setCancelHandler { @Sendable in close(master) }
        source.activate()
    }

    func resize(columns: UInt16, rows: UInt16) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    /// Bytes as if typed.
    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(master, bytes, bytes.count)
    }

    /// Stops taking what the program writes, as a stalled link does.
    func stall() {
        guard isReading else { return }
        isReading = false
        source.suspend()
    }

    func unstall() {
        guard !isReading else { return }
        isReading = true
        source.resume()
    }

    /// The terminal window is closed.
    func hangUp() {
        guard !isClosed else { return }
        isClosed = true
        unstall()
        close(slave)
        source.cancel()
    }

    var modes: termios {
        var modes = termios()
        tcgetattr(slave, &modes)
        return modes
    }

    /// Waits until the bytes written since `mark` satisfy the condition.
    func wait(since mark: Int = 0, _ condition: @escaping ([UInt8]) -> Bool) async {
        let tail = { (output: [UInt8]) in Array(output[mark...]) }
        guard !condition(tail(output)) else { return }
        await withCheckedContinuation { waiting = ({ condition(tail($0)) }, $0) }
    }

    func wait(since mark: Int = 0, for text: String) async {
        await wait(since: mark) { String(decoding: $0, as: UTF8.self).contains(text) }
    }

    private func read() {
        let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
            count = max(Glibc.read(master, buffer.baseAddress, buffer.count), 0)
        }
        output += bytes
        guard let waiting, waiting.condition(output) else { return }
        self.waiting = nil
        waiting.continuation.resume()
    }
}

/// A session on a pty, with what it tells.
@MainActor final class Driven {
    let pty: Pty
    let session: TerminalSession
    private(set) var events: [TerminalEvent] = []
    private(set) var frames = 0
    var text = "hello"
    private var waiting:
        (condition: ([TerminalEvent]) -> Bool, continuation: CheckedContinuation<Void, Never>)?

    init(
        term: String = "xterm-256color", pty: Pty = Pty(), change: (inout TerminalOptions) -> Void = { _ in }
    ) throws {
        var options = TerminalOptions(environment: ["TERM": term, "LANG": "C.UTF-8"])
        options.path = pty.path
        change(&options)
        self.pty = pty
        session = try TerminalSession(options)
    }

    func start() async {
        session.start { [unowned self] size in
            compose(size)
        } receive: { [unowned self] event in
            received(event)
        }
        await pty.wait(for: text)
    }

    private func compose(_ size: Size) -> Frame {
        frames += 1
        var frame = Frame(size: size)
        frame.box(Area(size))
        frame.draw(Line(text, .body), at: Point(column: 1, row: 1), width: max(size.columns - 2, 0))
        return frame
    }

    private func received(_ event: TerminalEvent) {
        events.append(event)
        guard let waiting, waiting.condition(events) else { return }
        self.waiting = nil
        waiting.continuation.resume()
    }

    func wait(_ condition: @escaping ([TerminalEvent]) -> Bool) async {
        guard !condition(events) else { return }
        await withCheckedContinuation { waiting = (condition, $0) }
    }

    /// Lets what is queued on the main actor run.
    func drainMainQueue() async {
        for _ in 0..<50 { await Task.yield() }
    }

    /// Everything typed, in order.
    var input: [InputEvent] { Self.input(events) }

    static func input(_ events: [TerminalEvent]) -> [InputEvent] {
        events.flatMap { event -> [InputEvent] in if case .input(let some) = event { some } else { [] } }
    }
}

extension termios {
    /// What a shell user would notice.
    var flags: [UInt32] { [c_iflag, c_oflag, c_cflag, c_lflag] }
}
