import Dispatch
import Glibc

/// Turns the signals that ask a program to end into a value to wait for.
package struct StopSignals: ~Copyable {
    private let sources: [any DispatchSourceSignal]
    private let arrivals: AsyncStream<Int32>

    /// Watches SIGTERM, SIGINT and SIGHUP from now on; their default action, to kill, is off.
    package init() {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Int32.self, bufferingPolicy: .bufferingNewest(1))
        let queue = DispatchQueue(label: "stop signals")
        arrivals = stream
        sources = [SIGTERM, SIGINT, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { @Sendable in continuation.yield(number) }
            source.activate()
            return source
        }
    }

    deinit {
        for source in sources { source.cancel() }
    }

    /// Returns with the first signal. The next one kills, as if nobody watched.
    package borrowing func wait() async -> Int32 {
        var first = SIGTERM
        for await number in arrivals {
            first = number
            break
        }
        for number in [SIGTERM, SIGINT, SIGHUP] { signal(number, SIG_DFL) }
        return first
    }
}
