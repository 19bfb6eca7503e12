import Backend
import FoundationEssentials
import Models
import TestSupport
import Testing

@testable import Demo

/// A room on a scripted server, with the companions in it and the person at the screen listening.
private struct Room {
    let server: FakeServer
    let you: FakeBackend
    let id: UUID
    let cast: Cast
    private let roles: [Role]

    static let ids: [Role: UUID] = [
        .you: .example(1), .ben: .example(2), .cleo: .example(3), .mei: .example(4),
    ]

    init(_ roles: [Role]) {
        let people = Self.ids.map { Person(id: $0.value, username: $0.key.username, displayName: "") }
        server = FakeServer(people: people)
        let members = ([.you] + roles).compactMap { Self.ids[$0] }
        id = server.addConversation(.example(9), of: members)
        you = FakeBackend(server: server, userID: .example(1))
        cast = Cast(ids: Self.ids, conversations: [id: [.you] + roles], group: id, seed: 7)
        self.roles = roles
    }

    func backend(_ role: Role) throws -> FakeBackend {
        FakeBackend(server: server, userID: try #require(Self.ids[role]))
    }

    func companion(_ role: Role, _ backend: FakeBackend, pause: @escaping @Sendable () async -> Void = {})
        throws -> Companion
    {
        let pace = Pace(tempo: .lively) { _ in
            try Task.checkCancellation()
            await pause()
        }
        return try #require(Companion(role, backend: backend, cast: cast, pace: pace, seed: 7))
    }

    /// Events as the person at the screen sees them.
    func listen() async throws -> AsyncStream<BackendEvent> { try await you.connect() }

    func ask(_ text: String, id message: UUID = UUID()) async {
        _ = await you.perform(.send(OutgoingMessage(id: message, conversationID: id, body: text)))
    }
}

extension AsyncStream<BackendEvent> {
    /// The next message of somebody else, and whether typing was seen before it.
    fileprivate func nextAnswer() async -> (message: Message, wasTyping: Bool)? {
        var wasTyping = false
        for await event in self {
            if case .typing(_, _, true) = event { wasTyping = true }
            if case .message(let change) = event, change.message.senderID != .example(1) {
                return (change.message, wasTyping)
            }
        }
        return nil
    }
}

private func running<Value: Sendable>(
    _ companions: [Companion], _ body: () async throws -> Value
) async throws -> Value {
    let tasks = companions.map { companion in Task { await companion.run() } }
    do {
        let value = try await body()
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        return value
    } catch {
        for task in tasks { task.cancel() }
        throw error
    }
}

@Test func aMessageIsDeliveredReadTypedAtAndAnswered() async throws {
    let room = Room([.ben])
    let backend = try room.backend(.ben)
    let events = try await room.listen()
    let answer = try await running([try room.companion(.ben, backend)]) {
        await room.ask("How is the bread?", id: .example(20))
        return await events.nextAnswer()
    }
    #expect(answer?.wasTyping == true)
    #expect(answer?.message.body.isEmpty == false)
    let marks = backend.performed.prefix(2)
    #expect(
        marks == [
            .markDelivered(conversationID: room.id, messageID: .example(20)),
            .markRead(conversationID: room.id, messageID: .example(20)),
        ])
}

@Test func theSameSeedSaysTheSame() async throws {
    var answers: [String] = []
    for _ in 1...2 {
        let room = Room([.mei])
        let events = try await room.listen()
        let answer = try await running([try room.companion(.mei, try room.backend(.mei))]) {
            await room.ask("Shall we?", id: .example(20))
            return await events.nextAnswer()
        }
        answers.append(try #require(answer?.message.body))
    }
    #expect(answers[0] == answers[1])
}

@Test func companionsReadEachOtherAndDoNotAnswer() async throws {
    let room = Room([.ben, .cleo])
    let backend = try room.backend(.ben)
    let events = try await room.listen()
    try await running([try room.companion(.ben, backend)]) {
        await room.ask("Hello, Ben", id: .example(22))
        _ = await events.nextAnswer()
        let said = room.server.say("Who has it?", id: .example(21), in: room.id, from: .example(3))
        for await event in events {
            guard case .member(let change) = event, change.userID == .example(2) else { continue }
            if change.readPosition == said.position { break }
        }
    }
    #expect(backend.performed.last == .markRead(conversationID: room.id, messageID: .example(21)))
    #expect(room.server.messages(in: room.id).count == 3)
}

@Test func severalMessagesInARowGetOneAnswer() async throws {
    let room = Room([.cleo])
    let gate = Gate()
    let backend = try room.backend(.cleo)
    let events = try await room.listen()
    let answer = try await running([try room.companion(.cleo, backend, pause: { await gate.pass() })]) {
        for number in 30...32 { await room.ask("and another thing", id: .example(UInt32(number))) }
        for await event in events {
            if case .member(let change) = event, change.userID == .example(3),
                room.server.messages(in: room.id).last?.position == change.deliveredPosition
            {
                break
            }
        }
        gate.open()
        return await events.nextAnswer()
    }
    #expect(answer != nil)
    #expect(room.server.messages(in: room.id).count == 4)
}

@Test func whatWasAskedWhileTheLinkWasAwayIsAnswered() async throws {
    let room = Room([.ben])
    let backend = try room.backend(.ben)
    await room.ask("Are you there?", id: .example(40))
    backend.refuseConnects(.offline(.lost))
    let events = try await room.listen()
    let answer = try await running([try room.companion(.ben, backend)]) { await events.nextAnswer() }
    #expect(answer?.message.senderID == .example(2))
    #expect(backend.count(of: "connect") == 2)
}

@Test func aSendThatWaitsIsRepeatedUnderItsOwnID() async throws {
    let room = Room([.ben])
    let backend = try room.backend(.ben)
    let events = try await room.listen()
    let answer = try await running([try room.companion(.ben, backend)]) {
        backend.plan(.answer(.stored(nil)), .answer(.stored(nil)), .lostAnswer, .lostAnswer, .lostAnswer)
        await room.ask("Test", id: .example(50))
        return await events.nextAnswer()
    }
    #expect(answer != nil)
    #expect(room.server.messages(in: room.id).filter { $0.senderID == .example(2) }.count == 1)
}

@Test func anEndedSessionEndsTheCompanion() async throws {
    let room = Room([.ben])
    let backend = try room.backend(.ben)
    backend.refuseConnects(.signedOut)
    await (try room.companion(.ben, backend)).run()
    #expect(backend.count(of: "connect") == 1)
}

@Test func theFriendsTalkAmongThemselvesInTheirTurn() async throws {
    let room = Room(Role.companions)
    let companions = try Role.companions.map { try room.companion($0, try room.backend($0)) }
    let pace = Pace(tempo: .lively) { _ in try Task.checkCancellation() }
    await Chatter(companions, in: room.id, pace: pace).run(seed: 1)
    let said = room.server.messages(in: room.id).map(\.body)
    #expect(said.count == Talk.all.map(\.lines.count).reduce(0, +))
    for talk in Talk.all {
        let first = try #require(said.firstIndex(of: talk.lines[0].text))
        #expect(Array(said[first...].prefix(talk.lines.count)) == talk.lines.map(\.text))
    }
}
