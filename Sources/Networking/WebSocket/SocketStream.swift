import Glibc

/// A socket that somebody else opened and somebody else will close.
final class SocketStream: ByteStream {
    let descriptor: Int32
    private let onClosed: @Sendable () -> Void

    /// - Parameter onClosed: Called once, when the socket is no longer used or watched: it closes it.
    init(_ descriptor: Int32, onClosed: @escaping @Sendable () -> Void) {
        self.descriptor = descriptor
        self.onClosed = onClosed
        let flags = fcntl(descriptor, F_GETFL)
        if flags >= 0, flags & O_NONBLOCK == 0 { _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) }
        setTCPOptions()
    }

    deinit {
        onClosed()
    }

    func read(into room: UnsafeMutableRawBufferPointer) -> StreamStep {
        while true {
            let count = recv(descriptor, room.baseAddress, room.count, 0)
            if count > 0 { return .moved(count) }
            if count == 0 { return .ended }
            if errno == EINTR { continue }
            return errno == EAGAIN ? .wouldBlock : .failed
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> StreamStep {
        while true {
            let count = send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            if count >= 0 { return .moved(count) }
            if errno == EINTR { continue }
            return errno == EAGAIN ? .wouldBlock : .failed
        }
    }

    func finishWriting() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Small frames at once, and a dead peer noticed by the kernel. On a socket of another kind these do
    /// nothing.
    private func setTCPOptions() {
        set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        set(SOL_SOCKET, SO_KEEPALIVE, 1)
        set(Int32(IPPROTO_TCP), TCP_KEEPIDLE, 60)
        set(Int32(IPPROTO_TCP), TCP_KEEPINTVL, 15)
        set(Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, 30_000)
    }

    private func set(_ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        _ = setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}
