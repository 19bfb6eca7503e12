import Backend
import FoundationEssentials
import Models
import SupabaseWire

/// Joining, leaving and joining again.
extension RealtimeCore {
    // MARK: Wishes

    mutating func hold(only ids: Set<UUID>, _ now: Duration, _ effects: inout [Effect]) {
        for topic in topics {
            guard case .conversation(let id)? = channels[topic]?.kind, !ids.contains(id) else { continue }
            release(id, now, &effects)
        }
        for id in ids { hold(id, now) }
    }

    private mutating func hold(_ id: UUID, _ now: Duration) {
        let topic = RealtimeFrames.topic(id)
        guard channels[topic] == nil else {
            channels[topic]?.isWanted = true  // its leave, or its join, is still under way
            return
        }
        channels[topic] = RealtimeChannel(.conversation(id), at: now)
    }

    /// The channel goes at once; where an exchange is pending, with the end of that.
    private mutating func release(_ id: UUID, _ now: Duration, _ effects: inout [Effect]) {
        let topic = RealtimeFrames.topic(id)
        guard var channel = channels[topic] else { return }
        channel.isWanted = false
        channels[topic] = channel
        switch channel.phase {
        case .waiting, .needsToken, .stopped: channels[topic] = nil
        case .joined: leave(topic, rejoinAt: now, now, &effects)
        case .joining, .leaving: break
        }
    }

    mutating func type(_ isTyping: Bool, _ id: UUID, _ now: Duration, _ effects: inout [Effect]) {
        let topic = RealtimeFrames.topic(id)
        guard let channel = channels[topic], channel.isWanted, case .joined(let joinRef, _, _) = channel.phase
        else { return }
        let frame = RealtimeFrames.typing(
            isTyping, by: userID, topic: topic, ref: nextRef(), joinRef: joinRef)
        send(frame, now, &effects)
    }

    // MARK: Time

    /// Does what is due on one channel.
    mutating func advance(_ topic: String, _ now: Duration, _ effects: inout [Effect]) {
        guard let channel = channels[topic] else { return }
        switch channel.phase {
        case .waiting(let until) where now >= until: join(topic, now, &effects)
        case .joining(let ref, _, let until) where now >= until:
            // The answer may still come, and then nobody would leave the channel it opens.
            let wait = failureWait(topic, .passing, now)
            leave(topic, joinRef: ref, rejoinAt: now + wait, now, &effects)
        case .leaving(_, _, let until, _) where now >= until: left(topic, now)
        case .joined: advanceJoined(topic, channel, now, &effects)
        case .waiting, .joining, .leaving, .needsToken, .stopped: break
        }
        // Leaving and waiting may have come due at the same time.
        if case .waiting(let until)? = channels[topic]?.phase, now >= until, !hasEnded {
            join(topic, now, &effects)
        }
    }

    private mutating func advanceJoined(
        _ topic: String, _ channel: RealtimeChannel, _ now: Duration, _ effects: inout [Effect]
    ) {
        switch channel.feed {
        case .awaited(let until) where now >= until:
            channels[topic]?.feed = .assumed
            effects.append(.emit(.live))
        case .broken(let until) where now >= until:
            leave(topic, rejoinAt: now, now, &effects)
        case .none, .awaited, .attached, .assumed, .broken: break
        }
        if let due = channel.trackAt, now >= due { track(topic, now, &effects) }
    }

    // MARK: Joining and leaving

    private mutating func join(_ topic: String, _ now: Duration, _ effects: inout [Effect]) {
        guard var channel = channels[topic] else { return }
        if channel.renewsFirst {
            channel.renewsFirst = false
            channel.phase = .needsToken(after: token)
            channels[topic] = channel
            effects.append(.renewToken(token))
            return
        }
        let ref = nextRef()
        channel.phase = .joining(ref: ref, token: token, until: now + Self.replyLimit)
        channel.trouble = nil
        channel.feed = .none
        channel.presence.reset()
        channels[topic] = channel
        let frame = RealtimeFrames.join(channel.kind, topic: topic, ref: ref, token: token, userID: userID)
        send(frame, now, &effects)
    }

