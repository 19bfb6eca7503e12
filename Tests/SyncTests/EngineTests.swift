import Backend
import FoundationEssentials
import Models
import Store
import Sync
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct EngineTests {
    @Test func receiptsGoOutByThemselvesAndReadingIsTold() async throws {
        let world = try World()
        await world.connect()
        let ben = FakeBackend(server: world.server, userID: .ben)
        let events = try await ben.connect()
        let said = world.server.say("hi", in: world.room, from: .ben)
        for await event in events {
            if case .member(let change) = event, change.deliveredPosition == said.position { break }
        }
        await world.engine.list { $0.first?.unreadCount == 1 }
        let more = try await ben.connect()
        try await world.engine.markRead(upTo: said.id, in: world.room)
        for await event in more {
            if case .member(let change) = event, change.readPosition == said.position { break }
        }
        await world.engine.list { $0.first?.unreadCount == 0 }
        await world.engine.stop()
    }

    @Test func deliveredAndReadMarksFollow() async throws {
        let world = try World()
        await world.connect()
        await world.engine.list { !$0.isEmpty }
        let stream = await world.engine.messageStream(for: world.room)
        let sent = try await world.engine.send("seen?", in: world.room, replyTo: nil)
        for (mark, state) in [
            (
                OutgoingOperation.markDelivered(conversationID: world.room, messageID: sent.id),
                DeliveryState.delivered
            ),
            (.markRead(conversationID: world.room, messageID: sent.id), .read),
        ] {
            while world.server.messages(in: world.room).isEmpty { await Task.yield() }
            _ = world.server.perform(mark, as: .ben)
            let again = await world.engine.messageStream(for: world.room)
            _ = await thread(again) { $0.first?.deliveryState == state }
        }
        _ = stream
        await world.engine.stop()
    }

    @Test func backOnlineTellsWhatWentAndWhatCame() async throws {
        let world = try World()
        await world.connect()
        await world.engine.list { !$0.isEmpty }
        while try await world.store.cursor(of: world.room) == nil { await Task.yield() }
        let notices = world.engine.notices()
        world.backend.refuseConnects(.offline(.unreachable))
        world.server.cutLinks()
        await world.engine.reaches(.disconnected)
        for body in ["one", "two"] { try await world.engine.send(body, in: world.room, replyTo: nil) }
        for body in ["a", "b", "c"] { world.server.say(body, in: world.room, from: .ben) }
        let pump = Task {
            while !Task.isCancelled { world.clock.advance(by: .seconds(1)); await Task.yield() }
        }
        for await notice in notices {
            if case .backOnline(let sent, let received) = notice {
                #expect(sent == 2 && received == 3)
                break
            }
        }
        pump.cancel()
        await world.engine.stop()
    }

    @Test func anEndedSessionStopsTryingAndKeepsWhatWasTyped() async throws {
        let world = try World()
        await world.connect()
        world.backend.endSession(true)
        let notices = world.engine.notices()
        try await world.engine.send("keep me", in: world.room, replyTo: nil)
        for await notice in notices where notice == .signedOut { break }
        await world.engine.reaches(.disconnected)
        for await detail in world.engine.linkDetail()
        where detail.reason == .signedOut && detail.waitingCount == 1 {
            #expect(detail.nextTryAt == nil)
            break
        }
        world.backend.endSession(false)
        await world.engine.reconnectNow()
        _ = await thread(await world.engine.messageStream(for: world.room)) {
            $0.first?.deliveryState == .sent
        }
        await world.engine.stop()
    }

    @Test func aThousandOpenedThreadsLeaveNothing() async throws {
        let server = FakeServer()
        let room = server.addConversation(of: [.ana, .ben])
        for _ in 0..<25 {
            let id = server.addConversation(of: [.ana, .cleo])
            server.say("newer", in: id, from: .cleo)
        }
        let world = try World(server: server, room: room)
        await world.connect()
        await world.engine.list { $0.count == 26 }
        while world.backend.heldChannels.count != 20 { await Task.yield() }
        let before = world.backend.heldChannels
        #expect(!before.contains(room))
        for _ in 0..<1_000 {
            let stream = await world.engine.messageStream(for: room)
            let news = await world.engine.threadNews(for: room)
            _ = (stream, news)
        }
        while await world.engine.openThreadCount > 0 { await Task.yield() }
        while world.backend.heldChannels != before { await Task.yield() }
        #expect(world.backend.unevenChannels.isEmpty)
        #expect(server.linkCount == 1)
        await world.engine.stop()
    }

    @Test func aMessageRemovedAtTheServiceLeavesTheThread() async throws {
        let world = try World()
        await world.connect()
        let stream = await world.engine.messageStream(for: world.room)
        let opened = await world.engine.openThread(world.room)
        world.server.say("stays", in: world.room, from: .ben)
        world.server.say("goes", in: world.room, from: .ben)
        let shown = await thread(stream) { $0.count == 2 }
        let gone = try #require(shown.last?.id)
        world.server.emit(.messageRemoved(gone), to: .ana)
        for await change in opened.changes where change == .gone(gone) { break }
        #expect(try await world.store.newestPage(in: world.room, limit: 9).messages.map(\.body) == ["stays"])
        await world.engine.list { $0.first?.lastMessage?.body == "stays" }
        await world.engine.stop()
    }

    /// By one stream: what changed a message just before its end must not come behind it.
    @Test func theEndOfADroppedMessageIsTheLastThatIsToldOfIt() async throws {
        let world = try World()
        world.backend.refuseConnects(.offline(.signedOut))  // else it may be sent before it is dropped
        let opened = await world.engine.openThread(world.room)
        await world.engine.start()
        let message = try await world.engine.send("goes", in: world.room, replyTo: nil)
        try await world.engine.edit(message.id, in: world.room, body: "is going")
        try await world.engine.drop(message.id)
        var told: [ThreadChange] = []
        for await change in opened.changes {
            told.append(change)
            if change == .gone(message.id) { break }
        }
        #expect(told.count == 3)
        #expect(opened.page.isEmpty)
        await world.engine.stop()
    }

    @Test func typingAndPresenceAreShownInTheThread() async throws {
        let world = try World()
        await world.connect()
        let news = await world.engine.threadNews(for: world.room)
        world.server.emit(.typing(conversationID: world.room, userID: .ben, isTyping: true), to: .ana)
        world.server.emit(.typing(conversationID: world.room, userID: .ana, isTyping: true), to: .ana)
        world.server.emit(.presence(conversationID: world.room, userIDs: [.ana, .ben]), to: .ana)
        var seen: [ThreadNews] = []
        for await item in news {
            seen.append(item)
            if item == .present([.ana, .ben]) { break }
        }
        #expect(
            seen == [.typing([]), .present([]), .gap(before: nil), .typing([.ben]), .present([.ana, .ben])])
        await world.engine.setTyping(true, in: world.room)
        await world.engine.setTyping(true, in: world.room)
        while world.backend.typing.isEmpty { await Task.yield() }
        #expect(world.backend.typing == [true])
        await world.engine.stop()
    }

    @Test func changesShowAtOnceAndReachTheServer() async throws {
        let world = try World()
        await world.connect()
        let stream = await world.engine.messageStream(for: world.room)
        let sent = try await world.engine.send("teh", in: world.room, replyTo: nil)
        try await world.engine.edit(sent.id, in: world.room, body: "the")
        try await world.engine.react(to: sent.id, in: world.room, symbol: "heart.fill", isOn: true)
        let shown = await thread(stream) { messages in
            messages.first?.body == "the" && messages.first?.reactions.isEmpty == false
                && messages.first?.deliveryState == .sent
        }
        #expect(shown.first?.reactions == [Reaction(symbol: "heart.fill", byMe: true)])
        while try await world.store.waitingCount() > 0 { await Task.yield() }
        #expect(world.server.messages(in: world.room).map(\.body) == ["the"])
        #expect(world.server.reactions(in: world.room).count == 1)
        try await world.engine.delete(sent.id, in: world.room)
        while world.server.messages(in: world.room).first?.isDeleted == false { await Task.yield() }
        await world.engine.stop()
    }

    @Test func aRefusedChangeIsToldAndUndone() async throws {
        let world = try World()
        await world.connect()
        let notices = world.engine.notices()
        let bens = world.server.say("hers", in: world.room, from: .ben)
        _ = await thread(await world.engine.messageStream(for: world.room)) { !$0.isEmpty }
        try await world.engine.edit(bens.id, in: world.room, body: "mine")
        for await notice in notices where notice == .changeRefused(.messageGone, keepsText: true) { break }
        #expect(try await world.store.message(bens.id)?.body == "hers")
        await world.engine.stop()
    }

    @Test func membersComeWithTheirNames() async throws {
        let world = try World()
        await world.connect()
        for await members in await world.engine.members(of: world.room) where members.count == 2 {
            #expect(members.map(\.person.displayName) == ["ana", "ben"])
            break
        }
        await world.engine.stop()
    }

    @Test func stoppingEndsEveryStream() async throws {
        let world = try World()
        await world.connect()
        let messages = await world.engine.messageStream(for: world.room)
        let news = await world.engine.threadNews(for: world.room)
        let list = world.engine.conversations()
        let members = await world.engine.members(of: world.room)
        let notices = world.engine.notices()
        await world.engine.stop()
        for await _ in messages {}
        for await _ in news {}
        for await _ in list {}
        for await _ in members {}
        for await _ in notices {}
        for await _ in world.engine.connectionStatus() {}
        while world.server.linkCount > 0 { await Task.yield() }
    }
}
