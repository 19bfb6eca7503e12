import Backend
import FoundationEssentials
import Models
import Synchronization

/// One signed-in person at a `FakeServer`, with faults to order.
package final class FakeBackend: ChatBackend {
    /// What happens to the next operation.
    package enum Fault: Sendable, Equatable {
        /// Answered without being done.
        case answer(OperationOutcome)
        /// Done, and the answer lost.
        case lostAnswer
    }

    struct State {
        var faults: [Fault] = []
        var connectErrors: [BackendError] = []
        var readErrors: [BackendError] = []
        var lateErrors: [String: (after: Int, error: BackendError)] = [:]
        var interludes: [String: @Sendable () -> Void] = [:]
        var performed: [OutgoingOperation] = []
        var reactionsUnderWay = 0
        var mostReactionsAtOnce = 0
        var channels: [UUID: Int] = [:]
        var calls: [String: Int] = [:]
        var anchors: [MessageAnchor] = []
        var typing: [Bool] = []
        var holdsFeed = false
        var isSignedOut = false
        var gate: Gate?
        var delay: (@Sendable () async -> Void)?
        var uploadFaults: [UploadFault] = []
        var uploads: [FileUpload] = []
        var uploadGate: Gate?
        var fetchCuts: [Int] = []
        var fetchOffsets: [Int64] = []
        var fetchLies: [Data] = []
    }

    /// What happens to the next upload.
    package enum UploadFault: Sendable, Equatable {
        /// Answered without being done.
        case answer(UploadOutcome)
        /// Done, and the answer lost.
        case lostAnswer
    }

    package let userID: UUID
    package let capabilities: Capabilities
    package let server: FakeServer
    let state = Mutex(State())

    /// - Parameter answers: For the first operations; later ones go to the server.
    package init(
        server: FakeServer = FakeServer(), userID: UUID = .ana, answers: [OperationOutcome] = [],
        repeatsAreHarmless: Bool = true, keepsOurIDs: Bool = true
    ) {
        self.server = server
        self.userID = userID
        capabilities = Capabilities(
            repeatsAreHarmless: repeatsAreHarmless, keepsOurIDs: keepsOurIDs, canEdit: true, canDelete: true,
            canReact: true,
            canStartConversations: true, showsTyping: true, bodyLimit: 8_000, fileLimit: 1_000_000)
        state.withLock { $0.faults = answers.map { .answer($0) } }
    }

    // MARK: Orders

    package func plan(_ faults: Fault...) { state.withLock { $0.faults += faults } }
    package func refuseConnects(_ errors: BackendError...) { state.withLock { $0.connectErrors += errors } }
    package func refuseReads(_ errors: BackendError...) { state.withLock { $0.readErrors += errors } }
    /// Lets so many reads of a kind pass from now on, and no other of it.
    package func refuse(_ call: String, after passing: Int, _ error: BackendError) {
        state.withLock { $0.lateErrors[call] = ($0.calls[call, default: 0] + passing, error) }
    }
    /// Something happens at the server just before it answers the next read of a kind.
    package func before(next call: String, _ interlude: @escaping @Sendable () -> Void) {
        state.withLock { $0.interludes[call] = interlude }
    }
    /// Whether the service wants a new sign-in before it does anything.
    package func endSession(_ isSignedOut: Bool) { state.withLock { $0.isSignedOut = isSignedOut } }
    /// Links are opened, but their change feed is attached by `attachFeed` only.
    package func holdFeed() { state.withLock { $0.holdsFeed = true } }
    /// Operations wait at the gate before they reach the server.
    package func hold(at gate: Gate?) { state.withLock { $0.gate = gate } }

    /// Operations take a while on their way to the server, and their answers on the way back.
    package func delay(_ wait: @escaping @Sendable () async -> Void) { state.withLock { $0.delay = wait } }

    package func attachFeed() {
        server.state.withLock { state in
            for (number, link) in state.links where link.userID == userID {
                state.links[number]?.isLive = true
                link.continuation.yield(.live)
            }
        }
    }

    // MARK: What happened

    package var performed: [OutgoingOperation] { state.withLock { $0.performed } }
    /// From which on older messages were asked for.
    package var anchors: [MessageAnchor] { state.withLock { $0.anchors } }
    /// The most reactions that were on their way, or waited for their answer, at one time.
    package var mostReactionsAtOnce: Int { state.withLock { $0.mostReactionsAtOnce } }
    package var typing: [Bool] { state.withLock { $0.typing } }
    package var heldChannels: Set<UUID> {
        state.withLock { Set($0.channels.filter { $0.value > 0 }.keys) }
    }
    /// Channels held more than once or left more often than joined.
    package var unevenChannels: Set<UUID> {
        state.withLock { Set($0.channels.filter { $0.value < 0 || $0.value > 1 }.keys) }
    }
    package func count(of call: String) -> Int { state.withLock { $0.calls[call] ?? 0 } }

    private func count(_ call: String) { state.withLock { $0.calls[call, default: 0] += 1 } }

    func mayRead(_ call: String) throws(BackendError) {
        count(call)
        state.withLock { $0.interludes.removeValue(forKey: call) }?()
        let error: BackendError? = state.withLock { state in
            if let late = state.lateErrors[call], state.calls[call, default: 0] > late.after {
                return late.error
            }
            return state.readErrors.isEmpty ? nil : state.readErrors.removeFirst()
        }
        if let error { throw error }
    }

    // MARK: ChatBackend

    package func connect() async throws(BackendError) -> AsyncStream<BackendEvent> {
        count("connect")
        let (error, holdsFeed) = state.withLock { state in
            (state.connectErrors.isEmpty ? nil : state.connectErrors.removeFirst(), state.holdsFeed)
        }
        if let error { throw error }
        let (stream, continuation) = AsyncStream<BackendEvent>.makeStream()
        let number = server.state.withLock { state in
            state.lastLink += 1
            state.links[state.lastLink] = .init(
                userID: userID, continuation: continuation, isLive: !holdsFeed)
            if !holdsFeed { continuation.yield(.live) }
            return state.lastLink
        }
        continuation.onTermination = { [server] reason in
            // A link cut by the server is forgotten there already, under the same lock.
            guard case .cancelled = reason else { return }
            // In a task: it is called with the lock of the reader's task held, which a yield takes after ours.
            Task { server.state.withLock { $0.links[number] = nil } }
        }
        return stream
    }

    /// Looks alive as long as the server knows the link.
    package func checkLink() async { count("checkLink") }

    package func joinChannel(of id: UUID) async { state.withLock { $0.channels[id, default: 0] += 1 } }
    package func leaveChannel(of id: UUID) async { state.withLock { $0.channels[id, default: 0] -= 1 } }
    package func setTyping(_ isTyping: Bool, in id: UUID) async {
        state.withLock { $0.typing.append(isTyping) }
        server.state.withLock {
            $0.tell(id, .typing(conversationID: id, userID: userID, isTyping: isTyping))
        }
    }

    package func ownProfile() async throws(BackendError) -> Person {
        guard let me = server.state.withLock({ $0.people[userID] }) else { throw .notFound }
        return me
    }

    package func conversations(before anchor: ConversationHead?) async throws(BackendError)
        -> [ConversationHead]
    {
        try mayRead("conversations")
        let heads = server.state.withLock { $0.heads(for: userID) }
        guard let anchor else { return Array(heads.prefix(50)) }
        let rest = heads.filter {
            ($0.conversation.activityAt, $0.conversation.id)
                < (anchor.conversation.activityAt, anchor.conversation.id)
        }
        return Array(rest.prefix(50))
    }

    package func history(of id: UUID, before anchor: MessageAnchor?, limit: Int)
        async throws(BackendError) -> [MessageChange]
    {
        try mayRead("history")
        if let anchor { state.withLock { $0.anchors.append(anchor) } }
        try mustBeIn(id)
        let older = server.messages(in: id).filter { message in
            guard let anchor, let position = message.position else { return true }
            return (position, message.id) < (anchor.position, anchor.id)
        }
        let reactions = server.state.withLock { Array($0.rooms[id]?.reactions.values ?? [:].values) }
        return older.suffix(limit).reversed().map { message in
            MessageChange(message: message, reactions: reactions.filter { $0.messageID == message.id })
        }
    }

    private func mustBeIn(_ id: UUID) throws(BackendError) {
        guard server.state.withLock({ $0.rooms[id]?.marks[userID]?.hasLeft == false }) else {
            throw .notAllowed
        }
    }

    package func changes(in id: UUID, after cursor: SyncCursor, page: ChangePageToken?)
        async throws(BackendError) -> ChangePage
    {
        try mayRead("changes")
        try mustBeIn(id)
        return server.state.withLock {
            $0.changes(in: id, after: cursor, page: page, limit: server.changePageSize)
        }
    }

    package func members(of id: UUID) async throws(BackendError) -> [Member] {
        try mayRead("members")
        return try server.state.withLock { (state) throws(BackendError) in
            guard let room = state.rooms[id], room.marks[userID] != nil else { throw .notFound }
            return room.marks.map { userID, mark in
                Member(
                    conversationID: id,
                    person: state.people[userID] ?? Person(id: userID, username: "", displayName: ""),
                    hasLeft: mark.hasLeft, deliveredPosition: mark.delivered, readPosition: mark.read)
            }
        }
    }

    package func people(matching query: String) async throws(BackendError) -> [Person] {
        server.state.withLock { $0.people.values.filter { $0.username.hasPrefix(query) && $0.id != userID } }
    }

    package func perform(_ operation: OutgoingOperation) async -> OperationOutcome {
        guard case .react = operation else { return await carryOut(operation) }
        state.withLock { state in
            state.reactionsUnderWay += 1
            state.mostReactionsAtOnce = max(state.mostReactionsAtOnce, state.reactionsUnderWay)
        }
        defer { state.withLock { $0.reactionsUnderWay -= 1 } }
        return await carryOut(operation)
    }

    private func carryOut(_ operation: OutgoingOperation) async -> OperationOutcome {
        let (fault, gate): (Fault?, Gate?) = state.withLock { state in
            state.performed.append(operation)
            if state.isSignedOut { return (.answer(.waitForSignIn), state.gate) }
            return (state.faults.isEmpty ? nil : state.faults.removeFirst(), state.gate)
        }
        await gate?.pass()
        let delay = state.withLock { $0.delay }
        await delay?()
        let outcome: OperationOutcome
        switch fault {
        case .answer(let planned): outcome = planned
        case .lostAnswer:
            _ = server.perform(operation, as: userID)
            outcome = .wait(after: nil, because: .timedOut)
        case nil: outcome = server.perform(operation, as: userID)
        }
        await delay?()
        return outcome
    }

    package func createConversation(id: UUID, with people: [UUID], title: String?, isGroup: Bool)
        async throws(BackendError) -> UUID
    {
        let everybody = Set(people + [userID])
        if !isGroup {
            let existing = server.state.withLock { state in
                state.rooms.first { !$0.value.isGroup && Set($0.value.marks.keys) == everybody }?.key
            }
            if let existing { return existing }
        }
        return server.addConversation(id, of: Array(everybody), title: title ?? "")
    }

    package func addMembers(_ people: [UUID], to id: UUID) async throws(BackendError) {
        for person in people { server.put(person, into: id) }
    }

    package func leaveConversation(_ id: UUID) async throws(BackendError) {
        server.takeOut(userID, of: id)
    }

    package func signOut() async { server.cutLinks(because: .signedOut) }
}