    mutating func leave(
        _ topic: String, joinRef: String? = nil, rejoinAt: Duration, _ now: Duration,
        _ effects: inout [Effect]
    ) {
        guard let joined = joinRef ?? channels[topic]?.joinRef else { return }
        let ref = nextRef()
        channels[topic]?.phase = .leaving(
            ref: ref, joinRef: joined, until: now + Self.replyLimit, rejoinAt: rejoinAt)
        channels[topic]?.feed = .none
        channels[topic]?.trackAt = nil
        send(RealtimeFrames.leave(topic: topic, ref: ref, joinRef: joined), now, &effects)
    }

    /// The leave was answered, or will never be.
    mutating func left(_ topic: String, _ now: Duration) {
        guard let channel = channels[topic], case .leaving(_, _, _, let rejoinAt) = channel.phase else {
            return
        }
        if channel.isWanted {
            channels[topic]?.phase = .waiting(until: max(rejoinAt, now))
        } else {
            channels[topic] = nil
        }
    }

    mutating func joined(_ topic: String, _ now: Duration, _ effects: inout [Effect]) {
        guard let channel = channels[topic], case .joining(let ref, let used, _) = channel.phase else {
            return
        }
        channels[topic]?.phase = .joined(ref: ref, token: used, since: now)
        guard channel.isWanted else { return leave(topic, rejoinAt: now, now, &effects) }
        switch channel.kind {
        case .inbox:
            if channel.feed == .none { channels[topic]?.feed = .awaited(until: now + Self.feedLimit) }
        case .conversation(let id):
            channels[topic]?.trackAt = max(now, (tracks[id] ?? now - Self.trackPause) + Self.trackPause)
        }
        if used != token { push(token, to: topic, now, &effects) }  // renewed while the join was pending
    }

    private mutating func track(_ topic: String, _ now: Duration, _ effects: inout [Effect]) {
        guard let channel = channels[topic], case .conversation(let id) = channel.kind,
            case .joined(let joinRef, _, _) = channel.phase
        else { return }
        channels[topic]?.trackAt = nil
        tracks = tracks.filter { now - $0.value < Self.trackPause }
        tracks[id] = now
        send(RealtimeFrames.track(topic: topic, ref: nextRef(), joinRef: joinRef), now, &effects)
    }

    // MARK: Failure

    /// The channel is not joined any more, or was not let in.
    mutating func fail(_ topic: String, _ trouble: ChannelTrouble, _ now: Duration, _ effects: inout [Effect])
    {
        guard let channel = channels[topic] else { return }
        guard channel.isWanted else {
            channels[topic] = nil
            return
        }
        loseFeed(topic, &effects)
        channels[topic]?.trackAt = nil
        switch trouble {
        case .forbidden: stop(topic, channel, &effects)
        case .badToken where channel.tokenRefusals > 0 && channel.kind == .inbox: end(.signedOut, &effects)
        case .oldToken, .badToken: refuseToken(topic, channel, now, &effects)
        case .rateLimited, .passing:
            let wait = failureWait(topic, trouble, now)
            channels[topic]?.phase = .waiting(until: now + wait)
        }
    }

    /// Counts one more failure, from zero after a healthy time.
    mutating func failureWait(_ topic: String, _ trouble: ChannelTrouble, _ now: Duration) -> Duration {
        guard var channel = channels[topic] else { return .zero }
        if case .joined(_, _, let since) = channel.phase, now - since >= Backoff.healthy {
            channel.backoff.reset()
            channel.tokenRefusals = 0
        }
        let floor = trouble == .rateLimited ? Backoff.rateLimitFloor : .zero
        let wait = channel.backoff.next(jitter: jitter(), atLeast: floor)
        channels[topic] = channel
        return wait
    }

    private mutating func stop(_ topic: String, _ channel: RealtimeChannel, _ effects: inout [Effect]) {
        switch channel.kind {
        case .inbox: end(.refused, &effects)
        case .conversation(let id):
            channels[topic]?.phase = .stopped
            if !channel.presence.users.isEmpty {
                effects.append(.emit(.presence(conversationID: id, userIDs: [])))
            }
        }
    }

    mutating func loseFeed(_ topic: String, _ effects: inout [Effect]) {
        guard let channel = channels[topic], channel.kind == .inbox else { return }
        if channel.feed == .attached || channel.feed == .assumed { effects.append(.emit(.feedLost)) }
        channels[topic]?.feed = .none
    }
}
