import CFaultyDisk
import Synchronization

/// Disks on which statements fail now, by the name of their database.
nonisolated enum FaultyDisks {
    /// Of each 1 000 steps of statements so many fail.
    struct Trouble: Sendable {
        var perMille: Int
        /// Only what writes fails, for want of space; otherwise anything may, for no reason.
        var isFull: Bool
    }

    private struct State {
        var troubles: [String: Trouble] = [:]
        var random = SeededRandom(seed: 0)
        var failed = 0
    }

    private static let state = Mutex(State())
    private static let full: Int32 = 13
    /// Reading, writing, syncing, and the disk's own word.
    private static let errors: [Int32] = [266, 778, 1_034, 10]

    /// No disk fails, until told so.
    static func begin(seed: UInt64) {
        state.withLock { state in
            state = State()
            state.random = SeededRandom(seed: seed)
        }
        pl_fail_disks(nil)
    }

    static var failedCount: Int { state.withLock { $0.failed } }

    static func isFaulty(_ name: String) -> Bool { state.withLock { $0.troubles[name] != nil } }

    /// - Parameter trouble: `nil`: the disk works again.
    static func set(_ trouble: Trouble?, on name: String) {
        let isAny = state.withLock { state in
            state.troubles[name] = trouble
            return !state.troubles.isEmpty
        }
        listen(isAny)
    }

    private static func listen(_ isOn: Bool) {
        pl_fail_disks(isOn ? { FaultyDisks.judge($0, reads: $1 != 0) } : nil)
    }

    /// Does something that is no part of the world.
    static func pausing<Failure: Error>(_ work: () throws(Failure) -> Void) throws(Failure) {
        listen(false)
        defer { listen(state.withLock { !$0.troubles.isEmpty }) }
        try work()
    }

    /// - Parameter next: A disk that takes the other's place, as it is.
    static func move(_ name: String, to next: String) {
        guard let trouble = state.withLock({ $0.troubles[name] }) else { return }
        set(nil, on: name)
        set(trouble, on: next)
    }

    private static func judge(_ path: UnsafePointer<CChar>?, reads: Bool) -> pl_disk_fault {
        guard let path else { return pl_disk_fault() }
        let name = String(String(cString: path).drop { $0 == "/" })
        return state.withLock { state in
            guard let trouble = state.troubles[name], !(trouble.isFull && reads),
                state.random.happens(trouble.perMille)
            else { return pl_disk_fault() }
            state.failed += 1
            let code = trouble.isFull ? full : state.random.pick(errors) ?? full
            return pl_disk_fault(code: code, ends_all: state.random.happens(500) ? 1 : 0)
        }
    }
}
