import Backend
import FoundationEssentials
import Models

/// One process's way to the model server. It makes single attempts, as `ChatBackend` wants.
@MainActor final class SimulatedBackend: ChatBackend {
    nonisolated let userID: UUID
    nonisolated let capabilities = Capabilities(
        repeatsAreHarmless: true, canEdit: true, canDelete: true, canReact: true,
        canStartConversations: false, showsTyping: true, bodyLimit: 8_000,
        fileLimit: 1_000_000)

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
        return line.open(for: userID) { [weak self] in self?.channels[$0] ?? 0 > 0 }
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
        server.tellPresence(in: id)
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
        let (server, user) = (server, userID)
        let page = try await asking("history") {
            server.history(of: id, before: anchor, limit: limit, for: user)
        }.get()
        world.trace("\(line.name): history before \(anchor?.position ?? 0): \(page.map(\.message.short))")
        return page
    }

    @MainActor func changes(in id: UUID, after cursor: SyncCursor, page: ChangePageToken?)
        async throws(BackendError) -> ChangePage
    {
        let (server, user) = (server, userID)
        return try await asking("changes") {
            server.changes(in: id, after: cursor, page: page, for: user)
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
        if !operation.isRemovalOfFiles { mindQuiet(in: id) }
        world.trace("\(line.name): performs \(operation.short)")
        let answer = await asking("perform", mayBeLate: operation.mayBeLate) {
            .success(server.perform(operation, as: user))
        }
        switch answer {
        case .success(.refused(ModelServer.taken)): return await readBack(operation)
        case .success(.refused(ModelServer.withoutFile)):
            world.fail("\(line.name): sends a message whose file is not there")
            return .refused(ModelServer.withoutFile)
        case .success(let outcome): return outcome
        case .failure(let error):
            if case .busy(let wait?) = error, !operation.isRemovalOfFiles { keepQuiet(for: wait, in: id) }
            return Self.outcome(of: error)
        }
    }

    private func mindQuiet(in id: UUID) {
        guard let quiet = quiet[id], world.agenda.now < quiet else { return }
        world.fail("\(line.name): asked to wait until \(quiet), tried again at \(world.agenda.now)")
    }

    private func keepQuiet(for wait: Duration, in id: UUID) { quiet[id] = world.agenda.now + wait }

    @MainActor func upload(_ file: FileUpload, progress: @escaping FileProgress) async -> UploadOutcome {
        let (server, user, id) = (server, userID, file.conversationID)
        mindQuiet(in: id)
        world.trace("\(line.name): uploads \(file.name)")
        switch await asking("upload", mayBeLate: true, { .success(server.keep(file, of: user)) }) {
        case .success(let outcome): return outcome
        case .failure(let error):
            if case .busy(let wait?) = error { keepQuiet(for: wait, in: id) }
            return switch Self.outcome(of: error) {
            case .wait(let wait, let reason): .wait(after: wait, because: reason)
            case .stored, .reacted, .waitForSignIn, .refused: .waitForSignIn
            }
        }
    }

    @MainActor func addMembers(_ people: [UUID], to id: UUID) async throws(BackendError) {
        let (server, user) = (server, userID)
        let answer: Result<Void, BackendError> = await asking("add members") {
            guard server.isMember(user, of: id) else { return .failure(.notAllowed) }
            for person in people { server.put(person, into: id) }
            return .success(())
        }
        try answer.get()
    }

    @MainActor func leaveConversation(_ id: UUID) async throws(BackendError) {
        let (server, user) = (server, userID)
        let answer: Result<Void, BackendError> = await asking("leave") {
            server.takeOut(user, of: id)
            return .success(())
        }
        try answer.get()
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
        _ what: String, mayBeLate: Bool = false,
        _ work: @escaping @MainActor () -> Result<Answer, BackendError>
    ) async -> Result<Answer, BackendError> {
        let device = device
        return await line.exchange(what, mayBeLate: mayBeLate) {
            guard !device.isSignedOut else { return .failure(.signedOut) }
            return work()
        }
    }

    // MARK: What nobody here does

    func createConversation(id: UUID, with people: [UUID], title: String?, isGroup: Bool)
        async throws(BackendError) -> UUID
    { throw .unsupported }
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
    /// It stands in a line of its own.
    var isRemovalOfFiles: Bool {
        if case .removeFiles = self { true } else { false }
    }

    /// A later try of another operation cannot be undone by it: a text is sent once, marks only go forward. A message
    /// with a file is none of these: the file may have been taken away.
    var mayBeLate: Bool {
        switch self {
        case .send(let message): message.attachment == nil
        case .markRead, .markDelivered: true
        case .edit, .delete, .react, .removeFiles: false
        }
    }

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
