import Dispatch
import Glibc

/// Writes to the terminal without ever waiting for it.
///
/// A terminal that stops reading would otherwise hang the main actor, and no signal would be served. What was
/// once given to `send` is never dropped or cut: a sequence broken off in the middle would garble the screen.
@MainActor final class Outflow {
    private let tty: TTY
    private let source: any DispatchSourceWrite
    private var bytes: [UInt8] = []
    private var sent = 0
    private var isArmed = false
    private var isClosed = false
    /// Called when everything has gone out after a wait.
    var drained: () -> Void = {}
    /// Called when the terminal takes nothing any more.
    var gone: () -> Void = {}

    init(_ tty: TTY) {
        self.tty = tty
        source = DispatchSource.makeWriteSource(fileDescriptor: tty.descriptor, queue: .main)
        source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.pump() } }
        source.setCancelHandler { _ = tty }  // the descriptor outlives the source
        source.activate()
        source.suspend()  // it would fire all the time; it runs only while something waits
    }

    /// Bytes wait for the terminal.
    var isBusy: Bool { sent < bytes.count }

    func send(_ more: [UInt8]) {
        guard !isClosed, !more.isEmpty else { return }
        if isBusy {
            bytes += more
            return
        }
        (bytes, sent) = (more, 0)
        pump()
    }

    /// Drops what waits; only right before the screen is given back or painted whole.
    func discard() {
        (bytes, sent) = ([], 0)
        disarm()
    }

    func close() {
        guard !isClosed else { return }
        discard()
        isClosed = true
        source.resume()  // a suspended source may not be released
        source.cancel()
    }

    private func pump() {
        while isBusy {
            let count = bytes.withUnsafeBytes { buffer in
                write(tty.descriptor, buffer.baseAddress?.advanced(by: sent), buffer.count - sent)
            }
            if count > 0 {
                sent += count
            } else if count < 0, errno == EINTR {
                continue
            } else if count < 0, errno == EAGAIN {
                return arm()
            } else {
                discard()
                return gone()
            }
        }
        let hadWaited = isArmed
        discard()
        if hadWaited { drained() }
    }

    private func arm() {
        guard !isArmed else { return }
        isArmed = true
        source.resume()
    }

    private func disarm() {
        guard isArmed else { return }
        isArmed = false
        source.suspend()
    }
}
