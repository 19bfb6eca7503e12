import Backend
import FoundationEssentials
import Models

/// All decisions of the engine, as a value: what happens and when in, what to do out. No I/O, no clock.
///
/// `now` is an uptime; it never moves back. After each event `nextDeadline` says when to send `.tick`.
package struct SyncCore: Sendable {
    var link: LinkCore
    var catchUp: CatchUpCore
    var delivery: DeliveryCore
    var threads = ThreadCore()
    /// The link came back, and that is not told yet.
    private var hasReturn = false

    /// - Parameter generator: Spreads the retries.
    package init(generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()) {
        link = LinkCore(generator: generator)
        catchUp = CatchUpCore(generator: generator)
        delivery = DeliveryCore(generator: generator)
    }

    package var isConnected: Bool { link.isLive }

    /// When the first operation of a conversation is tried again; `nil` when it does not wait for its time.
    package func nextTry(in id: UUID) -> Duration? { link.isLive ? delivery.nextTry(in: id) : nil }

    /// When something is due by itself; `nil`: never.
    package var nextDeadline: Duration? {
        [link.deadline, catchUp.deadline, delivery.deadline, threads.deadline].compactMap { $0 }.min()
    }

    /// Who types in a conversation now, the account's own devices included.
    package func typing(in id: UUID) -> [UUID] { threads.shown(in: id) }
    package func presence(in id: UUID) -> Set<UUID> { threads.presence(in: id) }

    /// Conversations in which messages may be missing before the next live one.
    package func unsure(among conversations: some Sequence<UUID>) -> Set<UUID> {
        Set(conversations.filter { !catchUp.isSure($0) })
    }

    package mutating func handle(_ event: SyncEvent, now: Duration) -> [SyncEffect] {
        var effects = decide(event, now: now)
        effects += tellBackOnline()
        return effects
    }

    private mutating func decide(_ event: SyncEvent, now: Duration) -> [SyncEffect] {
        switch event {
        case .started, .linkOpened, .linkFailed, .live, .feedLost, .linkEnded, .retryDue, .reconnect:
            return decideLink(event, now: now)
        case .heads, .headsFailed, .changes, .newest, .kept, .jobFailed, .keepFailed, .listDoubted,
            .conversationNotice:
            return catchUp.handle(event, open: threads.open, now: now)
        case .liveRows(let versions):
            catchUp.saw(versions)
            return []
        case .heard(let senders): return threads.stopTyping(senders)
        case .list(let ids):
            catchUp.listed = ids
            return threads.list(ids)
        case .opened(let id):
            return threads.opened(id) + catchUp.opened(id) + (link.isLive ? [.fetchMembers(id)] : [])
        case .closed(let id): return threads.closed(id)
        case .typing, .presence, .typed, .wrote:
            return threads.handle(event, isLive: link.isLive, now: now)
        case .enqueued(let id): return delivery.enqueued(id, isLive: link.isLive)
        case .waiting(let ids): return link.isLive ? delivery.wake(ids) : []
        case .delivered(_, .waitForSignIn): return signedOut(event, now: now)
        case .delivered(let id, let end): return delivery.ended(id, end, isLive: link.isLive, now: now)
        case .tick: return tick(now: now)
        }
    }

    private mutating func decideLink(_ event: SyncEvent, now: Duration) -> [SyncEffect] {
        let hadTrouble = link.hasTrouble
        let wasLive = link.isLive
        var effects = link.handle(event, now: now)
        switch event {
        case .live:
            if hadTrouble { hasReturn = true }
            effects += delivery.look() + catchUp.begin(now: now)
        case .reconnect where wasLive:
            effects += [.checkLink] + delivery.look() + catchUp.begin(now: now)
        case .feedLost, .linkFailed, .linkEnded:
            catchUp.stop()
            effects += [.forgetFetches] + threads.linkLost()
            if case .feedLost = event {} else { hasReturn = false }
        case .started, .linkOpened, .retryDue, .reconnect: break
        default: break
        }
        return effects
    }

    private mutating func signedOut(_ event: SyncEvent, now: Duration) -> [SyncEffect] {
        guard case .delivered(let id, _) = event else { return [] }
        var effects = delivery.ended(id, .waitForSignIn, isLive: link.isLive, now: now)
        guard !link.isStopped else { return effects }
        effects += [.closeLink] + decideLink(.linkEnded(.signedOut), now: now)
        return effects
    }

    private mutating func tick(now: Duration) -> [SyncEffect] {
        var effects: [SyncEffect] = []
        if link.isOverdue(now: now) { effects += [.closeLink] + decideLink(.linkEnded(.lost), now: now) }
        effects += catchUp.tick(now: now, isLive: link.isLive)
        effects += delivery.tick(now: now, isLive: link.isLive)
        effects += threads.tick(now: now)
        return effects
    }

    /// Once what waited went out and what was missed came in.
    private mutating func tellBackOnline() -> [SyncEffect] {
        guard hasReturn, link.isLive, catchUp.isIdle, delivery.isIdle else { return [] }
        hasReturn = false
        return [.tellBackOnline]
    }
}
