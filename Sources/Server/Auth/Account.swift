import FoundationEssentials
import SQLite
import SupabaseWire
import Timestamps

/// One user as the database has it.
struct Account: Sendable {
    var id: String
    var email: String
    var passwordHash: String
    var metadata: JSONValue
    var identityID: String
    var confirmedAt: Int64
    var lastSignInAt: Int64?
    var createdAt: Int64
    var updatedAt: Int64

    /// The user object of Auth's answers.
    var json: JSONValue {
        let confirmed = JSONValue.string(TimestampText.auth(confirmedAt))
        let created = JSONValue.string(TimestampText.auth(createdAt))
        let updated = JSONValue.string(TimestampText.auth(updatedAt))
        let lastSignIn = lastSignInAt.map { JSONValue.string(TimestampText.auth($0)) } ?? .null
        let identity: JSONValue = [
            "identity_id": .string(identityID), "id": .string(id), "user_id": .string(id),
            "identity_data": [
                "email": .string(email), "email_verified": false, "phone_verified": false, "sub": .string(id),
            ],
            "provider": "email", "last_sign_in_at": lastSignIn, "created_at": created, "updated_at": updated,
            "email": .string(email),
        ]
        return [
            "id": .string(id), "aud": "authenticated", "role": "authenticated", "email": .string(email),
            "email_confirmed_at": confirmed, "phone": "", "confirmed_at": confirmed,
            "last_sign_in_at": lastSignIn, "app_metadata": Self.appMetadata, "user_metadata": metadata,
            "identities": [identity], "created_at": created, "updated_at": updated, "is_anonymous": false,
        ]
    }

    static let appMetadata: JSONValue = ["provider": "email", "providers": ["email"]]
}

/// The accounts, sessions and refresh tokens of the database.
struct Accounts {
    let session: Session

    private static let columns = """
        id, email, password_hash, user_metadata, identity_id, confirmed_at, last_sign_in_at, created_at, updated_at
        """

    func find(email: String) throws(Refusal) -> Account? { try find("email = ?", email) }

    func find(id: String) throws(Refusal) -> Account? { try find("id = ?", id) }

    private func find(_ condition: String, _ value: String) throws(Refusal) -> Account? {
        try session.first("SELECT \(Self.columns) FROM users WHERE \(condition)", [value]) {
            row throws(SQLiteError) in
            let metadata = try row.get(3, as: String.self)
            return Account(
                id: try row.get(0), email: try row.get(1), passwordHash: try row.get(2),
                // We wrote it as JSON; were it damaged, the account would still work.
                metadata: (try? WireCoding.decode(from: metadata)) ?? [:],
                identityID: try row.get(4), confirmedAt: try row.get(5), lastSignInAt: try row.get(6),
                createdAt: try row.get(7), updatedAt: try row.get(8))
        }
    }

    /// Makes an account and its profile.
    /// - Throws: `user_already_exists` when the address has one.
    func create(email: String, passwordHash: String, metadata: JSONValue) throws(Refusal) -> Account {
        guard try find(email: email) == nil else {
            throw Refusal(422, "user_already_exists", "User already registered")
        }
        let now = session.now
        let account = Account(
            id: UUIDText.random(), email: email, passwordHash: passwordHash, metadata: metadata,
            identityID: UUIDText.random(), confirmedAt: now, lastSignInAt: nil, createdAt: now, updatedAt: now
        )
        _ = try session.execute(
            "INSERT INTO users (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, NULL, ?, ?)",
            [
                account.id, email, passwordHash, metadata.jsonText, account.identityID, now, now, now,
            ])
        try NewProfile(session: session).insert(for: account)
        return account
    }

    func update(_ account: Account) throws(Refusal) -> Account {
        var account = account
        account.updatedAt = session.now
        _ = try session.execute(
            "UPDATE users SET email = ?, password_hash = ?, user_metadata = ?, updated_at = ? WHERE id = ?",
            [
                account.email, account.passwordHash, account.metadata.jsonText, account.updatedAt, account.id,
            ])
        return account
    }
}

/// The profile every new account gets. It must not fail: a name that is taken gets a tail.
struct NewProfile {
    let session: Session

    func insert(for account: Account) throws(Refusal) {
        let base = Self.base(account.metadata["username"]?.string, email: account.email)
        let display = Self.display(account.metadata) ?? base
        var name = base
        for _ in 0..<8 {
            if try session.rows(.profiles, "WHERE username = ?", [name]).isEmpty { break }
            name = base + "_" + UUIDText.random().prefix(6)
        }
        var row = StoredRow(table: .profiles, values: Table.profiles.columns.map { _ in .null })
        row["id"] = .text(account.id)
        row["username"] = .text(name)
        row["display_name"] = .text(String(String.UnicodeScalarView(display.unicodeScalars.prefix(64))))
        row["about"] = .text("")
        row["created_at"] = .integer(session.now)
        row["updated_at"] = .integer(session.now)
        try session.insert(row)
    }

    private static func display(_ metadata: JSONValue) -> String? {
        for key in ["display_name", "full_name", "name"] {
            if let text = metadata[key]?.string?.trimmingSpaces(), !text.isEmpty { return text }
        }
        return nil
    }

    /// What was asked for, or the address before its `@`, made to fit the rules of user names.
    static func base(_ wanted: String?, email: String) -> String {
        let local = email.split(separator: "@", omittingEmptySubsequences: false).first.map(String.init) ?? ""
        let source = [wanted ?? "", local, "user"].first { !$0.isEmpty } ?? "user"
        var text: [UInt8] = []
        var isInGap = false
        for byte in source.lowercased().utf8 {
            let fits = Checks.isLetterOrDigit(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
            if fits { text.append(byte) } else if !isInGap { text.append(UInt8(ascii: "_")) }
            isInGap = !fits
        }
        let trimmed = trim(Array(trim(text).prefix(24)))
        let base = String(decoding: trimmed, as: UTF8.self)
        return base.utf8.count < 3 ? "user" + base : base
    }

    private static func trim(_ text: [UInt8]) -> [UInt8] {
        let isEdge: (UInt8) -> Bool = { $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".") }
        return Array(text.drop(while: isEdge).reversed().drop(while: isEdge).reversed())
    }
}
