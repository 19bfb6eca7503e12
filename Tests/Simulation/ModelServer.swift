import Backend
import FoundationEssentials
import Models

/// The service as `ChatBackend` describes it, and no friendlier: short pages, marks for each member, one row for
/// each person and symbol, and a feed that only tells what is committed while it is attached.
final class ModelServer {
    struct Place {
        var hasLeft = false
        var delivered: Int64?
        var read: Int64?
    }

    struct ReactionKey: Hashable {
        let messageID: UUID
        let userID: UUID
        let symbol: String
    }

    struct Room {
        let id: UUID
        let title: String
        let isGroup: Bool
        let begunAt: Int64
        var places: [UUID: Place]
        var messages: [UUID: Message] = [:]
        /// By position, which is by commit.
        var order: [UUID] = []
        var reactions: [ReactionKey: ReactionChange] = [:]
        var changedAt: Int64
    }

    /// Most rows of one answer.
    struct Pages {
        var heads = 50
        var messages = 100
        var changes = 100
    }

    let agenda: Agenda
    let pages: Pages
    var rooms: [UUID: Room] = [:]
    private(set) var people: [UUID: Person] = [:]
    /// How wrong the server's clock is.
    var clockError = Duration.zero
    /// Refuses messages marked as bad, as a filter of somebody's would.
    var refusesBad = true
    /// By path.
    var files: [String: StoredFile] = [:]
    /// Paths of files that were removed.
    var takenAway: Set<String> = []
    /// Messages that are gone without a mark.
    var removed: Set<UUID> = []
    /// Who was outside of a conversation for a while.
    var wereOut: Set<Wishes.Place> = []
    /// Links that the server knows of.
    var links: [ObjectIdentifier: Link] = [:]
    private var last: Int64 = 0

    init(agenda: Agenda, pages: Pages) {
        self.agenda = agenda
        self.pages = pages
    }

    /// The next commit's number: the server's time in microseconds, and past every earlier one whatever the clock does.
    func stamp() -> Int64 {
        let beginning = Int64(SimulatedClock.beginning.timeIntervalSince1970) * 1_000_000
        last = max(last + 1, beginning + (agenda.now + clockError).nanoseconds / 1_000)
        return last
    }

    func add(_ person: Person) { people[person.id] = person }

    func addRoom(_ id: UUID, of members: [UUID], title: String) {
        let now = stamp()
        rooms[id] = Room(
            id: id, title: title, isGroup: members.count > 2, begunAt: now,
            places: Dictionary(uniqueKeysWithValues: members.map { ($0, Place()) }), changedAt: now)
    }

    func messages(in room: UUID) -> [Message] {
        rooms[room].map { room in room.order.compactMap { room.messages[$0] } } ?? []
    }

    func message(_ id: UUID) -> Message? { rooms.values.lazy.compactMap { $0.messages[id] }.first }

    func has(_ message: UUID, in room: UUID) -> Bool { rooms[room]?.messages[message] != nil }

    func isMember(_ user: UUID, of room: UUID) -> Bool {
        rooms[room]?.places[user].map { !$0.hasLeft } ?? false
    }

    /// - Parameter mark: As far as the user has read at least.
    func unread(of user: UUID, in id: UUID, after mark: Int64? = nil) -> Int {
        guard let room = rooms[id] else { return 0 }
        let read = max(room.places[user]?.read ?? .min, mark ?? .min)
        return room.messages.values.count { message in
            message.senderID != user && !message.isDeleted && message.position ?? 0 > read
        }
    }

    // MARK: Writing

    func perform(_ operation: OutgoingOperation, as user: UUID) -> OperationOutcome {
        // Own files may be taken away from anywhere.
        var isFree = false
        if case .removeFiles = operation { isFree = true }
        guard isFree || isMember(user, of: operation.conversationID) else { return .refused(.notAMember) }
        switch operation {
        case .send(let message): return send(message, as: user)
        case .edit(let id, let room, let body):
            return change(id, in: room, as: user) { (message, now) in
                guard !message.isDeleted else { return false }
                message.body = body
                message.editedAt = Date(microseconds: now)
                return true
            }
        case .delete(let id, let room):
            return change(id, in: room, as: user) { (message, now) in
                message.body = ""
                message.attachment = nil
                message.deletedAt = message.deletedAt ?? Date(microseconds: now)
                return true
            }
        case .react(let id, let room, let symbol, let isOn):
            return react(to: id, in: room, symbol, isOn, as: user)
        case .removeFiles(let id, _): return removeFiles(of: id, as: user)
        case .markRead(let room, let id): return mark(id, in: room, isRead: true, as: user)
        case .markDelivered(let room, let id): return mark(id, in: room, isRead: false, as: user)
        }
    }

