import Backend
import FoundationEssentials
import Models
import Store
import Sync
import TestSupport
import Testing

/// Ana and Ben live through a random hour: links break, answers get lost, the feed skips, the program is killed
/// and started again. At the end everything Ana typed is at the server once and in order, and her store has what
/// the server has.
@Suite(.timeLimit(.minutes(3))) struct SimulationTests {
    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func nothingIsLostAndNothingComesTwice(_ seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let directory = FileManager.default.temporaryDirectory.appending(path: "sim-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: directory) }  // a leftover harms nobody
        let server = FakeServer(changePageSize: 3)
        let room = server.addConversation(of: [.ana, .ben])
        var typed: [String] = []

        for life in 0..<4 {
            let store = try MessageStore.open(directory: directory, for: .ana)
            let device = try World(server: server, store: store, room: room)
            await device.engine.start()
            for step in 0..<30 {
                try await device.step(&random, text: "\(life).\(step)", &typed)
            }
            await device.engine.stop()
        }

        let store = try MessageStore.open(directory: directory, for: .ana)
        let device = try World(server: server, store: store, room: room)
        await device.engine.start()
        try await device.settle()

        let atServer = server.messages(in: room)
        #expect(atServer.filter { $0.senderID == .ana }.map(\.body).filter { !$0.isEmpty } == typed)
        let held = try await store.newestPage(in: room, limit: 1_000).messages
        #expect(held.map(\.id) == atServer.map(\.id))
        #expect(held.map(\.body) == atServer.map(\.body))
        #expect(try await store.gapPosition(in: room) == nil)
        let unread = atServer.count { message in
            message.senderID == .ben && !message.isDeleted
                && message.position ?? 0 > server.readPosition(of: .ana, in: room) ?? .min
        }
        #expect(try await store.conversations().first?.unreadCount == unread)
        for message in held where !message.isDeleted {
            let people = Set(server.reactions(in: room).filter { $0.messageID == message.id }.map(\.userID))
            #expect(message.reactions.map(\.count) == (people.isEmpty ? [] : [people.count]))
        }
        await device.engine.stop()
    }
}

extension World {
    /// One random thing happens, and some time passes.
    func step(_ random: inout SeededRandom, text: String, _ typed: inout [String]) async throws {
        switch Int.random(in: 0..<20, using: &random) {
        case 0...4:
            try await engine.send(text, in: room, replyTo: nil)
            typed.append(text)
        case 5...8: server.say("ben \(text)", in: room, from: .ben)
        case 9: backend.plan(.lostAnswer)
        case 10: backend.plan(.answer(.wait(after: nil, because: .serverFailed)))
        case 11: server.cutLinks()
        case 12: backend.refuseConnects(.offline(.unreachable), .timedOut)
        case 13: backend.refuseReads(.timedOut)
        case 14: await markNewestRead()
        case 15: changeSomething(as: .ben, &random)
        case 16: try await reactToSomething(&random)
        case 17: replaySomething(&random)
        case 18: server.skip(of: .ana, random.chance(50))
        default: clock.advance(by: .seconds(Int64.random(in: 1...40, using: &random)))
        }
        for _ in 0..<Int.random(in: 0..<40, using: &random) { await Task.yield() }
    }

    /// Lets time pass until nothing waits and the newest is here.
    func settle() async throws {
        server.skip(of: .ana, false)
        for _ in 0..<400 {
            clock.advance(by: .seconds(20))
            for _ in 0..<50 { await Task.yield() }
            let held = try await store.newestPage(in: room, limit: 1_000).messages
            guard try await store.conversationsWaiting().isEmpty else { continue }
            let hasAll = held.map(\.version) == server.messages(in: room).map(\.version)
            // The cursor says that nothing is missing, reactions included.
            if hasAll, try await store.cursor(of: room)?.order == server.changed(in: room) { return }
        }
    }

    private func markNewestRead() async {
        guard let newest = try? await store.newestPage(in: room, limit: 1).messages.last else { return }
        try? await engine.markRead(upTo: newest.id, in: room)  // a store in memory cannot fail
    }

    private func changeSomething(as userID: UUID, _ random: inout SeededRandom) {
        let own = server.messages(in: room).filter { $0.senderID == userID }
        guard let message = own.randomElement(using: &random) else { return }
        let change: OutgoingOperation =
            random.chance(70)
            ? .edit(messageID: message.id, conversationID: room, body: message.body + "!")
            : .delete(messageID: message.id, conversationID: room)
        _ = server.perform(change, as: userID)
    }

    private func reactToSomething(_ random: inout SeededRandom) async throws {
        guard let message = server.messages(in: room).randomElement(using: &random) else { return }
        let isOn = random.chance(60)
        if random.chance(50) {
            _ = server.perform(
                .react(messageID: message.id, conversationID: room, symbol: "👍", isOn: isOn), as: .ben)
        } else if try await store.message(message.id)?.position != nil {
            try await engine.react(to: message.id, in: room, symbol: "👍", isOn: isOn)
        }
    }

    private func replaySomething(_ random: inout SeededRandom) {
        for message in server.messages(in: room).suffix(Int.random(in: 1...10, using: &random)) {
            server.emit(.message(MessageChange(message: message)), to: .ana)
        }
    }
}
