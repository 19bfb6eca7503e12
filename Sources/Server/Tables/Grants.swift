/// Which columns a signed-in user may write at all; whose rows is the policies' business.
extension Table {
    var insertable: Set<String> {
        switch self {
        case .profiles: ["id", "username", "display_name", "about", "avatar_path"]
        case .messages: Self.messageColumnNames
        case .reactions: ["message_id", "user_id", "symbol", "removed_at"]
        case .conversations, .conversationMembers, .conversationFlags: []
        }
    }

    private static let messageColumnNames = Set(Table.messages.columns.map(\.name))

    var updatable: Set<String> {
        switch self {
        case .profiles: ["username", "display_name", "about", "avatar_path"]
        case .conversations: ["title", "avatar_path"]
        case .messages: ["body", "deleted_at"]
        case .reactions: ["message_id", "user_id", "symbol", "removed_at"]
        case .conversationMembers, .conversationFlags: []
        }
    }

    /// The sets of columns an insert may name as the key it conflicts on; the first is the default.
    var uniqueKeys: [Set<String>] {
        switch self {
        case .profiles: [["id"], ["username"]]
        case .conversations: [["id"], ["direct_key"]]
        case .conversationMembers, .conversationFlags: [["conversation_id", "user_id"]]
        case .messages: [["id"], ["id", "conversation_id"]]
        case .reactions: [["message_id", "user_id", "symbol"]]
        }
    }
}
