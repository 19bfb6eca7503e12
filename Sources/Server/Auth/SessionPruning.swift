import Synchronization

/// Forgets sessions that are over and refresh tokens that were spent long ago.
///
/// It runs beside sign-ins and refreshes, which are what makes them more, and so needs no timer. What it must leave
/// is what the rules of refresh look at: the active token, the one before it, which is forgiven for ever, and spent
/// ones for as long as their use shall still end their family.
final class SessionPruning: Sendable {
    /// Microseconds from one pass to the next.
    private static let pause: Int64 = 3_600_000_000
    /// Rows of one pass: whoever signs in waits for it.
    private static let rowsOfOnePass = 1_000
    private let idleLimit: Int64
    private let spentMemory: Int64
    private let nextPass = Mutex(Int64.min)

    init(_ configuration: ServerConfiguration) {
        idleLimit = configuration.sessionIdleLimit.microseconds
        spentMemory = configuration.spentTokenMemory.microseconds
    }

    /// Does nothing until it is time for the next pass. A pass that found much goes on with the next call.
    func prune(_ session: Session) throws(Refusal) {
        let now = session.now
        guard nextPass.withLock({ $0 <= now }) else { return }
        let idle = try endIdle(session, before: now - idleLimit)
        let revoked = try endRevoked(session, before: now - spentMemory)
        let spent = try forgetSpent(session, before: now - spentMemory)
        let isDone = max(idle, revoked, spent) < Self.rowsOfOnePass
        nextPass.withLock { $0 = isDone ? now + Self.pause : now }
    }

    /// Sessions nobody renewed; their tokens go with them.
    private func endIdle(_ session: Session, before limit: Int64) throws(Refusal) -> Int {
        try session.execute(
            """
            DELETE FROM sessions WHERE id IN (SELECT id FROM sessions s WHERE s.created_at < ?1 AND NOT EXISTS (
                SELECT 1 FROM refresh_tokens t WHERE t.session_id = s.id AND t.created_at >= ?1) LIMIT ?2)
            """, [limit, Self.rowsOfOnePass])
    }

    /// Sessions without an active token: their family was revoked.
    private func endRevoked(_ session: Session, before limit: Int64) throws(Refusal) -> Int {
        try session.execute(
            """
            DELETE FROM sessions WHERE id IN (SELECT id FROM sessions s WHERE s.created_at < ?1 AND NOT EXISTS (
                SELECT 1 FROM refresh_tokens t WHERE t.session_id = s.id
                AND (t.is_active = 1 OR t.created_at >= ?1 OR t.spent_at >= ?1)) LIMIT ?2)
            """, [limit, Self.rowsOfOnePass])
    }

    private func forgetSpent(_ session: Session, before limit: Int64) throws(Refusal) -> Int {
        try session.execute(
            """
            DELETE FROM refresh_tokens WHERE token IN (SELECT token FROM refresh_tokens t
                WHERE t.is_active = 0 AND t.spent_at < ?1 AND NOT EXISTS (
                    SELECT 1 FROM refresh_tokens c
                    WHERE c.session_id = t.session_id AND c.is_active = 1 AND c.parent = t.token) LIMIT ?2)
            """, [limit, Self.rowsOfOnePass])
    }
}
