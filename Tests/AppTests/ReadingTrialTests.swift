import Backend
import FoundationEssentials
import Models
import Store
import Sync
import TestSupport
import Testing
import ViewModels

/// The screen's model over a real engine and store, at a service that answers when a test says so.
@MainActor
private final class Desk {
    let server: FakeServer
    let backend: FakeBackend
    let engine: SyncEngine
    let model: AppModel
    private let clock = ManualClock()
    private(set) var alerts = 0
    private var alertTask: Task<Void, Never>?

    init(_ server: FakeServer, _ folder: String) throws {
        let clock = clock
        self.server = server
        backend = FakeBackend(server: server)
        engine = SyncEngine(
            account: .example, store: try .open(directory: folder, for: .ana), backend: backend)
        model = AppModel(
            door: NoDoor(), time: Timekeeper(now: { clock.now }, sleep: { try await clock.sleep($0) }))
    }

    func begin(_ rooms: Int) async {
        await engine.start()
        model.add(Account(service: engine, label: "team"))
        alertTask = Task { [weak self, model] in
            for await intent in model.intents { if case .alert = intent { self?.alerts += 1 } }
        }
        await until { [model] in model.list.state.rows.count == rooms }
    }

    func end() async {
        await model.shutDown()
        await engine.stop()
        alertTask?.cancel()
    }

    func open(_ room: UUID) async {
        model.open(ConversationRef(account: .example, id: room))
        await until { [model] in model.thread?.ref.id == room && model.thread?.state.window.isEmpty == false }
    }

    var picker: ReactionViewModel? {
        if case .reaction(let picker)? = model.places.last { picker } else { nil }
    }

    func unread(_ room: UUID) -> Int? {
        model.list.state.rows.first { $0.id.id == room }?.conversation.unreadCount
    }

    func type(_ text: String) {
        for letter in text { model.composer?.type(letter) }
        model.perform(.send)
    }
}

private struct NoDoor: AccountDoor {
    func signIn(_ request: SignInRequest) async throws(SignInError) -> Account { throw .wrongPassword }
    func tryItHere() async throws(SignInError) -> Account { throw .rateLimited }
    func needsKey(_ address: String) async -> Bool? { nil }
    func nearbyServer() async -> String? { nil }
    func obstacle(to choice: FirstRunChoice) -> UserCopy? { nil }
}

