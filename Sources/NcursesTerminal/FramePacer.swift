import Dispatch

/// Why the screen has to be drawn anew.
package enum FrameCause: Hashable, Sendable {
    /// A key, a resize: the answer must be seen at once.
    case input
    /// Something arrived: frames stay 33 ms apart, so that a flood costs 30 frames a second and no more.
    case news
}

/// Decides when the next frame is drawn. One is planned at most, and none while nothing changes.
@MainActor final class FramePacer {
    private static let newsInterval: UInt64 = 33_000_000  // nanoseconds

    private var planned: UInt64?
    private var plan = 0
    private var lastFrame: UInt64 = 0
    var draw: () -> Void = {}

    func invalidate(_ cause: FrameCause) {
        let now = DispatchTime.now().uptimeNanoseconds
        let due = cause == .input ? now : max(now, lastFrame + Self.newsInterval)
        if let planned, planned <= due { return }
        planned = due
        plan += 1
        let plan = plan
        let fire: @Sendable () -> Void = { [weak self] in
            MainActor.assumeIsolated { self?.fire(plan) }
        }
        if due == now {
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
