import FoundationEssentials
import Models

/// The one row under the title that tells how a link is, while there is something to tell.
package enum BannerState: Hashable, Sendable {
    case hidden
    /// The link is down; it is tried again by itself.
    /// - Parameters:
    ///   - attempt: Failed tries so far; 0 before the first.
    ///   - secondsLeft: Whole seconds to the next try; `nil` while one runs.
    ///   - waiting: Operations to be sent.
    case reconnecting(attempt: Int, secondsLeft: Int?, waiting: Int, problem: LinkProblem?)
    /// Trying again does not help; the user has to do something.
    case stopped(LinkProblem, waiting: Int)
    case backOnline(sent: Int, received: Int)

    /// Of several accounts the one whose banner is of more use is shown.
    var weight: Int {
        switch self {
        case .hidden: 0
        case .backOnline: 1
        case .reconnecting: 2
        case .stopped: 3
        }
    }

    /// What to show of a link.
    /// - Parameter wasConnected: The first connecting of all is told by the title alone, while it goes well.
    static func of(
        _ status: ConnectionStatus, _ detail: LinkDetail, wasConnected: Bool, now: Date
    ) -> BannerState {
        guard status != .connected else { return .hidden }
        if let problem = detail.reason, !problem.isTransient {
            return .stopped(problem, waiting: detail.waitingCount)
        }
        guard wasConnected || detail.attempt > 0 || detail.reason != nil else { return .hidden }
        let left = detail.nextTryAt.map { max(Int($0.timeIntervalSince(now).rounded(.up)), 0) }
        return .reconnecting(
            attempt: detail.attempt, secondsLeft: left, waiting: detail.waitingCount, problem: detail.reason)
    }
}
