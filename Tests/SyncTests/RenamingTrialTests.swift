import Backend
import FoundationEssentials
import Models
import Store
import Sync
import TestSupport
import Testing

/// A message that a service shows under one id while it is sent and under another afterwards, as it was reported of
/// other messengers.
@Suite(.timeLimit(.minutes(1))) struct RenamingTrialTests {
    private let room = UUID.example(100)
    private let liked = UUID.example(1_048_576)

    /// The id of a message as of a backend that remembers nothing: another one for every number.
    private func name(_ number: Int64) -> UUID { .example(UInt32(number)) }

    private func row(_ told: TelegramTold.Message) -> MessageChange {
        MessageChange(
            message: Message(
                id: name(told.id), conversationID: room, senderID: .ana, body: told.content.text.text,
                createdAt: Date(timeIntervalSince1970: Double(told.date)),
                deliveryState: told.isPending ? .sending : .sent, position: told.isPending ? nil : told.id,
                version: told.isPending ? 0 : 1))
    }

    /// What was told, as a backend's events.
    /// - Parameter typed: The message of ours that the first one is.
    private func events(_ told: TelegramTold, typed: UUID) -> [BackendEvent] {
        let rows = ([told.message].compactMap(\.self) + (told.messages ?? [])).map {
            BackendEvent.message(row($0))
        }
        guard let message = told.message else { return rows }
        let old = told.oldID.map(name) ?? typed
        return [.messageRenamed(MessageRenaming(from: old, to: name(message.id)))] + rows
    }

    @Test func t09OneRowThroughoutAndWhatNamesItNamesTheFinalID() async throws {
        let told = try TelegramTold.whileSending()
        let server = FakeServer()
        server.addConversation(room, of: [.ana, .ben])
        let stored = row(try #require(told[2].message))
        let storeName = "renamed-\(UUID())"
        let world = try World(
            server: server, store: .inMemory(for: .ana, named: storeName), room: room,
            answers: [.stored(stored)])
        let gate = Gate()
        world.backend.hold(at: gate)
        await world.connect()
        let stream = await world.engine.messageStream(for: room)
        let typed = try await world.engine.send("only one row", in: room, replyTo: nil)
        await gate.arrival()

        for update in told[...1] {
            for event in events(update, typed: typed.id) { server.emit(event, to: .ana) }
        }
        try await world.engine.react(to: typed.id, in: room, symbol: "👍", isOn: true)
        let reply = try await world.engine.send("and its answer", in: room, replyTo: typed.id)
        var answer = Message.stored("and its answer", id: reply.id, in: room, from: .ana, at: 2_097_152)
        answer.replyTo = liked
        world.backend.plan(.answer(.stored(nil)), .answer(.stored(MessageChange(message: answer))))
        for update in told[2...] {
            for event in events(update, typed: typed.id) { server.emit(event, to: .ana) }
        }
        server.emit(.message(stored), to: .ana)
        gate.open()

        let shown = await thread(stream) { messages in
            #expect(Set(messages.map(\.id)).isSubset(of: [typed.id, reply.id]))
            return messages.count == 2 && messages.allSatisfy { $0.deliveryState == .sent }
        }
        #expect(shown.map(\.body) == ["only one row", "and its answer"])
        #expect(shown.first?.position == 1_048_576)
        #expect(shown.first?.reactions.map(\.symbol) == ["👍"])
        while try await world.store.waitingCount() > 0 { await Task.yield() }
        let sent = world.backend.performed
        #expect(sent.count == 3)
        #expect(sent[1] == .react(messageID: liked, conversationID: room, symbol: "👍", isOn: true))
        #expect(
            sent[2]
                == .send(
                    OutgoingMessage(
                        id: reply.id, conversationID: room, body: "and its answer", replyTo: liked)))
        await world.engine.stop()

        try await showsOneRowAfterARestart(storeName, stored, typed.id, reply.id)
    }

    /// What the history tells after a restart is under the final id alone.
    private func showsOneRowAfterARestart(
        _ storeName: String, _ stored: MessageChange, _ typed: UUID, _ reply: UUID
    ) async throws {
        let store = try MessageStore.inMemory(for: .ana, named: storeName)
        try await store.keepNewestPage(of: room, IncomingRows(messages: [stored.message]))
        let shown = try await store.newestPage(in: room, limit: 9).messages
        #expect(shown.map(\.id) == [typed, reply])
        #expect(shown.last?.replyTo == typed)
    }

    @Test func t09AServiceThatGivesItsOwnIDInItsAnswerHasOneRowToo() async throws {
        let (world, gate, typed) = try await sending(answer: .stored(MessageChange(message: own)))
        let opened = await world.engine.openThread(room)
        // The echo, of which nobody knows yet what it is, and something after which it would be there.
        world.server.emit(.message(MessageChange(message: own)), to: .ana)
        world.server.say("fence", in: room, from: .ben)
        #expect(await world.shown { $0.count > 1 }.map(\.body) == ["fence", "renamed"])
        #expect(try await world.store.search("renamed").map(\.id) == [typed.id])
        gate.open()
        for await change in opened.changes {
            if case .message(let message) = change {
                #expect(message.id != liked, "it stands beside itself")
                if message.id == typed.id, message.deliveryState == .sent { break }
            }
        }
        let shown = await world.shown { $0.count == 2 && $0.allSatisfy { $0.deliveryState == .sent } }
        #expect(Set(shown.map(\.body)) == ["fence", "renamed"])
        await world.engine.list { list in list.first?.lastMessage?.deliveryState == .sent }
        await world.engine.stop()
    }

    @Test func t09TheSameWordsFromAnotherDeviceAreShownOnceItIsClear() async throws {
        let (world, gate, typed) = try await sending(answer: .stored(MessageChange(message: own)))
        let other = Message.stored("renamed", id: .example(2_097_152), in: room, from: .ana, at: 49)
        world.server.emit(.message(MessageChange(message: other)), to: .ana)
        world.server.emit(.message(MessageChange(message: own)), to: .ana)
        gate.open()
        let shown = await world.shown { $0.count == 2 }
        #expect(shown.map(\.id) == [other.id, typed.id])
        await world.engine.stop()
    }

    @Test func t09WhatArrivedIsShownWhenTheSendIsRefused() async throws {
        let (world, gate, typed) = try await sending(answer: .refused(.empty))
        world.server.emit(.message(MessageChange(message: own)), to: .ana)
        gate.open()
        let shown = await world.shown { $0.count == 2 && $0.last?.deliveryState == .failed }
        #expect(shown.map(\.id) == [liked, typed.id])
        await world.engine.stop()
    }

    @Test func t09OneThatWasDroppedOnItsWayIsTakenBackThoughItsRowWasThereFirst() async throws {
        let (world, gate, typed) = try await sending(answer: .stored(MessageChange(message: own)))
        world.server.emit(.message(MessageChange(message: own)), to: .ana)
        world.server.say("fence", in: room, from: .ben)
        await world.shown { $0.count == 2 }
        try await world.engine.drop(typed.id)
        gate.open()
        let deletes = { world.backend.performed.filter { if case .delete = $0 { true } else { false } } }
        while deletes().isEmpty { await Task.yield() }
        #expect(deletes() == [.delete(messageID: liked, conversationID: room)])
        await world.engine.stop()
    }

    /// What the service has of the message that is being sent.
    private var own: Message { .stored("renamed", id: liked, in: room, from: .ana, at: 50) }

    /// A world in which a message is on its way, and waits at the gate.
    private func sending(answer: OperationOutcome) async throws -> (World, Gate, Message) {
        let server = FakeServer()
        server.addConversation(room, of: [.ana, .ben])
        let world = try World(server: server, room: room, answers: [answer], keepsOurIDs: false)
        await world.connect()
        let gate = Gate()
        world.backend.hold(at: gate)
        let typed = try await world.engine.send("renamed", in: room, replyTo: nil)
        await gate.arrival()
        return (world, gate, typed)
    }

    @Test func t09OlderMessagesAreAskedForByTheServicesName() async throws {
        let server = FakeServer()
        server.addConversation(room, of: [.ana, .ben])
        let world = try World(server: server, room: room)
        let own = Message.stored("renamed", id: liked, in: room, from: .ana, at: 50)
        let typed = try await world.store.enqueue(.typed("renamed", in: room))
        try await world.store.keepFirstPage(
            of: room, IncomingRows(messages: [own], renamed: [NameChange(from: typed.id, to: liked)]),
            cursor: StoredCursor(order: 1, token: "t"))
        let oldest = try #require(try await world.store.message(typed.id))
        _ = try await world.engine.olderMessages(in: room, before: oldest, limit: 10)
        #expect(world.backend.anchors == [MessageAnchor(position: 50, id: liked)])
    }
}
