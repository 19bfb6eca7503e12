import Backend
import FoundationEssentials
import Models
import Store

/// What to fetch, in which order, so that nothing is missing.
///
/// A *round* pages the conversation list to its end; each conversation whose mark is past the cursor becomes a
/// *job*. A cursor comes from the list alone, read before the job began, and is stored with the job's last rows.
struct CatchUpCore: Sendable {
    private static let roundEvery = Duration.seconds(300)
    private static let noticeLimit = Duration.seconds(2)
    private static let parallelJobs = 4
    /// Conversations of which a first page is fetched without being opened.
    private static let firstPages = 20

    private struct Round {
        var seen: Set<UUID> = []
        /// On the list before the round began: missing from all its pages means left, or moved while paging.
        let listedBefore: [UUID]
        var count = 0
    }

    private struct Doubt {
        let order: Int64?
        let until: Duration
    }

    /// The conversations on the list, newest activity first.
    var listed: [UUID] = []
    private var round: Round?
    private var runsAgain = false
    private var isOn = false
    private var jobs: [UUID: CatchUpJob] = [:]
    private var queue: [CatchUpJob] = []
    private var heads: [UUID: SyncCursor] = [:]
    private var cursors: [UUID: SyncCursor] = [:]
    private var sure: Set<UUID> = []
    private var versions: [UUID: Int64] = [:]
    private var noticed: [UUID: Int64] = [:]
    private var doubts: [UUID: Doubt] = [:]
    private var nextRound: Duration?
    private var backoff: Backoff

    init(generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()) {
        backoff = Backoff(generator: generator)
    }

    var isIdle: Bool { round == nil && jobs.isEmpty && queue.isEmpty }

    var deadline: Duration? {
        guard isOn else { return nil }
        return ([nextRound] + doubts.values.map { $0.until }).compactMap { $0 }.min()
    }

    /// Whether nothing can be missing before the next live message.
    func isSure(_ id: UUID) -> Bool { sure.contains(id) }

    /// Starts a round, or another one after the one that runs.
    mutating func begin(now: Duration) -> [SyncEffect] {
        isOn = true
        // Whatever is due is answered by this round or the one after it: kept, it would be due again at once.
        nextRound = nil
        doubts = [:]
        guard round == nil else {
            runsAgain = true
            return []
        }
        round = Round(listedBefore: listed)
        return [.fetchHeads(before: nil)]
    }

    /// The feed is away: what is asked for may still come, but nothing is sure any more.
    mutating func stop() {
        isOn = false
        sure = []
        round = nil
        runsAgain = false
        jobs = [:]
        queue = []
        doubts = [:]
        nextRound = nil
    }

    mutating func saw(_ newer: [UUID: Int64]) {
        for (id, version) in newer {
            versions[id] = max(versions[id] ?? .min, version)
            if let doubt = doubts[id], doubt.order.map({ $0 <= version }) ?? true { doubts[id] = nil }
        }
    }

    /// An opened thread of which nothing was fetched yet gets its first page.
    mutating func opened(_ id: UUID) -> [SyncEffect] {
        guard isOn, cursors[id] == nil, let target = heads[id], jobs[id] == nil else { return [] }
        queue.removeAll { $0.conversationID == id }
        queue.insert(CatchUpJob(first: id, target: target), at: 0)
        return startJobs()
    }

    mutating func handle(_ event: SyncEvent, open: Set<UUID>, now: Duration) -> [SyncEffect] {
        guard isOn else { return [] }
        switch event {
        case .heads(let page, let held): return take(page, held, open: open, now: now)
        case .headsFailed(let error):
            round = nil
            return again(after: error, now: now)
        case .changes(let id, let page): return step(id, now: now) { $0.take(page) }
        case .newest(let id, let page): return step(id, now: now) { $0.take(newest: page) }
        case .kept(let id): return step(id, now: now) { $0.kept() }
        case .jobFailed(let id, let error): return fail(id, error, now: now)
        case .keepFailed(let id):
            jobs[id] = nil
            return again(after: .timedOut, now: now) + startJobs()
        case .listDoubted: return begin(now: now)
        case .conversationNotice(let id, let cursor): return notice(id, cursor, now: now)
        default: return []
        }
    }

    mutating func tick(now: Duration, isLive: Bool) -> [SyncEffect] {
        guard isOn else { return [] }
        let isDue = nextRound.map { $0 <= now } ?? false
        guard isDue || doubts.values.contains(where: { $0.until <= now }) else { return [] }
        return begin(now: now)
    }

    // MARK: Rounds

