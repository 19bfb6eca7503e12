import Dispatch
import Glibc
import Terminal

/// Reads the terminal and hands on what was typed, one read at a time.
@MainActor final class InputReader {
    /// A paste whose end mark does not come is ended after this long without more of it.
    private static let pasteTimeout = Duration.seconds(10)
    private static let readSize = 65_536

    private let tty: TTY
    private let escapeDelay: Duration
    private let source: any DispatchSourceRead
    private var parser = InputParser()
    private var pace = PastePace()
    private let clock = ContinuousClock()
    private let startedAt: ContinuousClock.Instant
    private var escapeTimer: DispatchWorkItem?
    private var pasteTimer: DispatchWorkItem?
    private var holdTimer: DispatchWorkItem?
    private var isPaused = true
    private var isClosed = false
    /// The events of one read. Never empty.
    var deliver: ([InputEvent]) -> Void = { _ in }
    /// The terminal is gone: end of file, or a read that fails.
    var gone: () -> Void = {}

    /// Starts paused.
    init(_ tty: TTY, escapeDelay: Duration) {
        self.tty = tty
        self.escapeDelay = escapeDelay
        startedAt = clock.now
        source = DispatchSource.makeReadSource(fileDescriptor: tty.descriptor, queue: .main)
        source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.read() } }
        source.setCancelHandler { _ = tty }  // the descriptor outlives the source
        source.activate()
        source.suspend()
    }

    func resume() {
        guard isPaused, !isClosed else { return }
        isPaused = false
        source.resume()
    }

    /// Leaves what is typed to another program.
    func pause() {
        guard !isPaused, !isClosed else { return }
        isPaused = true
        source.suspend()
        parser = InputParser()
        cancelTimers()
    }

    func close() {
        guard !isClosed else { return }
        if isPaused { source.resume() }  // a suspended source may not be released
        isClosed = true
        cancelTimers()
        source.cancel()
    }

    private func read() {
        guard !isPaused, !isClosed else { return }
        var problem: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.readSize) { buffer, count in
            let result = Glibc.read(tty.descriptor, buffer.baseAddress, buffer.count)
            problem = result < 0 ? errno : 0
            count = max(result, 0)
        }
        if problem == EAGAIN || problem == EINTR { return }
        guard !bytes.isEmpty else { return gone() }
        receive(bytes)
    }

    private func receive(_ bytes: [UInt8]) {
        escapeTimer?.cancel()
        let endsPaste = parser.isPasting && bytes == [0x03]  // Ctrl-c
        let events = endsPaste ? parser.endPaste() : parser.feed(bytes)
        if parser.awaitsEscape { armEscapeTimer() }
        watchPaste(progress: bytes.count)
        holdTimer?.cancel()
        handOn(pace.settle(events, at: startedAt.duration(to: clock.now)))
        guard pace.isHolding else { return }
        holdTimer = after(PastePace.hold) { reader in reader.handOn(reader.pace.release()) }
    }

    private func handOn(_ events: [InputEvent]) {
        if !events.isEmpty { deliver(events) }
    }

    private func armEscapeTimer() {
        escapeTimer = after(escapeDelay) { reader in
            reader.handOn(reader.pace.release() + reader.parser.flushEscape())
            reader.watchPaste(progress: 0)
        }
    }

    /// Single keys are no progress: somebody is trying to get out.
    private func watchPaste(progress: Int) {
        guard parser.isPasting else {
            pasteTimer?.cancel()
            pasteTimer = nil
            return
        }
        guard pasteTimer == nil || progress > 16 else { return }
        pasteTimer?.cancel()
        pasteTimer = after(Self.pasteTimeout) { reader in
            reader.pasteTimer = nil
            reader.handOn(reader.parser.endPaste())
        }
    }

    private func cancelTimers() {
        escapeTimer?.cancel()
        pasteTimer?.cancel()
        holdTimer?.cancel()
        (escapeTimer, pasteTimer, holdTimer) = (nil, nil, nil)
        pace = PastePace()
    }

    private func after(
        _ delay: Duration, _ action: @escaping @MainActor (InputReader) -> Void
    ) -> DispatchWorkItem {
        let item = DispatchWorkItem { [weak self] in
            MainActor.assumeIsolated { if let self, !self.isPaused, !self.isClosed { action(self) } }
        }
        DispatchQueue.main.asyncAfter(deadline: .now() + delay.timeInterval, execute: item)
        return item
    }
}

extension Duration {
    var timeInterval: DispatchTimeInterval {
        .nanoseconds(Int(components.seconds) * 1_000_000_000 + Int(components.attoseconds / 1_000_000_000))
    }
}
