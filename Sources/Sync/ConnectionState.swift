import FoundationEssentials
import Models

/// How the link is, for whoever wants to know, and which conversations to wake when it stands.
///
/// It decides nothing: `SyncCore` says when to try and how long to wait. The outbox here is only a reminder in
/// memory; what waits is in the store, and survives.
package actor ConnectionState {
    package private(set) var status = ConnectionStatus.disconnected
    package private(set) var detail = LinkDetail()
    private var outbox: [UUID] = []
    private let clock: any EngineClock
    private let statuses = Broadcast<ConnectionStatus>(state: .disconnected)
    private let details = Broadcast<LinkDetail>(state: LinkDetail())

    package init(clock: any EngineClock = SystemClock()) {
        self.clock = clock
    }

    /// The status now and each later one; any number of subscribers.
    package nonisolated func statusStream() -> AsyncStream<ConnectionStatus> { statuses.subscribe() }
    package nonisolated func detailStream() -> AsyncStream<LinkDetail> { details.subscribe() }

    package func markConnecting() {
        set(.connecting)
        change { $0.nextTryAt = nil }
    }

    package func markConnected() {
        set(.connected)
        change {
            $0.attempt = 0
            $0.reason = nil
            $0.nextTryAt = nil
        }
    }

    /// - Parameters:
    ///   - problem: Why; `nil` when it was wanted.
    ///   - attempt: Tries that failed in a row.
    package func markDisconnected(because problem: LinkProblem? = nil, attempt: Int = 0) {
        set(.disconnected)
        change {
            $0.attempt = attempt
            $0.reason = problem
            $0.nextTryAt = nil
        }
    }

    /// Waits out the countdown that the detail shows, then is connecting.
    /// - Returns: `false` when the wait was cancelled, or something else happened meanwhile.
    @discardableResult
    package func reconnect(after delay: Duration) async -> Bool {
        guard !Task.isCancelled, status == .disconnected else { return false }
        let due = clock.uptime() + delay
        if delay > .zero {
            let seconds = Double(delay.components.seconds) + Double(delay.components.attoseconds) / 1e18
            change { $0.nextTryAt = clock.wallTime().addingTimeInterval(seconds) }
            await clock.sleep(until: due)
        }
        guard !Task.isCancelled, status == .disconnected else { return false }
        markConnecting()
        return true
    }

    /// Remembers a conversation to wake when the link stands.
    package func enqueue(_ conversationID: UUID) { outbox.append(conversationID) }

    /// Everything enqueued since the last drain, in order. It never suspends, so nothing enqueued meanwhile is lost.
    package func drainOutbox() -> [UUID] {
        let waiting = outbox
        outbox = []
        return waiting
    }

    /// Tells how many operations of the user wait.
    package func setWaitingCount(_ count: Int) { change { $0.waitingCount = count } }

    /// Ends all streams.
    package func close() {
        statuses.finish()
        details.finish()
    }

    private func set(_ status: ConnectionStatus) {
        guard self.status != status else { return }
        self.status = status
        statuses.send(status)
    }

    private func change(_ edit: (inout LinkDetail) -> Void) {
        var changed = detail
        edit(&changed)
        guard changed != detail else { return }
        detail = changed
        details.send(changed)
    }
}
