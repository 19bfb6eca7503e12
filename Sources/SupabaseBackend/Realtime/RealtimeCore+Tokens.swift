import Backend
import FoundationEssentials
import Models
import SupabaseWire

/// What a new, an old and a refused token mean to the channels.
extension RealtimeCore {
    /// Pushes the token to every joined channel and lets those go on that waited for it.
    mutating func renewed(_ new: String, checkAt: Duration, _ now: Duration, _ effects: inout [Effect]) {
        tokenCheckAt = max(checkAt, now + .seconds(1))
        guard new != token else { return }
        token = new
        for topic in topics {
            switch channels[topic]?.phase {
            case .joined: push(new, to: topic, now, &effects)
            case .needsToken: channels[topic]?.phase = .waiting(until: now)
            case .waiting, .joining, .leaving, .stopped, nil: break
            }
        }
    }

    mutating func push(_ token: String, to topic: String, _ now: Duration, _ effects: inout [Effect]) {
        guard case .joined(let joinRef, _, let since)? = channels[topic]?.phase else { return }
        channels[topic]?.phase = .joined(ref: joinRef, token: token, since: since)
        let frame = RealtimeFrames.accessToken(token, topic: topic, ref: nextRef(), joinRef: joinRef)
        send(frame, now, &effects)
    }

    mutating func tokenFailed(isFinal: Bool, _ now: Duration, _ effects: inout [Effect]) {
        guard !isFinal else { return end(.signedOut, &effects) }
        for topic in topics {
            guard case .needsToken? = channels[topic]?.phase else { continue }
            let wait = failureWait(topic, .passing, now)
            channels[topic]?.renewsFirst = true
            channels[topic]?.phase = .waiting(until: now + wait)
        }
    }

    /// The server did not take the token this channel was joined with, or does not any more.
    mutating func refuseToken(
        _ topic: String, _ channel: RealtimeChannel, _ now: Duration, _ effects: inout [Effect]
    ) {
        let used: String =
            switch channel.phase {
            case .joining(_, let token, _), .joined(_, let token, _): token
            case .waiting, .needsToken, .leaving, .stopped: token
            }
        let wait = failureWait(topic, .oldToken, now)
        channels[topic]?.tokenRefusals += 1
        if used != token {
            channels[topic]?.phase = .waiting(until: now + wait)
        } else if wait == .zero {
            channels[topic]?.phase = .needsToken(after: used)
            effects.append(.renewToken(used))
        } else {
            channels[topic]?.renewsFirst = true
            channels[topic]?.phase = .waiting(until: now + wait)
        }
    }
}
