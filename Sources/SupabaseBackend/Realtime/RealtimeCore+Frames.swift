import Backend
import FoundationEssentials
import Models
import SupabaseWire

/// What the server's frames mean.
extension RealtimeCore {
    mutating func take(_ frame: RealtimeFrame, _ now: Duration, _ effects: inout [Effect]) {
        guard let channel = channels[frame.topic] else { return }
        switch frame.event {
        case "phx_reply": takeReply(frame, channel, now, &effects)
        case "phx_close": takeClose(frame, channel, now, &effects)
        case "phx_error":
            guard isCurrent(frame, channel) else { return }
            ended(frame.topic, channel, channel.trouble ?? .passing, now, &effects)
        case "system": takeSystem(frame, channel, now, &effects)
        case "broadcast": takeBroadcast(frame, channel, &effects)
        case "presence_state", "presence_diff": takePresence(frame, channel, &effects)
        default: break
        }
    }

    private func isCurrent(_ frame: RealtimeFrame, _ channel: RealtimeChannel) -> Bool {
        frame.ref != nil && frame.ref == channel.joinRef
    }

    private mutating func takeReply(
        _ frame: RealtimeFrame, _ channel: RealtimeChannel, _ now: Duration, _ effects: inout [Effect]
    ) {
        switch channel.phase {
        case .leaving(let ref, _, _, _) where ref == frame.ref: left(frame.topic, now)
        case .joining(let ref, _, _) where ref == frame.ref:
            if frame.payload["status"]?.string == "ok" { return joined(frame.topic, now, &effects) }
            let reason = frame.payload["response"]?["reason"]?.string ?? frame.payload["response"]?.string
            fail(frame.topic, ChannelTrouble(reason: reason ?? ""), now, &effects)
        case .joined(let joinRef, _, _):
            // Our pushes are answered too; only "unmatched topic" says that we are not there any more.
            guard frame.payload["response"]?["reason"]?.string == "unmatched topic",
                let ref = frame.ref.flatMap({ Int($0) }), let joined = Int(joinRef), ref > joined
            else { return }
            fail(frame.topic, .passing, now, &effects)
        case .waiting, .needsToken, .joining, .leaving, .stopped: break
        }
    }

    private mutating func takeClose(
        _ frame: RealtimeFrame, _ channel: RealtimeChannel, _ now: Duration, _ effects: inout [Effect]
    ) {
        guard isCurrent(frame, channel) else { return }
        ended(frame.topic, channel, channel.trouble ?? .passing, now, &effects)
    }

    /// The server ended the channel, as we asked or for a reason of its own.
    private mutating func ended(
        _ topic: String, _ channel: RealtimeChannel, _ trouble: ChannelTrouble, _ now: Duration,
        _ effects: inout [Effect]
    ) {
        if case .leaving = channel.phase { left(topic, now) } else { fail(topic, trouble, now, &effects) }
    }

    private mutating func takeSystem(
        _ frame: RealtimeFrame, _ channel: RealtimeChannel, _ now: Duration, _ effects: inout [Effect]
    ) {
        let isOK = frame.payload["status"]?.string == "ok"
        let text = frame.payload["message"]?.string ?? ""
        switch frame.payload["extension"]?.string {
        case "postgres_changes": takeFeedNews(frame.topic, channel, isOK: isOK, now, &effects)
        case _ where !isOK: channels[frame.topic]?.trouble = ChannelTrouble(systemMessage: text)
        default: break
        }
    }

    private mutating func takeFeedNews(
        _ topic: String, _ channel: RealtimeChannel, isOK: Bool, _ now: Duration, _ effects: inout [Effect]
    ) {
        switch channel.phase {
        case .joining, .joined: break
        case .waiting, .needsToken, .leaving, .stopped: return
        }
        guard channel.kind == .inbox else { return }
        if isOK {
            // The reply of a join may come after it.
            channels[topic]?.feed = .attached
            effects.append(.emit(.live))
        } else {
            loseFeed(topic, &effects)
            // The server tries again by itself after 5 to 10 s; then it is our turn.
            let wait = failureWait(topic, .passing, now)
            channels[topic]?.feed = .broken(until: now + .seconds(10) + wait)
        }
    }

    private func takeBroadcast(
        _ frame: RealtimeFrame, _ channel: RealtimeChannel, _ effects: inout [Effect]
    ) {
        guard case .conversation(let id) = channel.kind, channel.isWanted,
            frame.payload["event"]?.string?.lowercased() == "typing",
            let news = frame.payload["payload"],
            let person = news["user_id"]?.string.flatMap({ UUID(uuidString: $0) }), person != userID
        else { return }
        effects.append(
            .emit(.typing(conversationID: id, userID: person, isTyping: news["on"]?.bool ?? false)))
    }

    private mutating func takePresence(
        _ frame: RealtimeFrame, _ channel: RealtimeChannel, _ effects: inout [Effect]
    ) {
        guard case .conversation(let id) = channel.kind, channel.isWanted else { return }
        var roster = channel.presence
        if frame.event == "presence_state" {
            roster.replace(with: frame.payload)
        } else {
            roster.apply(frame.payload)
        }
        channels[frame.topic]?.presence = roster
        guard roster.users != channel.presence.users || frame.event == "presence_state" else { return }
        effects.append(.emit(.presence(conversationID: id, userIDs: roster.users)))
    }
}
