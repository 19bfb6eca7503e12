import Backend
import FoundationEssentials
import Models
import Store
import Sync
import TestSupport

/// Somebody's engine, mostly Ana's, at a server with one conversation between her and Ben.
struct World {
    let server: FakeServer
    let backend: FakeBackend
    let store: MessageStore
    let engine: SyncEngine
    let clock: TestClock
    let room: UUID

    init(
        server: FakeServer = FakeServer(), store: MessageStore? = nil, room: UUID? = nil,
        answers: [OperationOutcome] = [], userID: UUID = .ana, clock: TestClock = TestClock(),
        keepsOurIDs: Bool = true
    ) throws {
        self.server = server
        self.room = room ?? server.addConversation(of: [.ana, .ben])
        backend = FakeBackend(
            server: server, userID: userID, answers: answers, keepsOurIDs: keepsOurIDs)
        self.store = try store ?? .inMemory(for: userID)
        self.clock = clock
        engine = SyncEngine(
            account: AccountID(rawValue: .example(1)), store: self.store, backend: backend, clock: clock)
    }

    /// Starts the engine and waits until it is connected.
    func connect() async {
        await engine.start()
        await engine.reaches(.connected)
    }

    /// The conversation as the engine shows it, once it looks as wanted.
    @discardableResult
    func shown(_ isWanted: ([Message]) -> Bool) async -> [Message] {
        await thread(await engine.messageStream(for: room), until: isWanted)
    }

    /// Runs while time passes, a little with every turn.
    func whileTimePasses<Result: Sendable>(_ body: () async throws -> Result) async rethrows -> Result {
        let pump = Task { [clock] in
            while !Task.isCancelled {
                clock.advance(by: .milliseconds(50))
                await Task.yield()
            }
        }
        defer { pump.cancel() }
        return try await body()
    }
}

extension SyncEngine {
    func reaches(_ wanted: ConnectionStatus) async {
        for await status in connectionStatus() where status == wanted { return }
    }

    /// The list once it looks as wanted.
    @discardableResult
    func list(where isWanted: ([Conversation]) -> Bool) async -> [Conversation] {
        for await list in conversations() where isWanted(list) { return list }
        return []
    }
}

/// Folds a message stream until the thread looks as wanted: messages merged by id, in the thread's order.
func thread(
    _ stream: AsyncStream<Message>, until isWanted: ([Message]) -> Bool
) async -> [Message] {
    var held: [UUID: Message] = [:]
    for await message in stream {
        held[message.id] = message
        let sorted = held.values.sorted { Message.isOrdered($0, before: $1) }
        if isWanted(sorted) { return sorted }
    }
    return []
}
