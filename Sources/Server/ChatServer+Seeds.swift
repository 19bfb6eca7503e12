import FoundationEssentials
import SQLite
import SupabaseWire

/// Somebody a history is made with.
package struct SeedPerson: Sendable, Equatable {
    /// Signs in with this address and password.
    package var email: String
    package var password: String
    /// Lower-case letters, digits, `_` and `.`, 3 to 32 of them; free.
    package var username: String
    package var displayName: String
    package var about: String

    package init(email: String, password: String, username: String, displayName: String, about: String = "") {
        self.email = email
        self.password = password
        self.username = username
        self.displayName = displayName
        self.about = about
    }
}

/// A message of the past.
package struct SeedMessage: Sendable, Equatable {
    package var id: UUID
    package var conversationID: UUID
    package var senderID: UUID
    package var body: String
    /// Microseconds since 1970, in the past and rising from call to call within a conversation.
    package var createdAt: Int64
    package var replyTo: UUID?
    /// When its author changed it, in microseconds since 1970; `nil` for one that stands as it was written.
    package var editedAt: Int64?
    /// When its author took it back; its body is dropped then.
    package var deletedAt: Int64?

    package init(
        id: UUID = UUID(), conversationID: UUID, senderID: UUID, body: String, createdAt: Int64,
        replyTo: UUID? = nil, editedAt: Int64? = nil, deletedAt: Int64? = nil
    ) {
        self.id = id
        self.conversationID = conversationID
        self.senderID = senderID
        self.body = body
        self.createdAt = createdAt
        self.replyTo = replyTo
        self.editedAt = editedAt
        self.deletedAt = deletedAt
    }
}

/// Making a history, for demonstrations and tests. In this process only: no client can ask for it.
///
/// Whoever is connected hears of it as of anything else. All of these throw `.storage` when a rule of the schema
/// refuses what is to be made, or the server does not run.
extension ChatServer {
    /// Makes an account with its profile.
    /// - Returns: The user's id.
    package func seedUser(_ person: SeedPerson) async throws(ServerError) -> UUID {
        let auth = try seeding().auth
        return try await Self.seed { () throws(Refusal) in
            let address = try Credentials.address(person.email)
            let hash = try await auth.hash(person.password)
            let metadata: JSONValue = [
                "username": .string(person.username), "display_name": .string(person.displayName),
            ]
            return try await auth.database.write { session throws(Refusal) in
                let account = try Accounts(session: session)
                    .create(email: address, passwordHash: hash, metadata: metadata)
                guard let old = try session.row(.profiles, key: [account.id]) else {
                    throw Refusal(500, "XX000", "no profile")
                }
                var profile = old
                profile["about"] = .text(person.about)
                try Checks.profile(profile)
                try session.update(old, to: profile)
                return account.id
            }
        }
    }

    /// Makes a conversation, or answers the one the two people have.
    /// - Parameters:
    ///   - title: Makes a group; `nil` with one other member makes a one-to-one conversation.
    ///   - createdAt: Microseconds since 1970.
    package func seedConversation(
        by owner: UUID, with others: [UUID], title: String? = nil, createdAt: Int64
    ) async throws(ServerError) -> UUID {
        let database = try seeding().database
        return try await Self.seed { () throws(Refusal) in
            try await database.write { session throws(Refusal) in
                let arguments = try FunctionArguments(
                    .createConversation,
                    object: [
                        "p_member_ids": .array(others.map { .string($0.uuidString) }),
                        "p_title": title.map { .string($0) } ?? .null,
                        "p_is_group": .bool(title != nil || others.count != 1),
                    ], now: session.now)
                let user = owner.uuidString.lowercased()
                let old = try ConversationFunctions(session: session, user: user).create(arguments)
                var row = old
                row["created_at"] = .integer(createdAt)
                try session.update(old, to: row)
                return row.text("id") ?? ""
            }
        }
    }

    /// Stores a message with the time it was written.
    package func seedMessage(_ message: SeedMessage) async throws(ServerError) {
        let database = try seeding().database
        _ = try await Self.seed { () throws(Refusal) in
            try await database.write { session throws(Refusal) in
                var row = StoredRow(table: .messages, values: Table.messages.columns.map { _ in .null })
                row["id"] = .text(message.id.uuidString.lowercased())
                row["conversation_id"] = .text(message.conversationID.uuidString.lowercased())
                row["sender_id"] = .text(message.senderID.uuidString.lowercased())
                row["body"] = .text(message.deletedAt == nil ? message.body : "")
                row["edited_at"] = message.editedAt.map { .integer($0) } ?? .null
                row["deleted_at"] = message.deletedAt.map { .integer($0) } ?? .null
                row["reply_to"] = message.replyTo.map { .text($0.uuidString.lowercased()) } ?? .null
                let rules = MessageRules(session: session, user: message.senderID.uuidString.lowercased())
                return try rules.insertPast(row, at: message.createdAt).text("id") ?? ""
            }
        }
    }

    /// Removes a message for good, with its reactions. Whoever is connected hears of it; who is not keeps it, for
    /// what is gone leaves nothing to catch up with.
    package func erase(message: UUID) async throws(ServerError) {
        let database = try seeding().database
        _ = try await Self.seed { () throws(Refusal) in
            try await database.write { session throws(Refusal) in
                let id = message.uuidString.lowercased()
                if let row = try session.row(.messages, key: [id]) { try session.delete(row) }
                return id
            }
        }
    }

    /// Lets somebody react.
    package func seedReaction(_ symbol: String, to message: UUID, by user: UUID) async throws(ServerError) {
        try await seedCall(
            .setReaction, ["p_message_id": .string(message.uuidString), "p_symbol": .string(symbol)], as: user
        )
    }

    /// Lets somebody have read up to a message, or up to the newest.
    package func seedRead(_ conversation: UUID, through message: UUID? = nil, by user: UUID)
        async throws(ServerError)
    {
        try await seedCall(
            .markRead,
            [
                "p_conversation_id": .string(conversation.uuidString),
                "p_message_id": message.map { .string($0.uuidString) } ?? .null,
            ], as: user)
    }

    private func seedCall(_ function: Function, _ arguments: [String: JSONValue], as user: UUID)
        async throws(ServerError)
    {
        let database = try seeding().database
        _ = try await Self.seed { () throws(Refusal) in
            try await database.write { session throws(Refusal) in
                let arguments = try FunctionArguments(function, object: arguments, now: session.now)
                let members = MemberFunctions(session: session, user: user.uuidString.lowercased())
                if function == .markRead {
                    _ = try members.mark(arguments, isRead: true)
                } else {
                    _ = try members.setReaction(arguments)
                }
                return user.uuidString
            }
        }
    }

    private static func seed(_ body: () async throws(Refusal) -> String) async throws(ServerError) -> UUID {
        let text: String
        do { text = try await body() } catch { throw .storage("\(error.code) \(error.message)") }
        guard let id = UUID(uuidString: text) else { throw .storage("not an id") }
        return id
    }
}
