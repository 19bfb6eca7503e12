import FoundationEssentials

/// Names an account: the UUID, version 5, of its kind, base address and user id (RFC 9562 section 5.5).
package struct AccountID: RawRepresentable, Sendable, Hashable, Codable {
    package let rawValue: UUID
    package init(rawValue: UUID) { self.rawValue = rawValue }
}

/// Names a conversation above the engines: two accounts on one server share conversation ids.
package struct ConversationRef: Sendable, Hashable {
    package let account: AccountID
    package let id: UUID

    package init(account: AccountID, id: UUID) {
        self.account = account
        self.id = id
    }
}
