import Backend
import FoundationEssentials
import Models
import SupabaseBackend
import Synchronization
import Testing

@testable import Demo

private let quick = Tempo(
    reading: .milliseconds(1)...(.milliseconds(2)), stroke: .zero,
    writing: .milliseconds(1)...(.milliseconds(2)),
    silence: .seconds(3_600)...(.seconds(3_600)), opening: .seconds(3_600))

private func temporaryFolder() -> String {
    FileManager.default.temporaryDirectory.path + "/pingline-demo-" + UUID().uuidString
}

/// A demo that runs, and the person at the screen signed in to it.
private func withDemo(
    _ change: (inout DemoConfiguration) -> Void = { _ in },
    _ body: (SupabaseBackend, DemoAccount) async throws -> Void
) async throws {
    let own = temporaryFolder()
    var configuration = DemoConfiguration(folder: temporaryFolder(), seed: 5, tempo: quick)
    change(&configuration)
    let demo = Demo(configuration)
    let account = try await demo.start()
    do {
        let accounts = SupabaseAccounts(folder: own, network: .system())
        let kept = try await accounts.signIn(
            .init(server: account.baseURL, key: account.key, email: account.email, password: account.password)
        )
        try await body(try accounts.backend(of: kept), account)
    } catch {
        await demo.stop()
        try? FileManager.default.removeItem(atPath: own)  // a leftover harms no test
        throw error
    }
    await demo.stop()
    try? FileManager.default.removeItem(atPath: own)  // a leftover harms no test
    #expect(!FileManager.default.fileExists(atPath: configuration.folder))
}

@Test func thePersonAtTheScreenFindsTheirHistory() async throws {
    try await withDemo { backend, _ in
        let heads = try await backend.conversations(before: nil)
        #expect(heads.map(\.conversation.unreadCount).sorted() == [0, 0, 1, 3])
        #expect(heads.filter(\.conversation.isGroup).map(\.conversation.title) == ["Cabin weekend"])
        #expect(try await backend.ownProfile().displayName == "Sam Rivera")

        var count = 0
        for head in heads {
            let history = try await backend.history(of: head.conversation.id, before: nil, limit: 200)
            count += history.count
            let sorted = history.map(\.message.createdAt)
            #expect(sorted == sorted.sorted(by: >))
        }
        #expect(count == Story.all.map(\.lines.count).reduce(0, +))

        let group = try #require(heads.first { $0.conversation.isGroup }).conversation.id
        let messages = try await backend.history(of: group, before: nil, limit: 200).map(\.message)
        #expect(messages.filter { $0.deletedAt != nil }.map(\.body) == [""])
        #expect(
            messages.filter { $0.editedAt != nil }.map(\.body) == ["I'll be downstairs at half past twelve"])
        #expect(messages.contains { $0.replyTo != nil })
        #expect(try await backend.members(of: group).count == 4)
    }
}

@Test func aFriendReadsTypesAndAnswersOverTheWire() async throws {
    try await withDemo { backend, _ in
        let heads = try await backend.conversations(before: nil)
        let ben = try #require(
            heads.first { $0.conversation.title.hasPrefix("Ben") || $0.conversation.peer?.username == "ben" })
        let room = ben.conversation.id
        let events = try await backend.connect()
        var sent: Message?
        var seen: [String] = []
        for await event in events {
            switch event {
            case .live:
                await backend.joinChannel(of: room)
                let message = OutgoingMessage(id: UUID(), conversationID: room, body: "Is the bread done?")
                let outcome = await backend.perform(.send(message))
                if case .stored(let change?) = outcome { sent = change.message }
            case .member(let change) where change.conversationID == room && change.userID != backend.userID:
                if let position = sent?.position, change.readPosition ?? 0 >= position { seen.append("read") }
            case .typing(room, _, true): seen.append("typing")
            case .message(let change):
                let message = change.message
                if message.conversationID == room, message.senderID != backend.userID {
                    seen.append(message.body)
                }
            case .conversation, .feedLost, .member, .messageRemoved, .messageRenamed, .reaction, .typing,
                .presence:
                continue
            case .ended: seen.append("ended")
            }
            if seen.contains(where: { $0.count > 8 }) { break }
        }
        #expect(seen.contains("read"))
        let bread = try #require(Persona.of(.ben)?.topics.first { $0.words.contains("bread") })
        #expect(bread.replies.contains(try #require(seen.last)))
    }
}

@Test func anOutageEndsTheLinkOfThePersonAtTheScreenOnlyForAWhile() async throws {
    let gate = ScriptedPause()
    try await withDemo {
        $0.outage = try? Outage("8@20")
        $0.clock.sleep = { duration in try await gate.sleep(duration) }
    } _: { backend, account in
        let events = try await backend.connect()
        var iterator = events.makeAsyncIterator()
        while let event = await iterator.next(), event != .live {}

        await gate.finish(.seconds(12))
        var last: BackendEvent?
        while let event = await iterator.next() { last = event }
        guard case .ended = last else {
            Issue.record("the link did not end")
            return
        }
        await #expect(throws: BackendError.self) { try await backend.ownProfile() }

        await gate.finish(.seconds(8))
        while true {
            do throws(BackendError) {
                #expect(try await backend.ownProfile().username == "sam")
                break
            } catch { #expect(error.isTransient) }
        }
    }
}

@Test func aDemoStartsOnce() async throws {
    let demo = Demo(DemoConfiguration(folder: temporaryFolder(), seed: 5, tempo: quick))
    _ = try await demo.start()
    await #expect(throws: DemoError.alreadyStarted) { try await demo.start() }
    await demo.stop()
    await demo.stop()
}

/// Sleeps of one length end when the test says so; others go by the clock.
private actor ScriptedPause {
    private var due: Set<Duration> = []
    private var waiting: [Duration: [CheckedContinuation<Void, Never>]] = [:]
    private static let scripted: Set<Duration> = [.seconds(8), .seconds(12)]

    func sleep(_ duration: Duration) async throws {
        guard Self.scripted.contains(duration) else { return try await Task.sleep(for: duration) }
        if due.remove(duration) == nil {
            await withTaskCancellationHandler {
                await withCheckedContinuation { waiting[duration, default: []].append($0) }
            } onCancel: {
                Task { await self.releaseAll() }
            }
        }
        try Task.checkCancellation()
    }

    /// Ends the next sleep of that length, or the one that goes on.
    func finish(_ duration: Duration) {
        guard let sleeper = waiting[duration]?.popLast() else {
            due.insert(duration)
            return
        }
        sleeper.resume()
    }

    private func releaseAll() {
        for sleeper in waiting.values.joined() { sleeper.resume() }
        waiting = [:]
    }
}
