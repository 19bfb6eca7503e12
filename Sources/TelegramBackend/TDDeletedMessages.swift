import FoundationEssentials

/// TDLib's `updateDeleteMessages`: three different things under one name, told apart by two flags.
package struct TDDeletedMessages: Sendable, Hashable {
    /// What has become of the messages.
    package enum Meaning: Sendable, Hashable {
        /// The library only made room in its memory: they are there, and what is shown of them stays.
        case unloaded
        /// Somebody deleted them.
        case deleted
        /// This account may not see them any more, because it left the group for one. Nobody deleted them, and nothing
        /// may say so.
        case outOfReach

        /// Whether they are to be taken from the screen and from the store.
        package var removes: Bool { self != .unloaded }
    }

    package let chatID: Int64
    package let messageIDs: [Int64]
    package let meaning: Meaning

    /// Reads an update as the library wrote it.
    /// - Returns: `nil` when it is another update, or has no such shape.
    package init?(_ update: Data) {
        // What cannot be read removes nothing: a deletion that was missed is found when the chat is read again.
        guard let update = try? JSONDecoder().decode(Update.self, from: update),
            update.type == "updateDeleteMessages"
        else { return nil }
        chatID = update.chatID
        messageIDs = update.messageIDs
        // A flag that is left out counts against removing.
        meaning =
            if update.fromCache ?? true {
                .unloaded
            } else if update.isPermanent ?? false {
                .deleted
            } else {
                .outOfReach
            }
    }

    private struct Update: Decodable {
        let type: String
        let chatID: Int64
        let messageIDs: [Int64]
        let isPermanent: Bool?
        let fromCache: Bool?

        enum CodingKeys: String, CodingKey {
            case type = "@type"
            case chatID = "chat_id"
            case messageIDs = "message_ids"
            case isPermanent = "is_permanent"
            case fromCache = "from_cache"
        }
    }
}
