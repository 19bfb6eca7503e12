import FoundationEssentials
import SupabaseWire
import Testing
import WireFixtures

/// How the client reads each shape that a server sends.
enum ClientReading: Sendable {
    /// Rows by themselves; the columns are those that the client has no use for.
    case rows(RowReading)
    case object(unread: Set<String>, @Sendable (Data) throws -> JSONValue)
    /// A frame of the change feed: the row in it is read at once.
    case change(unread: Set<String>)
    case frame
    /// Of no shape of its own: looked into where it is used.
    case value

    static func rows<Row: WireObject & Reencoded>(_ type: Row.Type, unread: Set<String> = []) -> ClientReading
    {
        .rows(RowReading(type, unread: unread))
    }

    static func object<Value: WireObject & Reencoded>(
        _ type: Value.Type, unread: Set<String> = []
    ) -> ClientReading {
        .object(unread: unread) { try WireCoding.decode(Value.self, from: $0).json }
    }

    /// An error, of which the words are read that are looked at anywhere.
    static func error(unread: Set<String> = [], _ words: [String]) -> ClientReading {
        .object(unread: unread) { data in
            let auth = try WireCoding.decode(AuthErrorBody.self, from: data)
            let rest = try WireCoding.decode(RestErrorBody.self, from: data)
            var members: [String: JSONValue] = [:]
            for word in words {
                switch word {
                case "code": members[word] = .of(rest.code)
                case "error_code": members[word] = .of(auth.code)
                case "error": members[word] = .of(auth.error)
                case "message": members[word] = .of(rest.message)
                case "weak_password": members[word] = ["reasons": .array(auth.weaknesses.map { .string($0) })]
                default: members[word] = .of(auth.message)
                }
            }
            return .object(members)
        }
    }
}

struct RowReading: Sendable {
    let unread: Set<String>
    /// The rows that could be read, and the places of those that could not.
    let read: @Sendable (Data) throws -> (rows: [JSONValue], failures: [Int])

    init<Row: WireObject & Reencoded>(_ type: Row.Type, unread: Set<String>) {
        self.unread = unread
        read = { data in
            let rows = try WireCoding.decode(LossyRows<Row>.self, from: data)
            #expect(rows.count == rows.rows.count + rows.failures.count)
            return (rows.rows.map(\.json), rows.failures.map(\.index))
        }
    }
}

extension ClientReading {
    private static let conversationColumns: Set = [
        "direct_key", "avatar_path", "created_by", "last_message_at", "created_at",
    ]
    private static let sessionMembers: Set = [
        "token_type", "weak_password", "provider_token", "aud", "role", "email", "email_confirmed_at",
        "phone",
        "confirmed_at", "last_sign_in_at", "app_metadata", "user_metadata", "identities", "created_at",
        "updated_at", "is_anonymous", "confirmation_sent_at",
    ]
    private static let feedMembers: Set = ["schema", "commit_timestamp", "columns", "ids"]

    /// By the names of the fixtures.
    static let all: [String: ClientReading] = auth.merging(rest) { $1 }.merging(realtime) { $1 }
        .merging(storage) { $1 }

    private static let auth: [String: ClientReading] = [
        "auth/session.answer": .object(SessionBody.self, unread: sessionMembers),
        "auth/session-hosted.answer": .object(SessionBody.self, unread: sessionMembers),
        "auth/user.answer": .object(UserBody.self, unread: sessionMembers),
        "auth/user-unconfirmed.answer": .object(UserBody.self, unread: sessionMembers),
        "auth/error.answer": .error(["code", "message"]),
        "auth/error-unversioned.answer": .error(unread: ["code"], ["error_code", "msg"]),
        "auth/error-weak-password.answer": .error(["code", "message", "weak_password"]),
        "auth/error-weak-password-unversioned.answer": .error(
            unread: ["code"], ["error_code", "msg", "weak_password"]),
        "auth/error-oldest.answer": .error(["error", "error_description"]),
        // Nobody asks for these three; the token is read where a session is kept.
        "auth/health.answer": .value, "auth/settings.answer": .value, "auth/keys.answer": .value,
        "auth/claims.token": .value,
        "gateway/no-key.answer": .error(unread: ["hint"], ["message"]),
        "gateway/unknown-key.answer": .error(unread: ["hint"], ["message"]),
        "gateway/unknown-key-self-hosted.answer": .error(["message"]),
        "gateway/health.answer": .object(unread: [
            "version", "sockets", "channels", "queue", "file_bytes", "rows",
        ]) {
            ["publishable_key": .of(try WireCoding.decode(HealthBody.self, from: $0).publishableKey)]
        },
    ]

    private static let rest: [String: ClientReading] = [
        "rest/profiles.rows": .rows(
            ProfileRow.self, unread: ["about", "avatar_path", "created_at", "updated_at"]),
        "rest/profile-names.rows": .rows(ProfileRow.self),
        "rest/conversations.rows": .rows(ConversationRow.self, unread: conversationColumns),
        "rest/members.rows": .rows(MemberRow.self),
        "rest/members-with-names.rows": .rows(NamedMemberRow.self),
        "rest/messages.rows": .rows(MessageRow.self),
        "rest/messages-with-reactions.rows": .rows(MessageWithReactionsRow.self),
        "rest/reactions.rows": .rows(ReactionRow.self),
        "rest/list-conversations.rows": .rows(
            ListedConversationRow.self, unread: ["avatar_path", "created_at"]),
        "rest/none.rows": .rows(MessageRow.self),
        "rest/create-conversation.answer": .object(ConversationRow.self, unread: conversationColumns),
        "rest/set-reaction.answer": .object(ReactionRow.self),
        // What was set is told by the feed and by the list.
        "rest/flags.rows": .value, "rest/set-flags.answer": .value, "rest/set-reaction-none.answer": .value,
        "rest/add-members.answer": .value, "rest/mark.answer": .value,
    ].merging(named("rest/error-", .error(unread: ["details", "hint"], ["code", "message"]))) { $1 }

    private static let realtime: [String: ClientReading] = named("realtime/", .frame).merging(
        changes.merging(
            [
                // Read where the socket is opened, and by nobody: this client broadcasts over its socket.
                "realtime/refused.answer": .value, "realtime/broadcast-unauthorized.answer": .value,
                "realtime/broadcast-invalid.answer": .value,
            ]) { $1 }
    ) { $1 }

    private static let changes: [String: ClientReading] = [
        "insert-message": [], "update-message": ["old_record"], "delete-message": [], "insert-reaction": [],
        "update-reaction": ["old_record"], "delete-reaction": [], "insert-member": [],
        "update-member": ["old_record"], "update-conversation": conversationColumns.union(["old_record"]),
        // Only what names the row is left.
        "insert-too-large": Set(MessageRow.CodingKeys.allCases.map(\.stringValue))
            .subtracting(["id", "conversation_id"]),
        "insert-denied": [], "update-other-table": ["record", "old_record"],
    ].reduce(into: [:]) { changes, change in
        changes["realtime/\(change.key).v1.server"] = .change(unread: change.value.union(feedMembers))
    }

    private static let storage: [String: ClientReading] = named("storage/", .value)

    /// The same reading for every fixture of the server whose name begins so.
    private static func named(_ prefix: String, _ reading: ClientReading) -> [String: ClientReading] {
        let names = WireFixture.all.filter { $0.isFromServer && !$0.isBinary && $0.name.hasPrefix(prefix) }
        return Dictionary(uniqueKeysWithValues: names.map { ($0.name, reading) })
    }
}
