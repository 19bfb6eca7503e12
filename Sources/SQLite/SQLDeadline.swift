import CSQLite

/// An instant after which the statements of a connection are interrupted.
///
/// Owned by the connection, and so alive whenever SQLite calls back.
final class SQLDeadline {
    /// Steps of SQLite's machine between two looks at the clock.
    private static let steps: Int32 = 10_000
    private var end: ContinuousClock.Instant?

    func install(on database: OpaquePointer) {
        sqlite3_progress_handler(
            database, Self.steps,
            { context in
                guard let context else { return 0 }
                return Unmanaged<SQLDeadline>.fromOpaque(context).takeUnretainedValue().isOver ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    func set(_ limit: Duration?) { end = limit.map { ContinuousClock.now.advanced(by: $0) } }

    private var isOver: Bool { end.map { ContinuousClock.now > $0 } ?? false }
}
