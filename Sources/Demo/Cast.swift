import FoundationEssentials

/// Who is who on the demo's server.
struct Cast: Sendable {
    /// Users by role.
    let ids: [Role: UUID]
    /// Members by conversation, of those that were there from the start.
    let conversations: [UUID: [Role]]
    let group: UUID?
    let seed: UInt64

    var you: UUID? { ids[.you] }

    /// `nil` for a conversation that was started later.
    func companions(in conversation: UUID) -> [Role]? {
        conversations[conversation].map { members in Role.companions.filter(members.contains) }
    }
}
