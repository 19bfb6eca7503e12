import Backend
import FoundationEssentials
import Models

extension FakeServer.State {
    /// Tells an event to every live link of the conversation's members.
    func tell(_ conversationID: UUID, _ event: BackendEvent) {
        guard let room = rooms[conversationID] else { return }
        for link in links.values where link.isLive && !skipped.contains(link.userID) {
            guard let mark = room.marks[link.userID], !mark.hasLeft || event.isMember(link.userID) else {
                continue
            }
            link.continuation.yield(event)
        }
    }

    mutating func insert(_ outgoing: OutgoingMessage, from userID: UUID) -> Message? {
        guard let mark = rooms[outgoing.conversationID]?.marks[userID], !mark.hasLeft else { return nil }
        if let stored = rooms[outgoing.conversationID]?.messages[outgoing.id] { return stored }
        now += 1
        var message = Message.stored(
            storedForm(outgoing.body), id: outgoing.id, in: outgoing.conversationID, from: userID, at: now)
        message.replyTo = outgoing.replyTo
        message.attachment = outgoing.attachment
        rooms[outgoing.conversationID]?.messages[message.id] = message
        rooms[outgoing.conversationID]?.changed = now
        tell(message.conversationID, .message(MessageChange(message: message)))
        tell(message.conversationID, .conversation(id: message.conversationID, cursor: .at(now)))
        return message
    }

    mutating func perform(_ operation: OutgoingOperation, as userID: UUID) -> OperationOutcome {
        guard let room = rooms[operation.conversationID], room.marks[userID].map({ !$0.hasLeft }) ?? false
        else {
            return .refused(.notAMember)
        }
        switch operation {
        case .send(let message):
            guard let stored = insert(message, from: userID) else { return .refused(.notAMember) }
            return .stored(change(stored))
        case .edit(let id, let conversationID, let body):
            return update(id, in: conversationID, by: userID) { $0.body = body }
        case .delete(let id, let conversationID):
            return update(id, in: conversationID, by: userID) { message in
                message.body = ""
                message.attachment = nil
                message.deletedAt = message.createdAt
            }
        case .react(let id, let conversationID, let symbol, let isOn):
            return react(to: id, in: conversationID, symbol, isOn, by: userID)
        case .markRead(let conversationID, let id):
            return mark(id, in: conversationID, isRead: true, by: userID)
        case .markDelivered(let conversationID, let id):
            return mark(id, in: conversationID, isRead: false, by: userID)
        case .removeFiles(let id, let conversationID):
            let folder = "\(conversationID.text)/\(id.text)/"
            files = files.filter { !$0.key.hasPrefix(folder) || $0.value.owner != userID }
            return .stored(nil)
        }
    }

    private func change(_ message: Message) -> MessageChange {
        let reactions = rooms[message.conversationID]?.reactions.values.filter { $0.messageID == message.id }
        return MessageChange(message: message, reactions: reactions)
    }

    private mutating func update(
        _ id: UUID, in conversationID: UUID, by userID: UUID, _ edit: (inout Message) -> Void
    ) -> OperationOutcome {
        guard var message = rooms[conversationID]?.messages[id], message.senderID == userID else {
            return .refused(.messageGone)
        }
        let before = message
        edit(&message)
        guard message != before else { return .stored(change(before)) }
        guard !before.isDeleted else { return .refused(.messageGone) }
        now += 1
        message.version = now
        if !message.isDeleted { message.editedAt = message.createdAt }
        rooms[conversationID]?.messages[id] = message
        rooms[conversationID]?.changed = now
        tell(conversationID, .message(MessageChange(message: message)))
        tell(conversationID, .conversation(id: conversationID, cursor: .at(now)))
        return .stored(change(message))
    }

    private mutating func react(
        to id: UUID, in conversationID: UUID, _ symbol: String, _ isOn: Bool, by userID: UUID
    ) -> OperationOutcome {
        guard rooms[conversationID]?.messages[id] != nil else { return .refused(.messageGone) }
        let key = FakeServer.ReactionKey(messageID: id, userID: userID, symbol: symbol)
        let held = rooms[conversationID]?.reactions[key]
        guard held?.isOn ?? false != isOn else { return held.map { .reacted($0) } ?? .stored(nil) }
        now += 1
        let reaction = ReactionChange(
            messageID: id, conversationID: conversationID, userID: userID, symbol: symbol, isOn: isOn,
            version: now)
        rooms[conversationID]?.reactions[key] = reaction
        rooms[conversationID]?.changed = now
        tell(conversationID, .reaction(reaction))
        tell(conversationID, .conversation(id: conversationID, cursor: .at(now)))
        return .reacted(reaction)
    }