    private mutating func take(
        _ page: [ConversationHead], _ held: [UUID: SyncCursor], open: Set<UUID>, now: Duration
    ) -> [SyncEffect] {
        guard var current = round else { return [] }
        guard let last = page.last else { return endRound(current, now: now) }
        for head in page {
            let id = head.conversation.id
            current.seen.insert(id)
            heads[id] = head.changed
            cursors[id] = held[id]
            queueJob(
                id, changed: head.changed, wantsFirst: current.count < Self.firstPages || open.contains(id))
            current.count += 1
        }
        round = current
        let members: [SyncEffect] = page.map(\.conversation.id).filter(open.contains).map {
            .fetchMembers($0)
        }
        return [.fetchHeads(before: last)] + members + startJobs()
    }

    private mutating func queueJob(_ id: UUID, changed: SyncCursor, wantsFirst: Bool) {
        guard jobs[id] == nil, !queue.contains(where: { $0.conversationID == id }) else {
            // It runs towards an older mark: the next round finds the rest.
            runsAgain = runsAgain || jobs[id].map { $0.target < changed } ?? false
            return
        }
        if let cursor = cursors[id] {
            if cursor < changed {
                queue.append(CatchUpJob(changesOf: id, from: cursor, target: changed))
            } else {
                sure.insert(id)
            }
        } else if wantsFirst {
            queue.append(CatchUpJob(first: id, target: changed))
        }
    }

    private mutating func endRound(_ ended: Round, now: Duration) -> [SyncEffect] {
        round = nil
        let missing = ended.listedBefore.filter { !ended.seen.contains($0) }
        // Of what happens outside nobody tells us.
        sure.subtract(missing)
        return missing.map { .checkMembership($0) } + settle(now: now)
    }

    private mutating func settle(now: Duration) -> [SyncEffect] {
        guard isIdle else { return [] }
        if runsAgain {
            runsAgain = false
            return begin(now: now)
        }
        if nextRound == nil {
            backoff.reset()
            nextRound = now + Self.roundEvery
        }
        return []
    }

    private mutating func again(after error: BackendError, now: Duration) -> [SyncEffect] {
        let delay = backoff.next(atLeast: error.retryAfter ?? .seconds(1))
        nextRound = now + (error.isTransient ? delay : Self.roundEvery)
        runsAgain = false  // that round is the next one
        return []
    }

    // MARK: Jobs

    private mutating func startJobs() -> [SyncEffect] {
        var effects: [SyncEffect] = []
        while jobs.count < Self.parallelJobs, !queue.isEmpty {
            let job = queue.removeFirst()
            jobs[job.conversationID] = job
            effects.append(job.firstEffect)
        }
        return effects
    }

    private mutating func step(
        _ id: UUID, now: Duration, _ change: (inout CatchUpJob) -> SyncEffect?
    ) -> [SyncEffect] {
        guard var job = jobs[id] else { return [] }
        if let effect = change(&job) {
            jobs[id] = job
            return [effect]
        }
        jobs[id] = nil
        cursors[id] = job.target
        sure.insert(id)
        return startJobs() + settle(now: now)
    }

    private mutating func fail(_ id: UUID, _ error: BackendError, now: Duration) -> [SyncEffect] {
        guard jobs.removeValue(forKey: id) != nil else { return [] }
        // Who asks for patience is asked nothing more: the next round finds the others again.
        if case .busy = error { queue = [] }
        var effects: [SyncEffect] = []
        if error == .notFound || error == .notAllowed {
            sure.remove(id)
            // Whoever is in it again by the time that is looked at has missed something all the same.
            effects = [.checkMembership(id)] + again(after: .timedOut, now: now)
        } else {
            effects = again(after: error, now: now)
        }
        return effects + startJobs() + settle(now: now)
    }

    // MARK: Notices

    /// A conversation says that it changed. The change itself should come by itself; a repeat of the same mark
    /// means that something beside messages changed, a title for one.
    private mutating func notice(_ id: UUID, _ cursor: SyncCursor?, now: Duration) -> [SyncEffect] {
        guard heads[id] != nil else { return begin(now: now) }
        let isRepeated = cursor != nil && noticed[id] == cursor?.order
        if let cursor {
            noticed[id] = cursor.order
            let seen = max(versions[id] ?? .min, cursors[id]?.order ?? .min)
            guard isRepeated || cursor.order > seen else { return [] }
        }
        if doubts[id] == nil {
            doubts[id] = Doubt(order: isRepeated ? .max : cursor?.order, until: now + Self.noticeLimit)
        }
        return []
    }
}
