import Backend
import FoundationEssentials
import Models
import Store
import Sync
import TestSupport
import Testing

/// Messages that were lost on the way, as they were reported of other messengers.
@Suite(.timeLimit(.minutes(1))) struct LossTrialTests {
    // MARK: T10, a feed that is not attached yet

    @Test func t10WhatCameInTheWindowBeforeTheFeedIsFetched() async throws {
        let world = try World()
        world.backend.holdFeed()
        await world.engine.start()
        let stream = await world.engine.messageStream(for: world.room)
        while world.server.linkCount == 0 { await Task.yield() }
        world.server.say("in the window", in: world.room, from: .ben)
        world.clock.advance(by: .seconds(3))
        for _ in 0..<200 { await Task.yield() }
        for await status in world.engine.connectionStatus() {
            #expect(status == .connecting)
            break
        }

        world.backend.attachFeed()

        #expect(await thread(stream) { !$0.isEmpty }.map(\.body) == ["in the window"])
        await world.engine.reaches(.connected)
        await world.engine.stop()
    }

    // MARK: T11, more than a page was missed

    /// Pages of 100 leave no hole at any time; with pages of 50 the newest one is shown first, above a hole.
    @Test(arguments: [100, 50])
    func t11ThreeHundredAndFiftyMissedMessagesLeaveNoHole(_ pageSize: Int) async throws {
        let server = FakeServer(changePageSize: pageSize)
        let world = try World(server: server)
        server.say("k0", in: world.room, from: .ben)
        await world.connect()
        await world.shown { $0.map(\.body) == ["k0"] }
        while try await world.store.cursor(of: world.room) == nil { await Task.yield() }
        let news = await world.engine.threadNews(for: world.room)
        let stream = await world.engine.messageStream(for: world.room)

        world.backend.refuseConnects(.offline(.unreachable), .offline(.unreachable))
        server.cutLinks()
        for number in 1...350 { server.say("k\(number)", in: world.room, from: .ben) }
        await world.engine.reconnectNow()
        let all = await world.whileTimePasses { await thread(stream) { $0.count == 351 } }

        #expect(all.map(\.body) == (0...350).map { "k\($0)" })
        while try await world.store.gapPosition(in: world.room) != nil { await Task.yield() }
        #expect(try await world.store.cursor(of: world.room)?.order == server.changed(in: world.room))
        var gaps: [Int64?] = []
        await world.engine.stop()
        for await case .gap(let position) in news { gaps.append(position) }
        // A hole was told before it was shown, and its end.
        #expect(gaps.count == (pageSize == 50 ? 3 : 1))
        #expect(gaps.last == .some(nil))
        if pageSize == 50 { #expect(gaps[1] == all[251].position) }
    }

    @Test func t11AsLongAsItIsOpenAHoleIsMarkedAndScrollingFillsIt() async throws {
        let server = FakeServer(changePageSize: 50)
        let world = try World(server: server)
        server.say("k0", in: world.room, from: .ben)
        await world.connect()
        await world.shown { $0.map(\.body) == ["k0"] }
        while try await world.store.cursor(of: world.room) == nil { await Task.yield() }
        server.skip(of: .ana, true)
        server.cutLinks()
        for number in 1...350 { server.say("k\(number)", in: world.room, from: .ben) }
        // The newest page comes, and nothing after it.
        world.backend.refuse("changes", after: 4, .offline(.lost))
        await world.whileTimePasses {
            while (try? await world.store.gapPosition(in: world.room)) == .some(nil) { await Task.yield() }
        }
        let stream = await world.engine.messageStream(for: world.room)
        var held = await thread(stream) { $0.count >= 100 }
        #expect(held.last?.body == "k350")
        let oldest = try #require(held.first)
        #expect(try await world.store.gapPosition(in: world.room) == oldest.position)
        while held.first?.body != "k0" {
            let page = try await world.engine.olderMessages(
                in: world.room, before: try #require(held.first), limit: 60)
            held = page.messages + held
        }
        #expect(held.map(\.body) == (0...350).map { "k\($0)" })
        #expect(try await world.store.gapPosition(in: world.room) == nil)
        await world.engine.stop()
    }

    // MARK: T12, killed on the way

    @Test func t12WhatWasOnItsWayAtAKillGoesOutUnasked() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "kill-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: directory) }  // a leftover harms nobody
        let server = FakeServer()
        let room = server.addConversation(of: [.ana, .ben])
        let before = try World(server: server, store: .open(directory: directory, for: .ana), room: room)
        let gate = Gate()
        before.backend.hold(at: gate)
        await before.connect()
        try await before.engine.send("stranded", in: room, replyTo: nil)
        await gate.arrival()
        await before.engine.stop()

        let after = try World(server: server, store: .open(directory: directory, for: .ana), room: room)
        #expect(await after.shown { !$0.isEmpty }.first?.deliveryState == .sending)
        await after.connect()
        await after.shown { $0.first?.deliveryState == .sent }
        #expect(after.backend.performed.count == 1)
        gate.open()
        #expect(server.messages(in: room).map(\.body) == ["stranded"])
        await after.engine.stop()
    }

    @Test func t12SevenHundredThatWaitedGoOutOverTheFirstLink() async throws {
        let name = "seven-hundred-\(UUID())"
        let world = try World(store: .inMemory(for: .ana, named: name))
        let bodies = (1...700).map { "q\($0)" }
        for body in bodies { try await world.engine.send(body, in: world.room, replyTo: nil) }
        let store = try MessageStore.inMemory(for: .ana, named: name)
        await world.engine.stop()
        // The clock stands: no timer and no second link helps.
        let again = try World(server: world.server, store: store, room: world.room)
        await again.connect()
        while try await again.store.waitingCount() > 0 { await Task.yield() }
        #expect(world.server.messages(in: world.room).map(\.body) == bodies)
        #expect(again.backend.count(of: "connect") == 1)
        await again.engine.stop()
    }

    // MARK: T13, a link that is dead unnoticed

    @Test(arguments: [true, false])
    func t13NothingIsCalledSentThatTheServerDidNotConfirm(_ hasArrived: Bool) async throws {
        let world = try World()
        await world.connect()
        world.server.skip(of: .ana, true)
        let hole = Gate()
        world.backend.hold(at: hole)
        world.backend.plan(hasArrived ? .lostAnswer : .answer(.wait(after: nil, because: .timedOut)))
        let stream = await world.engine.messageStream(for: world.room)
        for body in ["w1", "w2", "w3"] { try await world.engine.send(body, in: world.room, replyTo: nil) }
        await hole.arrival()
        let server = world.server
        let room = world.room
        func follow(until isWanted: @escaping ([Message]) -> Bool) async {
            _ = await thread(stream) { messages in
                let stored = Set(server.messages(in: room).map(\.id))
                #expect(messages.allSatisfy { $0.deliveryState == .sending || stored.contains($0.id) })
                return isWanted(messages)
            }
        }
        await follow { $0.count == 3 }
        #expect(try await world.store.waitingCount() == 3)
        world.backend.refuseConnects(.timedOut, .timedOut)
        server.cutLinks()
        await world.engine.reaches(.disconnected)
        world.backend.hold(at: nil)
        hole.open()
        server.skip(of: .ana, false)
        await world.whileTimePasses {
            await follow { $0.count == 3 && $0.allSatisfy { $0.deliveryState == .sent } }
        }
        #expect(server.messages(in: room).map(\.body) == ["w1", "w2", "w3"])
        await world.engine.stop()
    }

    // MARK: T14, the moment of reconnecting

    @Test func t14AFreshMessageDoesNotOvertakeTheQueue() async throws {
        let world = try World()
        let ben = try World(server: world.server, room: world.room, userID: .ben)
        await ben.connect()
        for body in ["A1", "A2"] { try await world.engine.send(body, in: world.room, replyTo: nil) }
        let gate = Gate()
        world.backend.hold(at: gate)
        let clock = world.clock
        world.backend.delay { await clock.sleep(until: clock.uptime() + .milliseconds(500)) }
        await world.connect()
        await gate.arrival()
        let stream = await world.engine.messageStream(for: world.room)
        try await world.engine.send("B1", in: world.room, replyTo: nil)
        gate.open()
        let shown = await world.whileTimePasses {
            await thread(stream) { messages in
                #expect(messages.map(\.body) == Array(["A1", "A2", "B1"].prefix(messages.count)))
                // Ben's program says that they came.
                return messages.count == 3 && messages.allSatisfy { $0.deliveryState != .sending }
            }
        }
        #expect(shown.map(\.body) == ["A1", "A2", "B1"])
        #expect(world.server.messages(in: world.room).map(\.body) == ["A1", "A2", "B1"])
        #expect(await ben.shown { $0.count == 3 }.map(\.body) == ["A1", "A2", "B1"])
        await ben.engine.stop()
        await world.engine.stop()
    }
}