    private mutating func mark(_ id: UUID?, in conversationID: UUID, isRead: Bool, by userID: UUID)
        -> OperationOutcome
    {
        guard let room = rooms[conversationID], var mark = room.marks[userID] else {
            return .refused(.notAMember)
        }
        let newest = room.messages.values.compactMap(\.position).max()
        guard let position = id.map({ room.messages[$0]?.position }) ?? newest else {
            return id == nil ? .stored(nil) : .refused(.messageGone)
        }
        let before = (mark.delivered, mark.read)
        mark.delivered = max(mark.delivered ?? .min, position)
        if isRead { mark.read = max(mark.read ?? .min, position) }
        rooms[conversationID]?.marks[userID] = mark
        if before.0 != mark.delivered || before.1 != mark.read { tellMember(userID, in: conversationID) }
        return .stored(nil)
    }

    func tellMember(_ userID: UUID, in conversationID: UUID) {
        guard let mark = rooms[conversationID]?.marks[userID] else { return }
        tell(
            conversationID,
            .member(
                MemberChange(
                    conversationID: conversationID, userID: userID, isManager: false, hasLeft: mark.hasLeft,
                    deliveredPosition: mark.delivered, readPosition: mark.read)))
    }

    // MARK: Reading

    func heads(for userID: UUID) -> [ConversationHead] {
        let ids = rooms.filter { $0.value.marks[userID].map { !$0.hasLeft } ?? false }.keys
        return ids.compactMap { head($0, for: userID) }.sorted {
            ($1.conversation.activityAt, $1.conversation.id) < (
                $0.conversation.activityAt, $0.conversation.id
            )
        }
    }

    private func head(_ id: UUID, for userID: UUID) -> ConversationHead? {
        guard let room = rooms[id], let own = room.marks[userID] else { return nil }
        let last = room.messages.values.max { Message.isOrdered($0, before: $1) }
        let others = room.marks.filter { $0.key != userID && !$0.value.hasLeft }
        var conversation = Conversation(
            id: id, title: room.title, isGroup: room.isGroup, lastMessage: last,
            activityAt: last?.position ?? room.begunAt,
            memberCount: room.marks.values.count { !$0.hasLeft })
        conversation.unreadCount = room.messages.values.count { message in
            message.senderID != userID && !message.isDeleted && message.position ?? 0 > own.read ?? .min
        }
        conversation.readPosition = own.read
        let delivered = others.values.map(\.delivered)
        conversation.othersDeliveredPosition =
            delivered.contains(nil) ? nil : delivered.compactMap(\.self).min()
        let read = others.values.map(\.read)
        conversation.othersReadPosition = read.contains(nil) ? nil : read.compactMap(\.self).min()
        if !room.isGroup { conversation.peer = others.first.flatMap { people[$0.key] } }
        return ConversationHead(conversation: conversation, changed: .at(room.changed), pageToken: id.text)
    }

    func changes(in id: UUID, after cursor: SyncCursor, page: ChangePageToken?, limit: Int) -> ChangePage {
        let start = page.flatMap { Int64($0.rawValue) } ?? cursor.order
        let room = rooms[id]
        let messages = (room?.messages.values.filter { $0.version > start } ?? []).sorted {
            $0.version < $1.version
        }
        let some = Array(messages.prefix(limit))
        let isLast = some.count == messages.count
        let reactions = isLast ? room?.reactions.values.filter { $0.version > cursor.order } ?? [] : []
        return ChangePage(
            messages: some.map { MessageChange(message: $0) }, reactions: reactions,
            next: isLast ? nil : some.last.map { ChangePageToken(rawValue: String($0.version)) })
    }
}

extension BackendEvent {
    /// Whether it is about somebody's own membership.
    fileprivate func isMember(_ userID: UUID) -> Bool {
        if case .member(let change) = self { change.userID == userID } else { false }
    }
}
