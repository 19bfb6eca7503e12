import Digest
import SQLite
import SupabaseWire

/// What makes this server itself: the secret that signs its tokens, and the keys its clients present.
///
/// Made on the first start and kept with the data, so that clients of an earlier run stay signed in.
struct Project: Sendable {
    let secret: [UInt8]
    /// A token of the role `anon`, which clients of every age understand.
    let publishableKey: String
    let opaqueKey: String

    var gate: Gate {
        Gate(signer: TokenSigner(secret: secret), publishableKey: publishableKey, opaqueKey: opaqueKey)
    }

    private static let lifetime: Int64 = 20 * 365 * 86_400
    private static let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

    static func loadOrMake(_ session: Session) throws(Refusal) -> Project {
        if let secret = try setting("secret", session).flatMap(Base64URL.decode), secret.count >= 32,
            let key = try setting("publishable_key", session), let opaque = try setting("opaque_key", session)
        {
            return Project(secret: secret, publishableKey: key, opaqueKey: opaque)
        }
        let secret = Sodium.random(48)
        let issued = session.now / 1_000_000
        let claims: JSONValue = [
            "iss": "pingline", "ref": "pingline", "role": "anon", "iat": .integer(issued - 1),
            "exp": .integer(issued + lifetime),
        ]
        let project = Project(
            secret: secret, publishableKey: TokenSigner(secret: secret).sign(claims),
            opaqueKey: "sb_publishable_" + Sodium.randomText(32, of: alphabet))
        try keep("secret", Base64URL.encode(secret), session)
        try keep("publishable_key", project.publishableKey, session)
        try keep("opaque_key", project.opaqueKey, session)
        return project
    }

    private static func setting(_ name: String, _ session: Session) throws(Refusal) -> String? {
        try session.first("SELECT value FROM settings WHERE name = ?", [name]) { row throws(SQLiteError) in
            try row.get(0)
        }
    }

    private static func keep(_ name: String, _ value: String, _ session: Session) throws(Refusal) {
        _ = try session.execute("INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", [name, value])
    }
}
