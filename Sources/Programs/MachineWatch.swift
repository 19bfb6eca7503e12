import CSystem
import Dispatch
import Glibc
import Synchronization

/// What happened to the machine that a program with links to elsewhere wants to know.
package enum MachineChange: Sendable, Hashable {
    /// The ways out are others than before: another network, a cable, a tunnel.
    case network
    /// The wall clock was set, or the machine woke from a sleep.
    case clock
}

/// Tells of changes to the machine. It costs nothing while there are none: the kernel wakes us.
///
/// Where the kernel refuses a watch, as some sandboxes make it, its changes are never told.
package enum MachineWatch {
    /// A change of network comes in many pieces; after so long without another it is over.
    private static let settling = DispatchTimeInterval.milliseconds(500)

    /// Every change once, however many words the kernel had for it. For one reader; it is watched until that ends.
    package static func changes() -> AsyncStream<MachineChange> {
        let (changes, sink) = AsyncStream<MachineChange>.makeStream(bufferingPolicy: .bufferingNewest(8))
        let queue = DispatchQueue(label: "machine")
        let ways = Ways(queue, settling: settling) { sink.yield(.network) }
        let clock = pl_clock_watch()
        let watches = Mutex([
            source(pl_network_watch(), queue) { ways.touched() },
            source(clock, queue) {
                pl_clock_rearm(clock)
                sink.yield(.clock)
            },
        ])
        sink.onTermination = { _ in watches.withLock { for watch in $0 { watch?.cancel() } } }
        return changes
    }

    private static func source(
        _ descriptor: Int32, _ queue: DispatchQueue, _ changed: @escaping @Sendable () -> Void
    ) -> (any DispatchSourceRead)? {
        guard descriptor >= 0 else { return nil }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { @Sendable in
            pl_drain(descriptor)
            changed()
        }
        source.setCancelHandler { @Sendable in close(descriptor) }
        source.activate()
        return source
    }
}

/// Finds out whether what the kernel told of the network makes a difference: it also tells of addresses that
/// were only confirmed.
private final class Ways: Sendable {
    private struct State {
        var known = pl_network_ways()
        var isSettling = false
    }

    private let queue: DispatchQueue
    private let settling: DispatchTimeInterval
    private let differ: @Sendable () -> Void
    private let state = Mutex(State())

    init(_ queue: DispatchQueue, settling: DispatchTimeInterval, differ: @escaping @Sendable () -> Void) {
        self.queue = queue
        self.settling = settling
        self.differ = differ
    }

    func touched() {
        let isFirst = state.withLock { state in
            defer { state.isSettling = true }
            return !state.isSettling
        }
        guard isFirst else { return }
        queue.asyncAfter(deadline: .now() + settling) { @Sendable [self] in settled() }
    }

    private func settled() {
        let now = pl_network_ways()
        let differs = state.withLock { state in
            defer { (state.known, state.isSettling) = (now, false) }
            return state.known != now
        }
        if differs { differ() }
    }
}
