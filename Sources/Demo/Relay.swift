import Dispatch
import Glibc
import Synchronization

/// A way to a server on this machine that can be cut and mended: bytes in, the same bytes out.
///
/// While it is cut, what was open is reset and what is opened is reset at once, as by a machine that went
/// away. The loop has a queue of its own and waits in `poll`; nothing runs while nothing travels.
final class Relay: Sendable {
    enum State: Sendable {
        case open, cut, ended
    }

    /// Where clients connect, on 127.0.0.1.
    let port: UInt16
    private let state = Mutex(State.open)
    private let bell: Int32
    private let ended: DispatchGroup

    /// Begins to listen on a free port.
    /// - Parameter server: The server's port on 127.0.0.1.
    init(to server: UInt16) throws(DemoError) {
        var pair: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0 else {
            throw .noRelay(code: errno)
        }
        let listener: Int32
        do throws(DemoError) { listener = try LoopbackSocket.listen() } catch {
            for end in pair { _ = close(end) }
            throw error
        }
        port = LoopbackSocket.port(of: listener)
        bell = pair[0]
        ended = DispatchGroup()
        let ring = pair[1]
        LoopbackSocket.prepare(ring)
        ended.enter()
        DispatchQueue(label: "relay").async { @Sendable [self] in
            var loop = RelayLoop(listener: listener, bell: ring, server: server)
            loop.run { self.state.withLock { $0 } }
            ended.leave()
        }
    }

    deinit { _ = close(bell) }

    func cut() { change(to: .cut) }
    func mend() { change(to: .open) }

    /// Resets what is open and returns when nothing of it is left.
    func end() async {
        change(to: .ended)
        await withCheckedContinuation { continuation in
            ended.notify(queue: .global()) { @Sendable in continuation.resume() }
        }
    }

    private func change(to wanted: State) {
        state.withLock { if $0 != .ended { $0 = wanted } }
        var one: UInt8 = 1
        _ = send(bell, &one, 1, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
    }
}
