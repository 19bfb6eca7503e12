import Backend
import FoundationEssentials
import Models

/// What the server answers to questions, in pages that may be shorter than anybody asked for.
extension ModelServer {
    func heads(for user: UUID, before anchor: ConversationHead?) -> [ConversationHead] {
        let all = rooms.values.filter { isMember(user, of: $0.id) }.map { head(of: $0, for: user) }
            .sorted { Self.key($1) < Self.key($0) }
        let rest = anchor.map { anchor in all.filter { Self.key($0) < Self.key(anchor) } } ?? all
        return Array(rest.prefix(pages.heads))
    }

    private static func key(_ head: ConversationHead) -> (Int64, UUID) {
        (head.conversation.activityAt, head.conversation.id)
    }

    private func head(of room: Room, for user: UUID) -> ConversationHead {
        var newest = room.order.last.flatMap { room.messages[$0] }
        newest?.version = 0
        var conversation = Conversation(
            id: room.id, title: room.title, isGroup: room.isGroup, lastMessage: newest,
            unreadCount: unread(of: user, in: room.id), activityAt: newest?.position ?? room.begunAt,
            memberCount: room.places.values.count { !$0.hasLeft })
        let others = room.places.filter { $0.key != user && !$0.value.hasLeft }
        conversation.readPosition = room.places[user]?.read
        conversation.othersDeliveredPosition = Self.least(others.values.map(\.delivered))
        conversation.othersReadPosition = Self.least(others.values.map(\.read))
        if !room.isGroup { conversation.peer = others.keys.first.flatMap { people[$0] } }
        return ConversationHead(
            conversation: conversation, changed: Self.cursor(room.changedAt), pageToken: room.id.text)
    }

    /// `nil` as long as one of them has nothing.
    private static func least(_ marks: [Int64?]) -> Int64? {
        marks.contains(nil) ? nil : marks.compactMap { $0 }.min()
    }

    /// Newest first. As `ChatBackend` wants it, who is not in the conversation is told so, and not that there is nothing.
    func history(of id: UUID, before anchor: MessageAnchor?, limit: Int, for user: UUID)
        -> Result<[MessageChange], BackendError>
    {
        guard let room = rooms[id], isMember(user, of: id) else { return .failure(.notAllowed) }
        let older = messages(in: id).filter { message in
            guard let anchor, let position = message.position else { return true }
            return (position, message.id) < (anchor.position, anchor.id)
        }
        let page = older.suffix(min(limit, pages.messages)).reversed().map { message in
            let reactions = room.reactions.values.filter { $0.messageID == message.id }
            return MessageChange(message: message, reactions: reactions.sorted { $0.version < $1.version })
        }
        return .success(page)
    }

    /// Messages to their empty page, then reactions to theirs.
    func changes(in id: UUID, after cursor: SyncCursor, page: ChangePageToken?, for user: UUID)
        -> Result<ChangePage, BackendError>
    {
        let place =
            page.flatMap { ChangePlace(rawValue: $0.rawValue) }
            ?? ChangePlace(isReactions: false, after: cursor.order)
        guard let room = rooms[id], isMember(user, of: id) else { return .failure(.notAllowed) }
        if !place.isReactions {
            let rows = room.messages.values.filter { $0.version > place.after }
                .sorted { $0.version < $1.version }.prefix(pages.changes)
            if let last = rows.last {
                return .success(
                    ChangePage(
                        messages: rows.map { MessageChange(message: $0) }, reactions: [],
                        next: ChangePlace(isReactions: false, after: last.version).token))
            }
        }
        let after = place.isReactions ? place.after : cursor.order
        let rows = room.reactions.values.filter { $0.version > after }.sorted { $0.version < $1.version }
            .prefix(pages.changes)
        return .success(
            ChangePage(
                messages: [], reactions: Array(rows),
                next: rows.last.map { ChangePlace(isReactions: true, after: $0.version).token }))
    }

    func members(of id: UUID, for user: UUID) -> Result<[Member], BackendError> {
        guard let room = rooms[id], room.places[user] != nil else { return .failure(.notFound) }
        return .success(
            room.places.sorted { $0.key < $1.key }.map { userID, place in
                Member(
                    conversationID: id,
                    person: people[userID] ?? Person(id: userID, username: "", displayName: ""),
                    hasLeft: place.hasLeft, deliveredPosition: place.delivered, readPosition: place.read)
            })
    }
}

/// Where a read of changes goes on.
nonisolated private struct ChangePlace {
    let isReactions: Bool
    let after: Int64

    init(isReactions: Bool, after: Int64) {
        self.isReactions = isReactions
        self.after = after
    }

    init?(rawValue: String) {
        guard let number = Int64(rawValue.dropFirst()) else { return nil }
        self.init(isReactions: rawValue.hasPrefix("r"), after: number)
    }

    var token: ChangePageToken { ChangePageToken(rawValue: (isReactions ? "r" : "m") + String(after)) }
}
