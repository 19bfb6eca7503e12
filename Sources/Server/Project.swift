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
    /// What opens the storage to whoever runs the server: a token of the role `service_role`, and an opaque key.
    /// Secrets, unlike the keys above.
    var serviceKey = ""
    var secretKey = ""

    var gate: Gate {
        Gate(
            signer: TokenSigner(secret: secret), publishableKey: publishableKey, opaqueKey: opaqueKey,
            serviceKey: serviceKey, secretKey: secretKey)
    }

    private static let lifetime: Int64 = 20 * 365 * 86_400
    private static let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

    static func loadOrMake(_ session: Session) throws(Refusal) -> Project {
        var project: Project
        if let secret = try setting("secret", session).flatMap(Base64URL.decode), secret.count >= 32,
            let key = try setting("publishable_key", session), let opaque = try setting("opaque_key", session)
        {
            project = Project(secret: secret, publishableKey: key, opaqueKey: opaque)
        } else {
            let secret = Sodium.random(48)
            project = Project(
                secret: secret, publishableKey: key(of: "anon", secret, session),
                opaqueKey: "sb_publishable_" + Sodium.randomText(32, of: alphabet))
            try keep("secret", Base64URL.encode(secret), session)
            try keep("publishable_key", project.publishableKey, session)
            try keep("opaque_key", project.opaqueKey, session)
            // Keys of another secret are worth nothing.
            _ = try session.execute("DELETE FROM settings WHERE name IN ('service_key', 'secret_key')")
        }
        try project.addServiceKeys(session)
        return project
    }

    /// Servers of earlier versions have none yet.
    private mutating func addServiceKeys(_ session: Session) throws(Refusal) {
        if let service = try Self.setting("service_key", session),
            let opaque = try Self.setting("secret_key", session)
        {
            (serviceKey, secretKey) = (service, opaque)
            return
        }
        serviceKey = Self.key(of: "service_role", secret, session)
        secretKey = "sb_secret_" + Sodium.randomText(32, of: Self.alphabet)
        try Self.keep("service_key", serviceKey, session)
        try Self.keep("secret_key", secretKey, session)
    }

    private static func key(of role: String, _ secret: [UInt8], _ session: Session) -> String {
        let issued = session.now / 1_000_000
        return TokenSigner(secret: secret).sign([
            "iss": "pingline", "ref": "pingline", "role": .string(role), "iat": .integer(issued - 1),
            "exp": .integer(issued + lifetime),
        ])
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
