import Diagnostics
import Networking
import SQLite

/// The one writer. Everything that touches the database runs here, one call at a time.
///
/// What a call wrote is on the disk before it is announced and before it is answered, so `kill -9` loses nothing
/// that was acknowledged. Announcements leave in commit order through one stream. It blocks on the disk, so it
/// runs on a queue of its own.
actor Database {
    nonisolated let executor = QueueExecutor("pingline.server.database")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Committed changes, in commit order, one element a commit. Bounded by what was written, not by peers.
    nonisolated let changes: AsyncStream<[RowChange]>
    private let announcing: AsyncStream<[RowChange]>.Continuation
    private let configuration: ServerConfiguration
    private let log: Log
    private var connection: SQLConnection?

    init(configuration: ServerConfiguration) {
        self.configuration = configuration
        log = configuration.log.named("database")
        (changes, announcing) = AsyncStream<[RowChange]>.makeStream()
    }

    /// Opens the file, or a database in memory, and brings its schema up to date.
    func open(_ location: SQLConnection.Location) throws(SQLiteError) {
        let connection = try SQLConnection(location, durability: .full)
        try TextFunctions.define(on: connection)
        let version = try connection.first("PRAGMA user_version") { row throws(SQLiteError) in
            try row.get(0, as: Int.self)
        }
        for step in (version ?? 0)..<max(version ?? 0, Schema.steps.count) {
            try connection.transaction { () throws(SQLiteError) in
                try connection.execute(Schema.steps[step])
                try connection.execute("PRAGMA user_version = \(step + 1)")
            }
        }
        self.connection = connection
    }

    /// Ends the stream of changes and closes the file.
    func close() {
        announcing.finish()
        connection = nil
    }

    /// Reads in one consistent view.
    func read<Result: Sendable>(_ body: @Sendable (Session) throws(Refusal) -> Result) throws(Refusal)
        -> Result
    {
        try body(try session())
    }

    /// Writes in one transaction: all of it, announced after the commit, or nothing.
    func write<Result: Sendable>(_ body: @Sendable (Session) throws(Refusal) -> Result) throws(Refusal)
        -> Result
    {
        let session = try session()
        var settled: [RowChange] = []
        do {
            let result = try session.connection.transaction(
                { () throws(Refusal) -> Result in
                    let result = try body(session)
                    settled = try session.settledChanges()
                    return result
                }, failure: { Refusal($0) })
            if !settled.isEmpty { announcing.yield(settled) }
            return result
        } catch {
            if error.cause != nil { log.error("failed", ["code": .code(error.code)]) }
            throw error
        }
    }

    private func session() throws(Refusal) -> Session {
        guard let connection else { throw Refusal(503, "PGRST000", "the server is stopping") }
        connection.limitTime(to: configuration.limits.statementTime)
        return Session(connection: connection, clock: configuration.now, limits: configuration.limits)
    }
}
