import Backend
import Diagnostics
import FoundationEssentials
import Models
import Store

/// How the delivery of a conversation ended.
package enum Delivery: Sendable, Hashable {
    /// Nothing waits.
    case empty
    /// Another delivery of the conversation goes on, and will look again.
    case running
    /// The first in line may succeed later; `after` is what the server asked for.
    case wait(after: Duration?, because: WaitReason)
    case waitForSignIn
}

/// Performs waiting operations: oldest first, one at a time per conversation.
///
/// The queue is a table in the store, so quitting loses nothing. The outbox does not decide when to try:
/// `SyncEngine` calls `deliver` after each enqueue and on every reconnect.
package actor Outbox {
    /// A server that fails this long on one operation would block its conversation for ever.
    private static let failureLimit: Int64 = 600_000_000
    /// The same on a clock that nobody sets.
    private static let failureSpan = Duration.seconds(600)
    /// How long a service may take to store a file after it was heard of last.
    private static let lateUpload = Duration.seconds(15)

    let store: MessageStore
    let backend: any ChatBackend
    private let clock: any EngineClock
    private let log: Log
    private let onRefusedChange: @Sendable (SendError, _ keepsText: Bool) -> Void
    let onTransfer: @Sendable (UUID, TransferProgress?) -> Void
    private var delivering: Set<UUID> = []  // conversation ids
    private var askedAgain: Set<UUID> = []
    /// Messages whose send is on its way now, or was tried in this run.
    private var tried: Set<UUID> = []
    /// Uploads on their way now, by message.
    var uploads: [UUID: Task<UploadOutcome, Never>] = [:]
    private var doneCount = 0
    /// Until when the service asked not to be written to, by conversation. Whoever calls, it is kept to.
    private var quiet: [UUID: Duration] = [:]
    /// Since when the server fails on an operation, by its place; in this run, as an uptime.
    private var failing: [Int64: Duration] = [:]

    /// - Parameters:
    ///   - onTransfer: Told how far a message's file has come, from any thread; `nil` when its upload has ended.
    ///   - onRefusedChange: Told of each edit, delete or reaction the service refused.
    package init(
        store: MessageStore, backend: any ChatBackend, clock: any EngineClock = SystemClock(),
        log: Log = .silent, onTransfer: @escaping @Sendable (UUID, TransferProgress?) -> Void = { _, _ in },
        onRefusedChange: @escaping @Sendable (SendError, _ keepsText: Bool) -> Void = { _, _ in }
    ) {
        self.store = store
        self.backend = backend
        self.clock = clock
        self.log = log
        self.onTransfer = onTransfer
        self.onRefusedChange = onRefusedChange
    }

    /// Returns when nothing waits, or with what it waits for.
    /// - Throws: When the store cannot be read or written; nothing is lost, and nothing more is tried.
    package func deliver(_ conversationID: UUID) async throws(StoreError) -> Delivery {
        guard delivering.insert(conversationID).inserted else {
            askedAgain.insert(conversationID)  // enqueued after our last look at the store
            return .running
        }
        defer { delivering.remove(conversationID) }
        while true {
            askedAgain.remove(conversationID)
            if let left = quiet[conversationID].map({ $0 - clock.uptime() }), left > .zero {
                return .wait(after: left, because: .askedToWait)
            }
            let end = try await drain(conversationID)
            guard end == .empty, askedAgain.contains(conversationID) else { return end }
        }
    }

    /// Whether a message's send may have reached the service in this run.
    package func mayHaveSent(_ messageID: UUID) -> Bool { tried.contains(messageID) }

    /// Operations of the user done since the last call.
    package func takeDoneCount() -> Int {
        defer { doneCount = 0 }
        return doneCount
    }

    private func drain(_ conversationID: UUID) async throws(StoreError) -> Delivery {
        while let row = try await store.nextWaiting(in: conversationID) {
            if Task.isCancelled { return .wait(after: nil, because: .offline) }
            if let end = try await attempt(row) { return end }
        }
        return .empty
    }

    /// - Returns: `nil` when the next in line may go on.
    private func attempt(_ waiting: OutboxRow) async throws(StoreError) -> Delivery? {
        let row: OutboxRow
        switch try await bringFile(of: waiting) {
        case .ready(let ready): row = ready
        case .ended(let end): return end
        }
        if try await isInDoubt(row) { return nil }
        // Without an answer a reaction may stand at the service; one that was taken back meanwhile never gets there.
        if case .react = row.operation, try await !store.begin(row) { return nil }
        if case .send(let message) = row.operation {
            tried.insert(message.id)
            if !backend.capabilities.keepsOurIDs { await store.expectName(of: message.id) }
        }
        // The same id on every try: the service keeps one row.
        switch await backend.perform(row.outgoing) {
        case .stored(let change):
            if let end = try await lookAgain(row) { return end }
            try await finish(row, with: IncomingRows(change))
        case .reacted(let change):
            try await finish(row, with: IncomingRows(reactions: [ReactionRow(change)]))
        case .refused(let reason):
            try await refuse(row, because: reason)
        case .waitForSignIn:
            return try await noteSignedOut(row)
        case .wait(let delay, let reason):
            return try await keepWaiting(row, delay, reason)
        }
        return nil
    }

    private func finish(_ row: OutboxRow, with rows: IncomingRows) async throws(StoreError) {
        try await store.finish(row, with: rows)
        forget(row)
        if row.operation.isTheUsers { doneCount += 1 }
    }

    func refuse(_ row: OutboxRow, because reason: SendError) async throws(StoreError) {
        log.info("refused", ["conversation": .id(row.conversationID)])
        try await store.refuse(row, because: reason)
        forget(row)
        // A message says so itself; a change of one is only gone.
        guard row.operation.isTheUsers else { return }
        switch row.operation {
        case .send: return
        case .edit: onRefusedChange(reason, true)
        case .delete, .react, .markRead, .markDelivered, .removeFiles: onRefusedChange(reason, false)
        }
    }

    private func forget(_ row: OutboxRow) {
        failing[row.sequence] = nil
        if let id = row.operation.messageID { tried.remove(id) }
    }

    /// - Parameter delay: For how long the service asked; `nil`: it did not.
    func keepQuiet(_ conversationID: UUID, for delay: Duration?) {
        quiet[conversationID] = delay.map { clock.uptime() + $0 }
    }

    func noteSignedOut(_ row: OutboxRow) async throws(StoreError) -> Delivery {
        try await store.noteEnd(of: row, .signedOut, at: clock.wallTime())
        return .waitForSignIn
    }

    /// The message itself was not tried yet: no try of it counts.
    func keepWaitingForFile(_ row: OutboxRow, _ delay: Duration?, _ reason: WaitReason)
        async throws(StoreError) -> Delivery?
    {
        try await keepWaiting(row, delay, reason, wasTried: false)
    }

    private func keepWaiting(
        _ row: OutboxRow, _ delay: Duration?, _ reason: WaitReason, wasTried: Bool = true
    ) async throws(StoreError) -> Delivery? {
        keepQuiet(row.conversationID, for: delay)
        let wallTime = clock.wallTime()
        let now = wallTime.microseconds
        let failingSince = reason == .serverFailed ? row.failingSince ?? now : nil
        let isOver = isOver(row, reason)
        if wasTried, backend.capabilities.repeatsAreHarmless {
            try await store.noteTry(of: row, failingSince: failingSince, end: (reason.trouble, at: wallTime))
        } else {
            // The service vouches that it did not take it: what it cannot vouch for, it refuses.
            try await store.forgetTries(
                of: row, failingSince: failingSince, end: (reason.trouble, at: wallTime))
        }
        if let failingSince, now - failingSince >= Self.failureLimit, isOver, !row.operation.blocksNobody {
            try await refuse(row, because: .serverFailing)
            return nil
        }
        return .wait(after: delay, because: reason)
    }

    /// What is removed while its upload may still come to an end at the service has to be looked for twice.
    private func lookAgain(_ row: OutboxRow) async throws(StoreError) -> Delivery? {
        guard case .removeFiles(_, _, isUnsure: true) = row.operation else { return nil }
        try await store.noteFirstLook(of: row)
        return .wait(after: Self.lateUpload, because: .askedToWait)
    }

    /// Whether the server has failed for the whole limit in this run. The wall clock alone does not tell: somebody may
    /// have set it.
    private func isOver(_ row: OutboxRow, _ reason: WaitReason) -> Bool {
        guard reason == .serverFailed else {
            failing[row.sequence] = nil
            return false
        }
        let since = failing[row.sequence] ?? clock.uptime()
        failing[row.sequence] = since
        return clock.uptime() - since >= Self.failureSpan
    }

    /// A service without repeat protection must not be asked twice: a try is noted before it is made, and one that
    /// was noted without an end is for the user to decide.
    private func isInDoubt(_ row: OutboxRow) async throws(StoreError) -> Bool {
        guard !backend.capabilities.repeatsAreHarmless, case .send = row.operation else { return false }
        if row.attempts > 0 {
            try await store.refuse(row, because: .mayHaveBeenSent)
            return true
        }
        try await store.noteTry(of: row, failingSince: nil)
        return false
    }
}
