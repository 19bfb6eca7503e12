import Diagnostics
import Dispatch
import Networking
import SQLite

/// The one writer. Everything that touches the database runs here, one call at a time.
///
/// What a call wrote is on the disk before it is announced and before it is answered, so `kill -9` loses nothing
/// that was acknowledged. Calls that wait for their turn at the same time share one commit: the way to the disk is
/// what a write mostly takes, and is as long for one as for a hundred. Announcements leave in commit order through
/// one stream. It blocks on the disk, so it runs on a queue of its own.
actor Database {
    /// Writes on their way to the disk together.
    private struct Group {
        let began = ContinuousClock.now
        /// What each of them changed, in their order.
        var changes: [[RowChange]] = []
        var waiting: [CheckedContinuation<Ending, Never>] = []
    }

    private enum Ending: Sendable {
        case committed
        /// One call of the group took the others' writes with it: they are made again.
        case lost
        case failed(Refusal)
    }

    /// How long a group stays open for calls that were waiting when it began.
    private static let patience: Duration = .milliseconds(5)
    /// How often a write is made again that others took with them.
    private static let attempts = 5
    /// Writes that get a savepoint after one that had to be undone. More than can wait at a time.
    private static let guardedWrites = 2_000

    nonisolated let executor = QueueExecutor("pingline.server.database")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Committed changes, in commit order, one element a write. Bounded by what was written, not by peers.
    nonisolated let changes: AsyncStream<[RowChange]>
    private let announcing: AsyncStream<[RowChange]>.Continuation
    private let configuration: ServerConfiguration
    private let log: Log
    private var connection: SQLConnection?
    private var group: Group?
    /// How many of the next writes get a savepoint of their own.
    private var guarded = 0

    init(configuration: ServerConfiguration) {
        self.configuration = configuration
        log = configuration.log.named("database")
        (changes, announcing) = AsyncStream<[RowChange]>.makeStream()
    }

    /// Opens the file, or a database in memory, and brings its schema up to date.
    /// - Returns: `false` when the schema is newer than ours; then nothing was done.
    @discardableResult
    func open(_ location: SQLConnection.Location) throws(SQLiteError) -> Bool {
        let connection = try SQLConnection(location, durability: .full)
        try TextFunctions.define(on: connection)
        let version = try connection.first("PRAGMA user_version") { row throws(SQLiteError) in
            try row.get(0, as: Int.self)
        }
        guard let version, version <= Schema.steps.count else { return false }
        for step in version..<Schema.steps.count {
            try connection.transaction { () throws(SQLiteError) in
                try connection.execute(Schema.steps[step])
                try connection.execute("PRAGMA user_version = \(step + 1)")
            }
        }
        self.connection = connection
        return true
    }

    /// Ends the stream of changes and closes the file.
    func close() {
        commitGroup()
        announcing.finish()
        connection = nil
    }

    /// Reads in one consistent view, of nothing that is not on the disk when this returns.
    func read<Result: Sendable>(_ body: @Sendable (Session) throws(Refusal) -> Result) async throws(Refusal)
        -> Result
    {
        while true {
            let result = try body(try session())
            guard group != nil else { return result }
            if case .committed = await ending() { return result }
        }
    }

    /// Writes in one transaction: all of it, announced after the commit, or nothing.
    /// - Parameter body: Runs again when the writes it shared a commit with took it with them.
    func write<Result: Sendable>(_ body: @Sendable (Session) throws(Refusal) -> Result) async throws(Refusal)
        -> Result
    {
        for _ in 0..<Self.attempts {
            let result = try attempt(body)
            switch await ending() {
            case .committed: return result
            case .lost: continue
            case .failed(let refusal): throw refusal
            }
        }
        throw Refusal(.busy)
    }

    /// Makes one write within the group's transaction.
    ///
    /// Hardly any write is refused after it has written something, so what undoes one alone, a savepoint, is not
    /// worth its price: the search index would go to the disk with each. When it happens all the same, the whole
    /// group is undone, and the next writes, those of the group among them, get a savepoint each.
    private func attempt<Result>(_ body: (Session) throws(Refusal) -> Result) throws(Refusal) -> Result {
        let session = try session()
        let connection = session.connection
        try beginGroup(connection)
        let before = connection.changeCount
        do {
            let (result, changes) =
                guarded > 0
                ? try savepoint(connection) { () throws(Refusal) in try Self.written(body, session) }
                : try Self.written(body, session)
            if !changes.isEmpty { group?.changes.append(changes) }
            return result
        } catch {
            if error.cause != nil { log.error("failed", ["code": .code(error.code)]) }
            if !connection.isInTransaction || guarded == 0 && connection.changeCount != before {
                connection.rollBack()
                guarded = Self.guardedWrites
                endGroup(.lost)
            }
            throw error
        }
    }

    private static func written<Result>(_ body: (Session) throws(Refusal) -> Result, _ session: Session)
        throws(Refusal) -> (Result, [RowChange])
    {
        (try body(session), try session.settledChanges())
    }

    private func savepoint<Result>(_ connection: SQLConnection, _ body: () throws(Refusal) -> Result)
        throws(Refusal) -> Result
    {
        let result = try connection.transaction(body, failure: { Refusal($0) })
        guarded -= 1
        return result
    }

    private func session() throws(Refusal) -> Session {
        guard let connection else { throw Refusal(503, "PGRST000", "the server is stopping") }
        connection.limitTime(to: configuration.limits.statementTime)
        return Session(connection: connection, clock: configuration.now, limits: configuration.limits)
    }
}

// MARK: - Groups

extension Database {
    /// The commit takes its place behind the calls that wait already; they are the group.
    private func beginGroup(_ connection: SQLConnection) throws(Refusal) {
        guard group == nil else { return }
        do { try connection.begin() } catch { throw Refusal(error) }
        group = Group()
        executor.queue.async { @Sendable in self.assumeIsolated { $0.commitGroup() } }
    }

    /// How the open group ends.
    private func ending() async -> Ending {
        await withCheckedContinuation { continuation in
            guard group != nil else { return continuation.resume(returning: .lost) }
            group?.waiting.append(continuation)
            // Many large writes: the first of them need not wait for the last.
            if let group, ContinuousClock.now - group.began > Self.patience { commitGroup() }
        }
    }

    private func commitGroup() {
        guard let group, let connection else { return }
        connection.limitTime(to: nil)
        do {
            try connection.commit()
            for changes in group.changes { announcing.yield(changes) }
            endGroup(.committed)
        } catch {
            log.error("did not commit", ["writes": .count(group.waiting.count)])
            endGroup(.failed(Refusal(error)))
        }
    }

    private func endGroup(_ ending: Ending) {
        let waiting = group?.waiting ?? []
        group = nil
        for continuation in waiting { continuation.resume(returning: ending) }
    }
}
