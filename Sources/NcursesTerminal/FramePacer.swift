import Dispatch

/// Why the screen has to be drawn anew.
package enum FrameCause: Hashable, Sendable {
    /// A key, a resize: the answer must be seen at once.
    case input
    /// The answer to a key is on its way, such as the first page of a thread: the frame waits for it, but no
    /// longer than 25 ms.
    case opening
    /// Something arrived. A few frames may come at once, for a change and the one that follows from it; in a flood
    /// they stay 33 ms apart, so that it costs 30 frames a second and no more.
    case news
}

/// How fast frames for news may follow each other: two at once after a rest, then 33 ms apart, and farther and
/// farther, up to 100 ms, while a flood goes on: on a slow line what nobody can read keeps what they wait for away.
struct NewsPace {
    // All in nanoseconds.
    static let shortest: UInt64 = 33_000_000
    static let longest: UInt64 = 100_000_000
    /// After so long without a frame the pace is the first one again.
    static let rest: UInt64 = 200_000_000

    private var interval = shortest
    private var lastFrame: UInt64 = 0
    private var nextFrame: UInt64 = 0

    /// When the next one may be drawn, in nanoseconds of uptime.
    func due(at now: UInt64) -> UInt64 { max(now, nextFrame) }

    /// A frame was drawn, for another cause: it shows the news, too.
    mutating func drew(at now: UInt64) {
        defer { lastFrame = now }
        guard now - min(now, lastFrame) < Self.rest else {
            // The change that follows from this one is drawn at once.
            (interval, nextFrame) = (Self.shortest, now)
            return
        }
        nextFrame = now + interval
    }

    /// A frame was drawn for news alone.
    mutating func drewNews(at now: UInt64) {
        let isFlood = now - min(now, lastFrame) < Self.rest
        drew(at: now)
        if isFlood { interval = min(interval * 3 / 2, Self.longest) }
    }
}

/// Decides when the next frame is drawn. One is planned at most, and none while nothing changes.
@MainActor final class FramePacer {
    private static let openingTime: UInt64 = 25_000_000  // nanoseconds

    private var planned: UInt64?
    private var cause = FrameCause.input
    private var plan = 0
    private var pace = NewsPace()
    private var isInTurn = false
    var draw: () -> Void = {}

    /// Runs `body`; a frame it asks for at once is drawn right behind it, not in another turn of the queue.
    func turn(_ body: () -> Void) {
        isInTurn = true
        body()
        isInTurn = false
        guard let planned, planned <= DispatchTime.now().uptimeNanoseconds else { return }
        fire(plan)
    }

    func invalidate(_ cause: FrameCause) {
        let now = DispatchTime.now().uptimeNanoseconds
        let due =
            switch cause {
            case .input: now
            case .opening: now + Self.openingTime
            case .news: pace.due(at: now)
            }
        if let planned, planned <= due { return }
        planned = due
        self.cause = cause
        plan += 1
        if isInTurn, due == now { return }
        schedule(plan, at: due, isNow: due == now)
    }

    private func schedule(_ plan: Int, at due: UInt64, isNow: Bool) {
        let fire: @Sendable () -> Void = { [weak self] in
            MainActor.assumeIsolated { self?.fire(plan) }
        }
        if isNow {
            DispatchQueue.main.async(execute: fire)
        } else {
            DispatchQueue.main.asyncAfter(deadline: .init(uptimeNanoseconds: due), execute: fire)
        }
    }

    private func fire(_ number: Int) {
        guard number == plan, planned != nil else { return }  // an earlier frame took its place
        planned = nil
        draw()
        let now = DispatchTime.now().uptimeNanoseconds
        if cause == .news { pace.drewNews(at: now) } else { pace.drew(at: now) }
    }
}
