import Glibc

/// The work of a `Relay`, on one thread.
struct RelayLoop: ~Copyable {
    private let listener: Int32
    private let bell: Int32
    private let server: UInt16
    private var links: [RelayLink] = []

    init(listener: Int32, bell: Int32, server: UInt16) {
        self.listener = listener
        self.bell = bell
        self.server = server
    }

    /// Carries bytes until the state is `.ended`.
    mutating func run(state: () -> Relay.State) {
        while true {
            switch state() {
            case .ended: return endAll()
            case .cut: resetAll()
            case .open: break
            }
            wait(state)
        }
    }

    private mutating func wait(_ state: () -> Relay.State) {
        var waiting = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
        waiting.append(pollfd(fd: bell, events: Int16(POLLIN), revents: 0))
        for link in links { waiting += link.interests }
        guard poll(&waiting, nfds_t(waiting.count), -1) > 0 else { return }
        if waiting[1].revents != 0 { silenceBell() }
        for (index, link) in links.enumerated() {
            link.pump(client: waiting[2 + 2 * index].revents, server: waiting[3 + 2 * index].revents)
        }
        links.removeAll { $0.isOver }
        // Asked anew: it may have changed while we waited.
        if waiting[0].revents != 0 { acceptAll(isOpen: state() == .open) }
    }

    private mutating func acceptAll(isOpen: Bool) {
        while true {
            let client = LoopbackSocket.accept(listener)
            guard client >= 0 else { return }
            let upstream = isOpen ? LoopbackSocket.connect(to: server) : -1
            guard upstream >= 0 else {
                LoopbackSocket.reset(client)
                continue
            }
            links.append(RelayLink(client: client, server: upstream))
        }
    }

    private func silenceBell() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while recv(bell, &bytes, bytes.count, Int32(MSG_DONTWAIT)) > 0 {}
    }

    private mutating func endAll() {
        resetAll()
        _ = close(listener)
        _ = close(bell)
    }

    private mutating func resetAll() {
        for link in links { link.reset() }
        links = []
    }
}

/// One client's connection and the one to the server that belongs to it.
final class RelayLink {
    private var toServer: RelayFlow
    private var toClient: RelayFlow
    private(set) var isOver = false

    init(client: Int32, server: Int32) {
        toServer = RelayFlow(from: client, to: server)
        toClient = RelayFlow(from: server, to: client)
    }

    /// What to wait for at the client's end and at the server's.
    var interests: [pollfd] {
        [
            pollfd(fd: toServer.source, events: toServer.readInterest | toClient.writeInterest, revents: 0),
            pollfd(fd: toClient.source, events: toClient.readInterest | toServer.writeInterest, revents: 0),
        ]
    }

    func pump(client: Int16, server: Int16) {
        guard client != 0 || server != 0 else { return }
        let broken = Int16(POLLERR | POLLNVAL)
        let works = (client | server) & broken == 0 && toServer.move() && toClient.move()
        if !works {
            end(LoopbackSocket.reset)
        } else if toServer.isOver, toClient.isOver {
            end { _ = close($0) }  // in good order: what is in the kernel's hands still arrives
        }
    }

    func reset() { end(LoopbackSocket.reset) }

    private func end(_ close: (Int32) -> Void) {
        guard !isOver else { return }
        isOver = true
        close(toServer.source)
        close(toClient.source)
    }
}

/// Bytes in one direction; at most one buffer of them waits.
private struct RelayFlow {
    let source: Int32
    private let target: Int32
    private var waiting: ArraySlice<UInt8> = []
    private var hasEnded = false
    private(set) var isOver = false

    private static let bufferSize = 65_536

    init(from source: Int32, to target: Int32) {
        self.source = source
        self.target = target
    }

    var readInterest: Int16 { waiting.isEmpty && !hasEnded ? Int16(POLLIN) : 0 }
    var writeInterest: Int16 { waiting.isEmpty ? 0 : Int16(POLLOUT) }

    /// Carries what can be carried now.
    /// - Returns: `false` when either end is broken.
    mutating func move() -> Bool {
        guard flush() else { return false }
        while waiting.isEmpty, !hasEnded {
            var bytes = [UInt8](repeating: 0, count: Self.bufferSize)
            let count = recv(source, &bytes, bytes.count, 0)
            if count < 0 { return errno == EAGAIN || errno == EINTR }
            if count == 0 { hasEnded = true } else { waiting = bytes[..<count] }
            guard flush() else { return false }
        }
        return true
    }

    private mutating func flush() -> Bool {
        while !waiting.isEmpty {
            let count = waiting.withUnsafeBytes {
                send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0 { return errno == EAGAIN || errno == EINTR || errno == ENOTCONN }
            waiting = waiting.dropFirst(count)
        }
        if hasEnded, !isOver {
            isOver = true
            _ = shutdown(target, Int32(SHUT_WR))
        }
        return true
    }
}
