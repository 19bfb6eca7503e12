import FoundationEssentials

/// Somebody with an account at the service. The names are theirs: untrusted text.
package struct Person: Sendable, Hashable, Identifiable, Codable {
    package let id: UUID
    /// Unique at the service, for finding and mentioning.
    package var username: String
    package var displayName: String

    package init(id: UUID, username: String, displayName: String) {
        self.id = id
        self.username = username
        self.displayName = displayName
    }

    enum CodingKeys: String, CodingKey {
        case id, username
        case displayName = "display_name"
    }
}

/// A person's place in one conversation.
package struct Member: Sendable, Hashable, Identifiable {
    package let conversationID: UUID
    package var person: Person
    package var isManager: Bool
    package var hasLeft: Bool
    /// Positions up to which they have received and read; never move back. `nil`: nothing yet.
    package var deliveredPosition: Int64?
    package var readPosition: Int64?

    package var id: UUID { person.id }

    package init(
        conversationID: UUID, person: Person, isManager: Bool = false, hasLeft: Bool = false,
        deliveredPosition: Int64? = nil, readPosition: Int64? = nil
    ) {
        self.conversationID = conversationID
        self.person = person
        self.isManager = isManager
        self.hasLeft = hasLeft
        self.deliveredPosition = deliveredPosition
        self.readPosition = readPosition
    }
}