    private func send(_ sent: OutgoingMessage, as user: UUID) -> OperationOutcome {
        // What was removed does not come back by a request that comes late.
        let isTaken = rooms.values.contains { $0.messages[sent.id] != nil } || removed.contains(sent.id)
        guard !isTaken else { return .refused(Self.taken) }
        guard !sent.body.isEmpty else { return .refused(.empty) }
        if refusesBad, sent.body.hasPrefix(Typed.badMark) { return .refused(.refused(code: "22023")) }
        if let path = sent.attachment?.path, files[path] == nil { return .refused(Self.withoutFile) }
        let now = stamp()
        let message = Message(
            id: sent.id, conversationID: sent.conversationID, senderID: user, body: sent.body,
            createdAt: Date(microseconds: now), position: now, version: now, replyTo: sent.replyTo,
            attachment: sent.attachment)
        rooms[sent.conversationID]?.messages[message.id] = message
        rooms[sent.conversationID]?.order.append(message.id)
        commit(now, in: sent.conversationID, .message(MessageChange(message: message)))
        return .stored(MessageChange(message: message))
    }

    static let taken = SendError.refused(code: "23505")
    /// Names a file that was not brought. No client may do that.
    static let withoutFile = SendError.refused(code: "no file")

    private func change(
        _ id: UUID, in room: UUID, as user: UUID, _ edit: (inout Message, Int64) -> Bool
    ) -> OperationOutcome {
        guard var message = rooms[room]?.messages[id], message.senderID == user else {
            return .refused(.messageGone)
        }
        let before = message
        guard edit(&message, max(last + 1, message.version)) else { return .refused(.messageGone) }
        // What is so already counts as done.
        if message.body == before.body, message.isDeleted == before.isDeleted {
            return .stored(MessageChange(message: before))
        }
        let now = stamp()
        message.version = now
        rooms[room]?.messages[id] = message
        commit(now, in: room, .message(MessageChange(message: message)))
        return .stored(MessageChange(message: message))
    }

    private func react(to id: UUID, in room: UUID, _ symbol: String, _ isOn: Bool, as user: UUID)
        -> OperationOutcome
    {
        guard let message = rooms[room]?.messages[id] else { return .refused(.messageGone) }
        if message.isDeleted, isOn { return .refused(.messageGone) }
        let key = ReactionKey(messageID: id, userID: user, symbol: symbol)
        let held = rooms[room]?.reactions[key]
        guard held?.isOn ?? false != isOn else { return held.map { .reacted($0) } ?? .stored(nil) }
        let now = stamp()
        let change = ReactionChange(
            messageID: id, conversationID: room, userID: user, symbol: symbol, isOn: isOn, version: now)
        rooms[room]?.reactions[key] = change
        commit(now, in: room, .reaction(change))
        return .reacted(change)
    }

    private func mark(_ id: UUID?, in room: UUID, isRead: Bool, as user: UUID) -> OperationOutcome {
        guard var place = rooms[room]?.places[user] else { return .refused(.notAMember) }
        let newest = rooms[room]?.order.last
        guard let position = (id ?? newest).flatMap({ rooms[room]?.messages[$0]?.position }) else {
            return id == nil ? .stored(nil) : .refused(.messageGone)
        }
        let before = (place.delivered, place.read)
        place.delivered = max(place.delivered ?? .min, position)
        if isRead { place.read = max(place.read ?? .min, position) }
        guard before != (place.delivered, place.read) else { return .stored(nil) }
        rooms[room]?.places[user] = place
        tell(
            room,
            .member(
                MemberChange(
                    conversationID: room, userID: user, isManager: false, hasLeft: place.hasLeft,
                    deliveredPosition: place.delivered, readPosition: place.read)))
        return .stored(nil)
    }

    private func commit(_ now: Int64, in room: UUID, _ event: BackendEvent) {
        rooms[room]?.changedAt = now
        tell(room, event)
        tell(room, .conversation(id: room, cursor: Self.cursor(now)))
    }

    // MARK: The feed

    /// Tells the attached links of everybody who is in the conversation.
    func tell(_ room: UUID, _ event: BackendEvent) {
        for link in attached where isMember(link.userID, of: room) { link.deliver(event) }
    }

    var attached: [Link] {
        links.values.filter(\.isAttached).sorted { $0.number < $1.number }
    }

    static func cursor(_ moment: Int64) -> SyncCursor { SyncCursor(order: moment, token: "at \(moment)") }
}
