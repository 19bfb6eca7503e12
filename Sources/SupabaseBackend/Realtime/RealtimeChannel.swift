import FoundationEssentials
import SupabaseWire

/// One topic of one connection. Values only: `RealtimeCore` decides.
struct RealtimeChannel: Sendable {
    enum Kind: Sendable, Equatable {
        /// The change feed; its loss is the loss of the link.
        case inbox
        /// Typing and presence of one conversation.
        case conversation(UUID)
    }

    /// Every phase but the first and the last ends by a frame or a time. Refs are of this connection.
    enum Phase: Sendable, Equatable {
        /// Joins at this time.
        case waiting(until: Duration)
        /// Joins when a newer token than this is there.
        case needsToken(after: String)
        case joining(ref: String, token: String, until: Duration)
        case joined(ref: String, token: String, since: Duration)
        /// Our leave was sent; joins again at `rejoinAt` when it is wanted then.
        case leaving(ref: String, joinRef: String, until: Duration, rejoinAt: Duration)
        /// The server does not want us here.
        case stopped
    }

    /// How the change feed of a joined inbox stands.
    enum Feed: Sendable, Equatable {
        case none
        /// Joined, not attached: the word for it must come before `until`.
        case awaited(until: Duration)
        case attached
        /// The word did not come in time; announced all the same.
        case assumed
        /// The server could not attach; it is left and joined again at `until` unless the word comes first.
        case broken(until: Duration)
    }

    let kind: Kind
    var phase: Phase
    /// Whether somebody holds it. A channel nobody holds goes as soon as its pending exchange ends.
    var isWanted = true
    var backoff = Backoff()
    /// Refusals of our token since the channel was last healthy.
    var tokenRefusals = 0
    /// The next join waits for a token newer than the one refused.
    var renewsFirst = false
    /// What a system error said before the close that follows it.
    var trouble: ChannelTrouble?
    var feed = Feed.none
    var presence = PresenceRoster()
    /// When to say again that we are here.
    var trackAt: Duration?

    init(_ kind: Kind, at now: Duration) {
        self.kind = kind
        phase = .waiting(until: now)
    }

    /// The ref that opened the channel as it is now; closes and errors of any other are not for it.
    var joinRef: String? {
        switch phase {
        case .joining(let ref, _, _), .joined(let ref, _, _), .leaving(_, let ref, _, _): ref
        case .waiting, .needsToken, .stopped: nil
        }
    }

    var deadline: Duration? {
        let phaseEnd: Duration? =
            switch phase {
            case .waiting(let until), .joining(_, _, let until), .leaving(_, _, let until, _): until
            case .needsToken, .joined, .stopped: nil
            }
        let feedEnd: Duration? =
            switch feed {
            case .awaited(let until), .broken(let until): until
            case .none, .attached, .assumed: nil
            }
        // Asked for every channel at every frame: no array for it.
        return Self.earlier(phaseEnd, Self.earlier(feedEnd, trackAt))
    }

    private static func earlier(_ left: Duration?, _ right: Duration?) -> Duration? {
        guard let left, let right else { return left ?? right }
        return min(left, right)
    }
}
