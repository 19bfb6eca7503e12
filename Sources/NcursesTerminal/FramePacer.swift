import Dispatch

/// Why the screen has to be drawn anew.
package enum FrameCause: Hashable, Sendable {
    /// A key, a resize: the answer must be seen at once.
    case input
    /// The answer to a key is on its way, such as the first page of a thread: the frame waits for it, but no
    /// longer than 25 ms.
    case opening
    /// Something arrived: frames stay 33 ms apart, so that a flood costs 30 frames a second and no more.
    case news
}

/// Decides when the next frame is drawn. One is planned at most, and none while nothing changes.
@MainActor final class FramePacer {
    private static let newsInterval: UInt64 = 33_000_000  // nanoseconds
    private static let openingTime: UInt64 = 25_000_000

    private var planned: UInt64?
    private var plan = 0
    private var lastFrame: UInt64 = 0
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
            case .news: max(now, lastFrame + Self.newsInterval)
            }
        if let planned, planned <= due { return }
        planned = due
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
        lastFrame = DispatchTime.now().uptimeNanoseconds
    }
}
