import FoundationEssentials

/// Open threads: their channels, who types, who is present.
struct ThreadCore: Sendable {
    /// How long somebody is shown as typing after the last sign of it.
    private static let shownFor = Duration.seconds(6)
    /// The own typing is told at most this often.
    private static let toldEvery = Duration.seconds(3)
    /// The end of the own typing is told so late: mostly it is a message, which says as much by itself.
    private static let endToldAfter = Duration.milliseconds(500)
    /// So many of the most recent conversations have their channel held for the list.
    private static let recentCount = 20

    private var holders: [UUID: Int] = [:]
    private var recent: Set<UUID> = []
    private var held: Set<UUID> = []
    private var typing: [UUID: [UUID: Duration]] = [:]
    private var present: [UUID: Set<UUID>] = [:]
    private var told: [UUID: Duration] = [:]
    private var ending: [UUID: Duration] = [:]

    var open: Set<UUID> { Set(holders.keys) }
    var deadline: Duration? {
        (typing.values.compactMap { $0.values.min() } + ending.values).min()
    }

    mutating func opened(_ id: UUID) -> [SyncEffect] {
        holders[id, default: 0] += 1
        return hold()
    }

    mutating func closed(_ id: UUID) -> [SyncEffect] {
        guard let count = holders[id] else { return [] }
        holders[id] = count > 1 ? count - 1 : nil
        return hold()
    }

    mutating func list(_ ids: [UUID]) -> [SyncEffect] {
        recent = Set(ids.prefix(Self.recentCount))
        return hold()
    }

    private mutating func hold() -> [SyncEffect] {
        let wanted = recent.union(holders.keys)
        guard wanted != held else { return [] }
        for id in held.subtracting(wanted) { present[id] = nil }
        held = wanted
        return [.hold(wanted)]
    }

    mutating func handle(_ event: SyncEvent, isLive: Bool, now: Duration) -> [SyncEffect] {
        switch event {
        case .typing(let id, let userID, let isTyping):
            let before = shown(in: id)
            typing[id, default: [:]][userID] = isTyping ? now + Self.shownFor : nil
            return news(in: id, before)
        case .presence(let id, let people):
            present[id] = people.isEmpty ? nil : people
            return [.showPresence(id, people)]
        case .typed(let id, let isTyping): return isLive ? tell(id, isTyping, now: now) : []
        case .wrote(let id):
            told[id] = nil
            ending[id] = nil
            return []
        default: return []
        }
    }

    private mutating func tell(_ id: UUID, _ isTyping: Bool, now: Duration) -> [SyncEffect] {
        guard isTyping else {
            if told[id] != nil { ending[id] = ending[id] ?? now + Self.endToldAfter }
            return []
        }
        ending[id] = nil
        if let last = told[id], now - last < Self.toldEvery { return [] }
        told[id] = now
        return [.sendTyping(id, isTyping: true)]
    }

    private mutating func tellEnds(now: Duration) -> [SyncEffect] {
        let due = ending.filter { $0.value <= now }.map(\.key).sorted()
        for id in due {
            ending[id] = nil
            told[id] = nil
        }
        return due.map { .sendTyping($0, isTyping: false) }
    }

    /// Who sent something has stopped typing it.
    mutating func stopTyping(_ senders: [UUID: Set<UUID>]) -> [SyncEffect] {
        senders.keys.sorted().flatMap { id in
            let before = shown(in: id)
            for userID in senders[id] ?? [] { typing[id]?[userID] = nil }
            return news(in: id, before)
        }
    }

    mutating func linkLost() -> [SyncEffect] {
        let gone = typing.keys.sorted().map { SyncEffect.showTyping($0, []) }
        let absent = present.keys.sorted().map { SyncEffect.showPresence($0, []) }
        typing = [:]
        present = [:]
        told = [:]
        ending = [:]
        return gone + absent
    }

    mutating func tick(now: Duration) -> [SyncEffect] {
        let stopped = typing.keys.sorted().flatMap { id in
            let before = shown(in: id)
            typing[id] = typing[id]?.filter { $0.value > now }
            return news(in: id, before)
        }
        return stopped + tellEnds(now: now)
    }

    func presence(in id: UUID) -> Set<UUID> { present[id] ?? [] }

    func shown(in id: UUID) -> [UUID] { typing[id]?.keys.sorted() ?? [] }

    private mutating func news(in id: UUID, _ before: [UUID]) -> [SyncEffect] {
        let after = shown(in: id)
        if after.isEmpty { typing[id] = nil }
        return after == before ? [] : [.showTyping(id, after)]
    }
}
