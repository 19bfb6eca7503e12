import Backend
import FoundationEssentials
import Models

/// One process's way to the model server. It makes single attempts, as `ChatBackend` wants.
@MainActor final class SimulatedBackend: ChatBackend {
    nonisolated let userID: UUID
    nonisolated let capabilities = Capabilities(
        repeatsAreHarmless: true, canEdit: true, canDelete: true, canReact: true,
        canStartConversations: false, showsTyping: true, bodyLimit: 8_000)

    let line: Line
    private let device: Device
    private var world: World { line.world }
    private var server: ModelServer { line.world.server }
    /// How often each channel is held.
    private(set) var channels: [UUID: Int] = [:]
    /// When a conversation may be written to again, as the server asked.
    private var quiet: [UUID: Duration] = [:]

    init(userID: UUID, line: Line, device: Device) {
        self.userID = userID
        self.line = line
        self.device = device
    }

    // MARK: The link

    @MainActor func connect() async throws(BackendError) -> AsyncStream<BackendEvent> {
        quiet = [:]
        try await asking("connect") { .success(()) }.get()
        return line.open(for: userID)
    }

    /// The user, or a wake-up, wants everything tried at once.
    func hasNewStart() { quiet = [:] }

    @MainActor func checkLink() async { line.check() }

    @MainActor func joinChannel(of id: UUID) async { await hold(id, 1) }
    @MainActor func leaveChannel(of id: UUID) async { await hold(id, -1) }

    private func hold(_ id: UUID, _ count: Int) async {
        channels[id, default: 0] += count
        let held = channels[id] ?? 0
        if held < 0 || held > 1 { world.fail("\(line.name): a channel is held \(held) times") }
        _ = await asking("channel") { .success(()) }
    }

    @MainActor func setTyping(_ isTyping: Bool, in id: UUID) async {
        let (server, user) = (server, userID)
        _ = await asking("typing") {
            server.tell(id, .typing(conversationID: id, userID: user, isTyping: isTyping))
            return .success(())
        }
    }

    // MARK: Reading

    @MainActor func ownProfile() async throws(BackendError) -> Person {
        let (server, user) = (server, userID)
        return try await asking("profile") { server.people[user].map { .success($0) } ?? .failure(.notFound) }
            .get()
    }

    @MainActor func conversations(before anchor: ConversationHead?) async throws(BackendError)
        -> [ConversationHead]
    {
        let (server, user) = (server, userID)
        return try await asking("list") { .success(server.heads(for: user, before: anchor)) }.get()
    }

    @MainActor func history(of id: UUID, before anchor: MessageAnchor?, limit: Int)
        async throws(BackendError) -> [MessageChange]
    {
        let server = server
        let page = try await asking("history") {
            .success(server.history(of: id, before: anchor, limit: limit))
        }.get()
        world.trace("\(line.name): history before \(anchor?.position ?? 0): \(page.map(\.message.short))")
        return page
    }

    @MainActor func changes(in id: UUID, after cursor: SyncCursor, page: ChangePageToken?)
        async throws(BackendError) -> ChangePage
    {
        let server = server
        return try await asking("changes") {
            .success(server.changes(in: id, after: cursor, page: page))
        }.get()
    }

    @MainActor func members(of id: UUID) async throws(BackendError) -> [Member] {
        let (server, user) = (server, userID)
        return try await asking("members") { server.members(of: id, for: user) }.get()
    }

    func people(matching query: String) async throws(BackendError) -> [Person] { [] }

    // MARK: Writing

    @MainActor func perform(_ operation: OutgoingOperation) async -> OperationOutcome {
        let (server, user, id) = (server, userID, operation.conversationID)
        if let quiet = quiet[id], world.agenda.now < quiet {
            world.fail("\(line.name): asked to wait until \(quiet), tried again at \(world.agenda.now)")
        }
        world.trace("\(line.name): performs \(operation.short)")
        let answer = await asking("perform") {
            .success(server.perform(operation, as: user))
        }
        switch answer {
        case .success(.refused(ModelServer.taken)): return await readBack(operation)
        case .success(let outcome): return outcome
        case .failure(let error):
            if case .busy(let wait?) = error { quiet[id] = world.agenda.now + wait }
            return Self.outcome(of: error)
        }
    }

    /// The id is taken: by an earlier try, whose answer was lost, or by somebody else.
    private func readBack(_ operation: OutgoingOperation) async -> OperationOutcome {
        guard case .send(let message) = operation else { return .refused(ModelServer.taken) }
        let (server, user) = (server, userID)
        switch await asking("what is there", { .success(server.message(message.id)) }) {
        case .success(let stored?) where stored.senderID == user:
            return .stored(MessageChange(message: stored))
        case .success: return .refused(ModelServer.taken)
        case .failure(let error): return Self.outcome(of: error)
        }
    }

    private static func outcome(of error: BackendError) -> OperationOutcome {
        switch error {
        case .signedOut, .offline(.signedOut): .waitForSignIn
        case .offline(.serverUnavailable): .wait(after: nil, because: .serverFailed)
        case .timedOut: .wait(after: nil, because: .timedOut)
        case .busy(let wait): .wait(after: wait, because: .askedToWait)
        default: .wait(after: nil, because: .offline)
        }
    }

    /// Everything needs a session.
    private func asking<Answer: Sendable>(
        _ what: String, _ work: @escaping @MainActor () -> Result<Answer, BackendError>
    ) async -> Result<Answer, BackendError> {
        let device = device
        return await line.exchange(what) {
            guard !device.isSignedOut else { return .failure(.signedOut) }
            return work()
        }
    }

    // MARK: What nobody here does

    func createConversation(id: UUID, with people: [UUID], title: String?, isGroup: Bool)
        async throws(BackendError) -> UUID
    { throw .unsupported }
    func addMembers(_ people: [UUID], to id: UUID) async throws(BackendError) { throw .unsupported }
    func leaveConversation(_ id: UUID) async throws(BackendError) { throw .unsupported }
    func upload(_ file: FileUpload, progress: @escaping FileProgress) async -> UploadOutcome {
        .refused(.fileUnreadable)
    }
    func remoteFile(at path: String) async throws(BackendError) -> RemoteFile { throw .notFound }
    func fetch(
        _ path: String, _ version: RemoteFile, onto localPath: String, from offset: Int64,
        progress: @escaping FileProgress
    ) async throws(BackendError) -> FetchedPart { throw .notFound }
    func sharedLink(to path: String, lifetime: Duration) async throws(BackendError) -> URL {
        throw .unsupported
    }
    func signOut() async {}
}

nonisolated extension OutgoingOperation {
    /// For the trace.
    var short: String {
        switch self {
        case .send(let message): "send “\(message.body)”"
        case .edit(let id, _, let body): "edit \(id.short) “\(body)”"
        case .delete(let id, _): "delete \(id.short)"
        case .react(let id, _, let symbol, let isOn): "react \(id.short) \(symbol) \(isOn)"
        case .markRead(_, let id): "read up to \(id?.short ?? "all")"
        case .removeFiles(let id, _): "remove files of \(id.short)"
        case .markDelivered(_, let id): "received up to \(id?.short ?? "all")"
        }
    }
}

nonisolated extension UUID {
    /// Enough to tell those of one run apart.
    var short: String { String(text.prefix(6)) }
}
