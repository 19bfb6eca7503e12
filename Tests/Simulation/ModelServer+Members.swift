import Backend
import FoundationEssentials
import Models

/// Who comes and goes, who is there now, and messages that somebody removes outright.
extension ModelServer {
    /// Puts somebody into a conversation, for the first time or again.
    func put(_ user: UUID, into room: UUID) {
        guard rooms[room] != nil, !isMember(user, of: room) else { return }
        rooms[room]?.places[user, default: Place()].hasLeft = false
        tellMember(user, of: room)
        tellPresence(in: room)
    }

    /// Whoever left sees nothing of the conversation any more; what is told last is that.
    func takeOut(_ user: UUID, of room: UUID) {
        guard isMember(user, of: room) else { return }
        rooms[room]?.places[user]?.hasLeft = true
        wereOut.insert(Wishes.Place(userID: user, room: room))
        tellMember(user, of: room)
        tellPresence(in: room)
    }

    private func tellMember(_ user: UUID, of room: UUID) {
        guard let place = rooms[room]?.places[user] else { return }
        let change = MemberChange(
            conversationID: room, userID: user, isManager: false, hasLeft: place.hasLeft,
            deliveredPosition: place.delivered, readPosition: place.read)
        for link in attached where isMember(link.userID, of: room) || link.userID == user {
            link.deliver(.member(change))
        }
    }

    /// No mark stays in its place, and no question tells of it later: only who listens now hears of it.
    func remove(_ id: UUID, in room: UUID) {
        guard rooms[room]?.messages.removeValue(forKey: id) != nil else { return }
        rooms[room]?.order.removeAll { $0 == id }
        let rest = rooms[room]?.reactions.filter { $0.key.messageID != id }
        rooms[room]?.reactions = rest ?? [:]
        removed.insert(id)
        for link in attached { link.deliver(.messageRemoved(id)) }
    }

    /// Who holds the conversation's channel by a link that stands.
    func present(in room: UUID) -> Set<UUID> {
        Set(attached.filter { $0.holds(room) && isMember($0.userID, of: room) }.map(\.userID))
    }

    func tellPresence(in room: UUID) {
        let people = present(in: room)
        for link in attached where link.holds(room) && isMember(link.userID, of: room) {
            link.deliver(.presence(conversationID: room, userIDs: people))
        }
    }
}
