import Dispatch

/// Why the screen has to be drawn anew.
package enum FrameCause: Hashable, Sendable {
    /// A key, a resize: the answer must be seen at once.
    case input
    /// The answer to a key is on its way, such as the first page of a thread: the frame waits for it, but no
    /// longer than 25 ms.
    case opening
    /// Something arrived. It is drawn at once, but in a flood not more often than a slow line carries frames.
    case news
}

/// How fast frames for news may follow each other: at once while they are few and small, as a message and the mark
/// that follows it; in a flood no faster than a slow line carries them, so that the frame people wait for finds no
/// other ahead of it on the way, and not more than 30 a second on any line.
struct NewsPace {
    // Times in nanoseconds.
    static let shortest: UInt64 = 33_000_000
    /// However much was written, the next frame is due after so long.
    static let longest: UInt64 = 150_000_000
    /// After so long without a frame the next two may come at once.
    static let rest: UInt64 = 200_000_000
    /// What any line is trusted to carry: 20 kB a second.
    static let nanosecondsPerByte: UInt64 = 50_000
    /// So many bytes may be under way without anybody waiting for them.
    static let allowance: UInt64 = 1_000

    private var lastFrame: UInt64 = 0
    private var nextFrame: UInt64 = 0
    /// When a slow line will have carried all that was written.
    private var carried: UInt64 = 0

    /// When the next one may be drawn, in nanoseconds of uptime.
    func due(at now: UInt64) -> UInt64 {
        let allowed = carried - min(carried, Self.allowance * Self.nanosecondsPerByte)
        return max(now, nextFrame, min(allowed, lastFrame + Self.longest))
    }

    /// A frame was drawn, for whatever cause: it shows the news, too.
    /// - Parameter bytes: What it took, or 0 for an answer to a key: the news behind it shall not wait for that.
    mutating func drew(bytes: Int, at now: UInt64) {
        let isFlood = now - min(now, lastFrame) < Self.rest
        nextFrame = isFlood ? now + Self.shortest : now
        lastFrame = now
        // A backlog is not paid back: who types through a flood would wait the longer for the news.
        carried = min(max(carried, now), now + Self.longest) + UInt64(bytes) * Self.nanosecondsPerByte
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
    /// Draws, and says how many bytes that took.
    var draw: () -> Int = { 0 }

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
        let bytes = draw()
        pace.drew(bytes: cause == .news ? bytes : 0, at: DispatchTime.now().uptimeNanoseconds)
    }
}
