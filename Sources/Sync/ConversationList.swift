import FoundationEssentials
import Models

/// The conversations of an account in the list's order: newest activity first.
struct ConversationList {
    private(set) var sorted: [Conversation] = []

    var ids: [UUID] { sorted.map(\.id) }

    func contains(_ id: UUID) -> Bool { sorted.contains { $0.id == id } }

    mutating func replace(with conversations: [Conversation]) {
        sorted = conversations
        sort()
    }

    mutating func update(_ changed: [Conversation], removing left: Set<UUID>) {
        let ids = Set(changed.map(\.id)).union(left)
        sorted.removeAll { ids.contains($0.id) }
        sorted += changed.filter { !left.contains($0.id) }
        sort()
    }

    private mutating func sort() {
        sorted.sort { ($1.activityAt, $1.id) < ($0.activityAt, $0.id) }
    }
}
