import FoundationEssentials
import Models
import Observation
import Sync

/// The banner of one account. It ticks once a second while a countdown is shown, and never otherwise.
@MainActor @Observable
package final class BannerViewModel {
    package private(set) var state = BannerState.hidden
    /// For the title.
    package private(set) var status = ConnectionStatus.disconnected
    /// Operations that wait to be sent.
    package private(set) var waitingCount = 0
    /// Why the link is down; `nil` while it is not.
    package private(set) var problem: LinkProblem?

    @ObservationIgnored private let service: any ChatService
    @ObservationIgnored private let time: Timekeeper
    @ObservationIgnored private var detail = LinkDetail()
    @ObservationIgnored private var wasConnected = false
    @ObservationIgnored private var followers: [Task<Void, Never>] = []
    @ObservationIgnored private var ticker: Task<Void, Never>?
    @ObservationIgnored private var goodNews: (sent: Int, received: Int, until: Date)?

    /// How long `Back online` stays; seconds.
    static let goodNewsTime: TimeInterval = 3

    package init(service: any ChatService, time: Timekeeper) {
        self.service = service
        self.time = time
    }

    /// Follows the link until `stop()`.
    package func start() {
        stop()
        let service = service
        followers = [
            Task { [weak self] in
                for await status in await service.connectionStatus() { self?.take(status) }
            },
            Task { [weak self] in
                for await detail in await service.linkDetail() { self?.take(detail) }
            },
        ]
    }

    package func stop() {
        for task in followers { task.cancel() }
        followers = []
        ticker?.cancel()
        ticker = nil
    }

    /// Shows for three seconds what the time without a link brought.
    package func backOnline(sent: Int, received: Int) {
        goodNews = (sent, received, time.now().addingTimeInterval(Self.goodNewsTime))
        refresh()
    }

    private func take(_ status: ConnectionStatus) {
        if status == .connected { wasConnected = true } else { goodNews = nil }
        if self.status != status { self.status = status }
        refresh()
    }

    private func take(_ detail: LinkDetail) {
        self.detail = detail
        if waitingCount != detail.waitingCount { waitingCount = detail.waitingCount }
        refresh()
    }

    private func noteProblem() {
        let now = status == .connected ? nil : detail.reason
        if problem != now { problem = now }
    }

    private func refresh() {
        ticker?.cancel()
        ticker = nil
        noteProblem()
        var next = BannerState.of(status, detail, wasConnected: wasConnected, now: time.now())
        if let until = goodNews?.until, until <= time.now() { goodNews = nil }
        if next == .hidden, let goodNews {
            next = .backOnline(sent: goodNews.sent, received: goodNews.received)
        }
        if state != next { state = next }
        scheduleTick()
    }

    private func scheduleTick() {
        let wait: Duration
        switch state {
        case .backOnline: wait = untilGoodNewsEnd
        case .reconnecting(_, let left?, _, _) where left > 0: wait = untilNextSecond(left)
        case .hidden, .reconnecting, .stopped: return
        }
        ticker = Task { [weak self, time] in
            do { try await time.sleep(wait) } catch { return }
            self?.refresh()
        }
    }

    private var untilGoodNewsEnd: Duration {
        let rest = goodNews?.until.timeIntervalSince(time.now()) ?? 0
        return .milliseconds(Int(max(rest, 0) * 1_000) + 1)
    }

    /// The time until the number shown is one less.
    private func untilNextSecond(_ left: Int) -> Duration {
        guard let due = detail.nextTryAt else { return .seconds(1) }
        let rest = due.timeIntervalSince(time.now()) - Double(left - 1)
        return .milliseconds(Int(min(max(rest, 0.02), 1) * 1_000) + 1)
    }
}
