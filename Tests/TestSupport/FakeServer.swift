import Backend
import FoundationEssentials
import Models
import Synchronization

/// A chat service in memory, faithful to what `ChatBackend` promises: ids are kept once, positions and versions
/// are given in commit order, marks never move back, and what is committed goes to every live link of a member.
package final class FakeServer: Sendable {
    struct Room {
        var title: String
        var isGroup: Bool
        var marks: [UUID: Mark] = [:]
        var messages: [UUID: Message] = [:]
        var reactions: [ReactionKey: ReactionChange] = [:]
        var changed: Int64
        var begunAt: Int64
    }

    struct Mark {
        var hasLeft = false
        var delivered: Int64?
        var read: Int64?
    }

    struct ReactionKey: Hashable {
        var messageID: UUID
        var userID: UUID
        var symbol: String
    }

    struct State {
        var now: Int64 = 1_000_000
        var people: [UUID: Person] = [:]
        var rooms: [UUID: Room] = [:]
        var links: [Int: Link] = [:]
        var lastLink = 0
        var skipped: Set<UUID> = []
        var storedForm: @Sendable (String) -> String = { $0 }
        /// Objects by path, with the digest they were brought under and who brought them.
        var files: [String: (bytes: Data, sha256: String, owner: UUID?)] = [:]
    }

    struct Link {
        var userID: UUID
        var continuation: AsyncStream<BackendEvent>.Continuation
        /// Whether the change feed is attached: without it nothing is told.
        var isLive = false
    }

    let state = Mutex(State())
    /// Most messages of one page of changes.
    package let changePageSize: Int

    package init(people: [Person] = [.ana, .ben, .cleo], changePageSize: Int = 100) {
        self.changePageSize = changePageSize
        state.withLock { state in for person in people { state.people[person.id] = person } }
    }

    /// Begins a conversation between the people.
    @discardableResult
    package func addConversation(_ id: UUID = UUID(), of people: [UUID], title: String = "Room") -> UUID {
        state.withLock { state in
            state.now += 1
            var room = Room(
                title: title, isGroup: people.count > 2, changed: state.now, begunAt: state.now)
            for person in people { room.marks[person] = Mark() }
            state.rooms[id] = room
            state.tell(id, .conversation(id: id, cursor: .at(state.now)))
        }
        return id
    }

    /// Says something as somebody, as if from another device.
    @discardableResult
    package func say(_ body: String, id: UUID = UUID(), in conversationID: UUID, from userID: UUID) -> Message
    {
        state.withLock { state in
            let message = OutgoingMessage(id: id, conversationID: conversationID, body: body)
            return state.insert(message, from: userID) ?? .typed(body, id: id, in: conversationID)
        }
    }

    /// Keeps a message as it is, at its own time and id, as a service has it that was filled by somebody else.
    package func keep(_ message: Message) {
        state.withLock { state in
            state.now += 1
            var kept = message
            kept.version = state.now
            state.rooms[kept.conversationID]?.messages[kept.id] = kept
            state.rooms[kept.conversationID]?.changed = state.now
            state.tell(kept.conversationID, .message(MessageChange(message: kept)))
            state.tell(kept.conversationID, .conversation(id: kept.conversationID, cursor: .at(state.now)))
        }
    }

    /// Puts somebody into a conversation, for the first time or again.
    package func put(_ userID: UUID, into conversationID: UUID) {
        state.withLock { state in
            state.rooms[conversationID]?.marks[userID, default: Mark()].hasLeft = false
            state.tellMember(userID, in: conversationID)
        }
    }

    /// Somebody sees nothing of the conversation any more; the last thing they are told is that.
    package func takeOut(_ userID: UUID, of conversationID: UUID) {
        state.withLock { state in
            state.rooms[conversationID]?.marks[userID]?.hasLeft = true
            state.tellMember(userID, in: conversationID)
        }
    }

    /// The conversation's messages, oldest first.
    package func messages(in conversationID: UUID) -> [Message] {
        state.withLock { state in
            (state.rooms[conversationID]?.messages.values).map {
                $0.sorted { Message.isOrdered($0, before: $1) }
            } ?? []
        }
    }

    /// What was uploaded, by its path.
    package var files: [String: Data] { state.withLock { $0.files.mapValues(\.bytes) } }

    /// Keeps a file as if somebody had uploaded it.
    /// - Parameter sha256: What whoever brought it said of it.
    package func keep(_ bytes: Data, at path: String, sha256: String = "") {
        state.withLock { $0.files[path] = (bytes, sha256, nil) }
    }

    /// Reactions that are on.
    package func reactions(in conversationID: UUID) -> [ReactionChange] {
        state.withLock { $0.rooms[conversationID]?.reactions.values.filter(\.isOn) ?? [] }
    }

    /// The newest mark of the conversation: what a caught-up client's cursor says.
    package func changed(in conversationID: UUID) -> Int64 {
        state.withLock { $0.rooms[conversationID]?.changed ?? 0 }
    }

    package func readPosition(of userID: UUID, in conversationID: UUID) -> Int64? {
        state.withLock { $0.rooms[conversationID]?.marks[userID]?.read }
    }

    package func deliveredPosition(of userID: UUID, in conversationID: UUID) -> Int64? {
        state.withLock { $0.rooms[conversationID]?.marks[userID]?.delivered }
    }

    package func perform(_ operation: OutgoingOperation, as userID: UUID) -> OperationOutcome {
        state.withLock { $0.perform(operation, as: userID) }
    }

    /// Sends an event to the live links of one person: a replay, a notice, nonsense.
    package func emit(_ event: BackendEvent, to userID: UUID) {
        state.withLock { state in
            for link in state.links.values where link.userID == userID { link.continuation.yield(event) }
        }
    }

    /// The change feed of one person says nothing while it skips, though its links stand.
    package func skip(of userID: UUID, _ skips: Bool) {
        state.withLock { state in
            if skips { state.skipped.insert(userID) } else { state.skipped.remove(userID) }
        }
    }

    /// Texts are not stored as they were sent from now on, as by a trigger of somebody's own.
    package func storeTexts(as form: @escaping @Sendable (String) -> String) {
        state.withLock { $0.storedForm = form }
    }

    /// Ends all links, as a server that goes away does.
    package func cutLinks(because problem: LinkProblem = .lost) {
        let links = state.withLock { state in
            defer { state.links = [:] }
            return state.links.values.map(\.continuation)
        }
        for link in links {
            link.yield(.ended(problem))
            link.finish()
        }
    }

    package var linkCount: Int { state.withLock { $0.links.count } }
}

extension SyncCursor {
    static func at(_ moment: Int64) -> SyncCursor { SyncCursor(order: moment, token: "t\(moment)") }
}
