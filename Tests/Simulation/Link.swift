import Backend
import FoundationEssentials
import Models

/// One live link, both its ends.
final class Link {
    let line: Line
    let number: Int
    let userID: UUID
    /// Whether this end holds a conversation's channel.
    let holds: (UUID) -> Bool
    private let continuation: AsyncStream<BackendEvent>.Continuation
    private(set) var isOpen = true
    /// Whether the server's feed is attached: what is committed now is told.
    var isAttached = false
    private var lastDue = Duration.zero

    init(
        line: Line, number: Int, userID: UUID, holds: @escaping (UUID) -> Bool,
        continuation: AsyncStream<BackendEvent>.Continuation
    ) {
        self.line = line
        self.number = number
        self.userID = userID
        self.holds = holds
        self.continuation = continuation
    }

    /// In order, however long each takes.
    func deliver(_ event: BackendEvent) {
        if !event.isRow { line.world.trace("\(line.name): link \(number) is to say \(event)") }
        guard isOpen, line.condition == .up else { return }
        if event.isRow, line.losesNews() {
            line.world.count(.lostNews)
            return
        }
        send(event)
        if event.isRow, line.repeatsNews() {
            if event.isForm, line.world.random.happens(500) {
                line.world.count(.lateNews)
                send(event, at: line.world.agenda.now + line.world.random.moment(.zero...(.seconds(20))))
            } else {
                line.world.count(.repeatedNews)
                send(event)
            }
        }
    }

    private func send(_ event: BackendEvent) {
        lastDue = max(lastDue, line.world.agenda.now + line.newsDelay())
        send(event, at: lastDue)
    }

    private func send(_ event: BackendEvent, at due: Duration) {
        line.world.agenda.plan(at: due) {
            guard self.isOpen, self.line.condition == .up else { return }
            if case .messageRemoved(let id) = event { self.line.heardRemoved.insert(id) }
            self.continuation.yield(event)
        }
    }

    /// The feed goes away and comes back while the link stands.
    func loseFeed() {
        guard isOpen, isAttached else { return }
        deliver(.feedLost)
        isAttached = false
        tellPresence()
        line.attach(self)
    }

    /// The link breaks, and this end notices.
    func end(because problem: LinkProblem) {
        guard isOpen else { return }
        close()
        continuation.yield(.ended(problem))
        continuation.finish()
    }

    /// Whoever read it has dropped it.
    func close() {
        isOpen = false
        isAttached = false
        line.forget(self)
        tellPresence()
    }

    /// In every conversation whose channel this end holds.
    func tellPresence() {
        for room in line.world.rooms where holds(room) { line.world.server.tellPresence(in: room) }
    }
}

extension BackendEvent {
    /// Whether it tells how something looks, as of some version: that may be told again behind what is newer.
    var isForm: Bool {
        switch self {
        case .message, .reaction: true
        default: false
        }
    }

    /// Whether it tells of a row that changed, and not of the link.
    var isRow: Bool {
        switch self {
        case .message, .messageRemoved, .messageRenamed, .reaction, .member, .conversation: true
        case .live, .feedLost, .typing, .presence, .ended: false
        }
    }
}