/// Counts that drift, as they were reported of other messengers.
@MainActor @Suite(.timeLimit(.minutes(1))) struct ReadingTrialTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "reading-\(UUID())").path
    private let server = FakeServer()

    private func cleanUp() {
        try? FileManager.default.removeItem(atPath: folder)  // a leftover harms nobody
    }

    private func say(_ count: Int, in room: UUID) {
        for number in 1...count { server.say("ben \(number)", in: room, from: .ben) }
    }

    /// Lets everything that is on its way arrive: a message of Ben's elsewhere comes after it.
    private func settle(_ desk: Desk, _ elsewhere: UUID) async {
        let before = desk.unread(elsewhere) ?? 0
        server.say("after that", in: elsewhere, from: .ben)
        await until { desk.unread(elsewhere) == before + 1 }
    }

    /// Every count of the conversations that is told from here on, until the engine ends.
    private func watchCounts(of rooms: [UUID], at desk: Desk) -> Task<[[Int]], Never> {
        let lists = desk.engine.conversations()
        return Task {
            var seen: [[Int]] = []
            for await list in lists {
                seen.append(rooms.map { id in list.first { $0.id == id }?.unreadCount ?? -1 })
            }
            return seen
        }
    }

    @Test func t26ReadingNeverMakesACountRise() async throws {
        defer { cleanUp() }
        let (a, b) = (
            server.addConversation(of: [.ana, .ben]), server.addConversation(of: [.ana, .ben, .cleo])
        )
        let elsewhere = server.addConversation(of: [.ana, .cleo, .ben])
        say(2, in: a)
        say(3, in: b)
        let desk = try Desk(server, folder)
        await desk.begin(3)
        await until { desk.unread(a) == 2 && desk.unread(b) == 3 }
        let watch = watchCounts(of: [a, b], at: desk)

        var gates: [Gate] = []
        func holdNext() {
            let gate = Gate()
            gates.append(gate)
            desk.backend.hold(at: gate)
        }
        holdNext()
        await desk.open(a)
        await until { desk.unread(a) == 0 }
        #expect(desk.unread(b) == 3)
        desk.model.perform(.focusList)
        await desk.open(a)
        #expect(desk.unread(a) == 0 && desk.unread(b) == 3)
        for round in 0..<10 {
            holdNext()
            await desk.open(b)
            await until { desk.unread(b) == 0 }
            #expect(desk.unread(a) == 0)
            holdNext()
            await desk.open(a)
            #expect(desk.unread(a) == 0 && desk.unread(b) == 0)
            // The list as the service has it, which has heard of no mark yet.
            await desk.engine.reconnectNow()
            if round == 5 { gates.reversed().prefix(4).forEach { $0.open() } }
        }
        let lists = desk.backend.count(of: "conversations")
        #expect(lists > 1)
        await settle(desk, elsewhere)
        desk.backend.hold(at: nil)
        for gate in gates.reversed() { gate.open() }
        await until { [server] in
            server.readPosition(of: .ana, in: a) == server.messages(in: a).last?.position
        }
        await until { [server] in
            server.readPosition(of: .ana, in: b) == server.messages(in: b).last?.position
        }
        await settle(desk, elsewhere)
        #expect(desk.unread(a) == 0 && desk.unread(b) == 0)
        await desk.end()
        let seen = await watch.value
        for (before, after) in zip(seen, seen.dropFirst()) {
            #expect(zip(after, before).allSatisfy { $0 <= $1 })
        }

        try await staysRead([a, b], elsewhere)
    }

    /// After a restart, before and after the first list has come.
    private func staysRead(_ rooms: [UUID], _ elsewhere: UUID) async throws {
        let again = try Desk(server, folder)
        again.backend.holdFeed()
        await again.begin(3)
        #expect(rooms.map { again.unread($0) } == [0, 0])
        again.backend.attachFeed()
        await settle(again, elsewhere)
        #expect(rooms.map { again.unread($0) } == [0, 0])
        await again.end()
    }

    @Test func t27OwnMessagesAreNeverUnread() async throws {
        defer { cleanUp() }
        let (a, b) = (
            server.addConversation(of: [.ana, .ben]), server.addConversation(of: [.ana, .ben, .cleo])
        )
        say(2, in: a)
        server.say("hello", in: b, from: .ana)
        let desk = try Desk(server, folder)
        await desk.begin(2)
        await desk.open(a)
        await until { desk.unread(a) == 0 }
        let counts = desk.engine.conversations()
        let watch = Task {
            var most = 0
            for await list in counts { most = max(most, list.map(\.unreadCount).max() ?? 0) }
            return most
        }
        let alerts = desk.alerts

        // With the thread open.
        desk.type("from here")
        await until { [server] in server.messages(in: a).last?.body == "from here" }
        // Queued, and sent while another thread is open.
        let gate = Gate()
        desk.backend.hold(at: gate)
        desk.type("queued")
        await gate.arrival()
        await desk.open(b)
        desk.backend.hold(at: nil)
        gate.open()
        await until { [server] in server.messages(in: a).last?.body == "queued" }
        // From a second device of hers, into a thread that is open and into one that is not.
        let phone = FakeBackend(server: server)
        for room in [a, b] {
            _ = await phone.perform(
                .send(OutgoingMessage(id: UUID(), conversationID: room, body: "from the phone")))
        }
        await until {
            desk.model.list.state.rows.allSatisfy {
                $0.conversation.lastMessage?.body == "from the phone"
                    && $0.conversation.lastMessage?.deliveryState == .sent
            }
        }
        #expect(desk.model.list.state.unreadTotal == 0)
        #expect(desk.model.thread?.state.unreadAfter == nil)
        await desk.open(a)
        await until {
            desk.model.thread?.state.window.messages.map(\.body).suffix(3)
                == ["from here", "queued", "from the phone"]
        }
        #expect(desk.model.thread?.state.unreadAfter == nil)
        #expect(desk.alerts == alerts)
        await desk.end()
        #expect(await watch.value == 0)

        let again = try Desk(server, folder)
        await again.begin(2)
        #expect(again.model.list.state.unreadTotal == 0 && again.alerts == 0)
        await again.end()
    }

    @Test func t29FifteenPressesOfTheKeyAreWorthFifteen() async throws {
        defer { cleanUp() }
        let a = server.addConversation(of: [.ana, .ben])
        let said = server.say("look", in: a, from: .ben)
        _ = server.perform(.react(messageID: said.id, conversationID: a, symbol: "❤️", isOn: true), as: .ben)
        let desk = try Desk(server, folder)
        await desk.begin(1)
        await desk.open(a)
        for _ in 1...15 {
            desk.model.perform(.react)
            let picker = try #require(desk.picker)
            picker.choose()
        }
        await until { desk.model.thread?.state.window.messages.last?.reactions.first?.byMe == true }
        await desk.end()
        #expect(Set(server.reactions(in: a).map(\.symbol)) == ["❤️"])
        let again = try Desk(server, folder)
        await again.begin(1)
        await again.open(a)
        await until { [server] in server.reactions(in: a).count == 2 }
        #expect(
            again.model.thread?.state.window.messages.last?.reactions
                == [Reaction(symbol: "❤️", byMe: true, count: 2)])
        await again.end()
    }

    @Test func t32PreviewAndQuoteFollowWhatTheyAreOf() async throws {
        defer { cleanUp() }
        let a = server.addConversation(of: [.ana, .ben])
        let said = server.say("plain", in: a, from: .ben)
        let desk = try Desk(server, folder)
        await desk.begin(1)
        await desk.open(a)
        let thread = try #require(desk.model.thread)
        func edit(_ body: String) {
            _ = server.perform(.edit(messageID: said.id, conversationID: a, body: body), as: .ben)
        }
        func preview() -> Message? { desk.model.list.state.rows.first?.conversation.lastMessage }
        edit("once")
        edit("twice")
        await until { preview()?.body == "twice" && thread.state.window.messages.first?.body == "twice" }
        desk.model.perform(.reply)
        desk.type("indeed")
        await until { thread.state.window.messages.last?.replyTo == said.id }
        #expect(thread.state.quotedMessage(said.id)?.body == "twice")
        let stale = try #require(server.messages(in: a).first)
        _ = server.perform(.delete(messageID: said.id, conversationID: a), as: .ben)
        await until { thread.state.quotedMessage(said.id)?.isDeleted == true }
        // The second edit is delivered once more, after the delete.
        server.emit(.message(MessageChange(message: stale)), to: .ana)
        server.say("and on", in: a, from: .ben)
        await until { preview()?.body == "and on" }
        let first = try #require(thread.state.window.messages.first)
        #expect(first.isDeleted && first.body == "")
        #expect(thread.state.quotedMessage(said.id)?.body == "")
        await desk.end()
    }
}
