import FoundationEssentials
import Models
import Sync
import TestSupport
import Testing

@testable import ViewModels

@MainActor @Suite(.timeLimit(.minutes(1))) struct BannerTests {
    private let service = FakeChatService()
    private let clock = ManualClock()
    private var waitUntilTick: @MainActor () -> Bool {
        { [clock] in clock.sleeperCount > 0 }
    }

    private func banner() -> BannerViewModel {
        let banner = BannerViewModel(service: service, time: .manual(clock))
        banner.start()
        return banner
    }

    private func secondsLeft(_ banner: BannerViewModel) -> Int? {
        if case .reconnecting(_, let left, _, _) = banner.state { left } else { nil }
    }

    @Test func theFirstConnectingShowsNoBanner() async {
        let banner = banner()
        service.statuses.send(.connecting)
        await until { banner.status == .connecting }
        #expect(banner.state == .hidden)
        #expect(clock.sleeperCount == 0)
    }

    @Test func theCountdownTicksOnlyWhileItIsShown() async {
        let banner = banner()
        service.statuses.send(.disconnected)
        service.details.send(
            LinkDetail(attempt: 3, reason: .lost, nextTryAt: clock.now.addingTimeInterval(4), waitingCount: 2)
        )
        await until { banner.state != .hidden }
        var seen: [Int] = []
        while let left = secondsLeft(banner), left > 0 {
            seen.append(left)
            await until(waitUntilTick)
            clock.advance(by: 1.01)
            await until { secondsLeft(banner) != left }
        }
        #expect(seen == [4, 3, 2, 1])
        await settle()
        #expect(clock.sleeperCount == 0)
        service.statuses.send(.connected)
        await until { banner.state == .hidden }
        #expect(clock.sleeperCount == 0)
    }

    @Test func backOnlineStaysForThreeSeconds() async {
        let banner = banner()
        service.statuses.send(.connected)
        await until { banner.status == .connected }
        banner.backOnline(sent: 2, received: 5)
        #expect(banner.state == .backOnline(sent: 2, received: 5))
        await until(waitUntilTick)
        clock.advance(by: 2)
        service.details.send(LinkDetail())
        await settle()
        #expect(banner.state == .backOnline(sent: 2, received: 5))
        clock.advance(by: 1.1)
        await until { banner.state == .hidden }
    }

    @Test func aPermanentRefusalSaysWhatToDo() async {
        let banner = banner()
        service.statuses.send(.disconnected)
        service.details.send(LinkDetail(attempt: 1, reason: .signedOut, waitingCount: 1))
        await until { banner.state == .stopped(.signedOut, waiting: 1) }
    }
}
