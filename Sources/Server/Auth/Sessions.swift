import SQLite

/// Sessions and their refresh tokens. A token is spent by its use; each knows its parent.
struct Sessions {
    let session: Session
    /// Microseconds in which a spent token is forgiven.
    let reuseWindow: Int64

    struct Grant: Sendable {
        var sessionID: String
        var userID: String
        /// When the password was given, in microseconds since 1970.
        var signedInAt: Int64
        var refreshToken: String
    }

    static let tokenAlphabet = "abcdefghijklmnopqrstuvwxyz0123456789"
    static let tokenLength = 12

    func begin(for userID: String) throws(Refusal) -> Grant {
        let id = UUIDText.random()
        let now = session.now
        _ = try session.execute(
            "INSERT INTO sessions (id, user_id, created_at, signed_in_at) VALUES (?, ?, ?, ?)",
            [id, userID, now, now])
        _ = try session.execute("UPDATE users SET last_sign_in_at = ? WHERE id = ?", [now, userID])
        let token = try issue(in: id, parent: nil)
        return Grant(sessionID: id, userID: userID, signedInAt: now, refreshToken: token)
    }

    /// What a refresh comes to. A reuse that ends the family is a result and no error: it must be committed.
    enum Refreshed: Sendable {
        case granted(Grant)
        case refused(Refusal)
    }

    /// Spends a token for the next one.
    ///
    /// The same spent token within the window, or one that is the parent of the active token, is answered with the
    /// active token: two processes, or an answer that was lost. Any other reuse ends the whole family.
    func refresh(_ token: String) throws(Refusal) -> Refreshed {
        let found = try session.first(
            """
            SELECT t.session_id, t.is_active, t.spent_at, s.user_id, s.signed_in_at FROM refresh_tokens t
            JOIN sessions s ON s.id = t.session_id WHERE t.token = ?
            """, [token]
        ) { row throws(SQLiteError) in
            (
                grant: Grant(
                    sessionID: try row.get(0), userID: try row.get(3), signedInAt: try row.get(4),
                    refreshToken: token), isActive: try row.get(1, as: Bool.self),
                spentAt: try row.get(2, as: Int64?.self)
            )
        }
        guard let found else {
            throw Refusal(
                400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found")
        }
        var grant = found.grant
        if found.isActive {
            _ = try session.execute(
                "UPDATE refresh_tokens SET is_active = 0, spent_at = ? WHERE token = ?", [session.now, token])
            grant.refreshToken = try issue(in: grant.sessionID, parent: token)
            return .granted(grant)
        }
        let active = try session.first(
            "SELECT token, parent FROM refresh_tokens WHERE session_id = ? AND is_active = 1",
            [grant.sessionID]
        ) { row throws(SQLiteError) in
            (token: try row.get(0, as: String.self), parent: try row.get(1, as: String?.self))
        }
        if let active, active.parent == token || (found.spentAt ?? 0) + reuseWindow >= session.now {
            grant.refreshToken = active.token
            return .granted(grant)
        }
        _ = try session.execute(
            "UPDATE refresh_tokens SET is_active = 0 WHERE session_id = ?", [grant.sessionID])
        return .refused(
            Refusal(400, "refresh_token_already_used", "Invalid Refresh Token: Already Used"))
    }

    func isOpen(_ id: String) throws(Refusal) -> Bool {
        try session.exists("SELECT 1 FROM sessions WHERE id = ?", [id])
    }

    enum Scope: String, Sendable { case local, global, others }

    func end(_ scope: Scope, of sessionID: String, user: String) throws(Refusal) {
        switch scope {
        case .local: _ = try session.execute("DELETE FROM sessions WHERE id = ?", [sessionID])
        case .global: _ = try session.execute("DELETE FROM sessions WHERE user_id = ?", [user])
        case .others:
            _ = try session.execute("DELETE FROM sessions WHERE user_id = ? AND id <> ?", [user, sessionID])
        }
    }

    private func issue(in sessionID: String, parent: String?) throws(Refusal) -> String {
        let token = Sodium.randomText(Self.tokenLength, of: Self.tokenAlphabet)
        _ = try session.execute(
            """
            INSERT INTO refresh_tokens (token, session_id, parent, is_active, created_at) VALUES (?, ?, ?, 1, ?)
            """, [token, sessionID, parent, session.now])
        return token
    }
}
