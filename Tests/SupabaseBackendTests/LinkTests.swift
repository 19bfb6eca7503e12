import Backend
import Diagnostics
import FoundationEssentials
import Models
import Networking
import SupabaseWire
import TestSupport
import Testing

@testable import SupabaseBackend

@Suite struct LinkTests {
    private let room = CoreDriver.room
    private let id = UUID()

    private func record(_ json: String) throws -> JSONValue { try WireCoding.decode(from: json) }

    @Test func changesComeInTheOrderOfTheFeed() async throws {
        let world = try await LinkWorld()
        var (feed, events) = try await world.connect()
        for number in 1...200 {
            try feed.insert("messages", record(WireJSON.message(UUID(), in: room, body: "m\(number)")))
        }
        for number in 1...200 {
            guard case .message(let change)? = await events.next() else { return }
            #expect(change.message.body == "m\(number)")
        }
        _ = feed
    }

    @Test func aRecordWithoutItsBodyIsReadFromTheServer() async throws {
        let world = try await LinkWorld()
        let (feed, iterator) = try await world.connect()
        var events = iterator
        world.session.http.then(.json("[\(WireJSON.message(id, in: room, body: "long"))]"))
        try feed.change(
            "messages", "UPDATE",
            ["id": .string(id.text), "conversation_id": .string(room.text), "edited_at": nil])
        guard case .message(let change)? = await events.next() else { return }
        #expect(change.message.body == "long")
        #expect(world.session.http.paths[0].hasSuffix("id=eq.\(id.text)"))
    }

    @Test func aRowTheServerCouldNotSendIsReadAndOneThatCannotBeReadIsCaughtUp() async throws {
        let world = try await LinkWorld()
        let (feed, iterator) = try await world.connect()
        var events = iterator
        let errors: JSONValue = ["Error 413: Payload Too Large"]
        world.session.http.then(.json("[\(WireJSON.message(id, in: room, body: "big"))]"))
        try feed.insert("messages", record(WireJSON.message(id, in: room, body: "")), errors: errors)
        guard case .message(let change)? = await events.next() else { return }
        #expect(change.message.body == "big")
        try feed.insert("messages", record(WireJSON.message(id, in: room, body: "")), errors: errors)
        #expect(await events.next() == .live)
        try feed.insert("messages", ["body": "no key"])
        #expect(await events.next() == .live)
    }

    @Test func aRemovedMessageIsToldByItsID() async throws {
        let world = try await LinkWorld()
        let (feed, iterator) = try await world.connect()
        var events = iterator
        try feed.remove("messages", ["id": .string(id.text)])
        #expect(await events.next() == .messageRemoved(id))
        try feed.remove("reactions", ["message_id": .string(id.text), "symbol": "x"])
        try feed.remove("messages", ["future_key": 1])
        #expect(await events.next() == .live)
    }

    @Test func deformedFramesHurtNobody() async throws {
        let world = try await LinkWorld()
        let (feed, iterator) = try await world.connect()
        var events = iterator
        for text in ["", "{nope", "[]", "null", #"{"topic":1}"#, #"{"topic":"a","event":"b","ref":{}}"#] {
            feed.socket.receive(text: text)
        }
        try feed.insert("future", [:])
        try feed.insert("messages", record(WireJSON.message(id, in: room)))
        guard case .message? = await events.next() else {
            Issue.record("the message did not come")
            return
        }
    }

    @Test func everyTableHasItsEvent() async throws {
        let world = try await LinkWorld()
        let (feed, iterator) = try await world.connect()
        var events = iterator
        try feed.insert("reactions", record(WireJSON.reaction))
        guard case .reaction(let reaction)? = await events.next() else { return }
        #expect(reaction.isOn && reaction.symbol == "👍")
        try feed.insert("conversation_members", record(WireJSON.member(user: id.text, in: room)))
        guard case .member(let member)? = await events.next() else { return }
        #expect(member.userID == id && !member.hasLeft)
        try feed.change(
            "conversations", "UPDATE",
            [
                "id": .string(room.text), "title": nil, "is_group": true,
                "changed_at": "2026-03-04T05:06:07.25+00:00",
            ])
        #expect(
            await events.next()
                == .conversation(
                    id: room,
                    cursor: SyncCursor(order: 1_772_600_767_250_000, token: "2026-03-04T05:06:07.25+00:00")))
    }

    @Test func droppingTheEventsClosesTheSocket() async throws {
        let world = try await LinkWorld()
        var feed: FakeFeed
        do { (feed, _) = try await world.connect() }
        #expect(try await feed.next("never") == nil)
    }

    @Test func aLostSocketIsToldAndTheStreamEnds() async throws {
        let world = try await LinkWorld()
        let (feed, iterator) = try await world.connect()
        var events = iterator
        feed.socket.lose()
        #expect(await events.next() == .ended(.lost))
        #expect(await events.next() == nil)
    }

    @Test func heldChannelsAreJoinedAgainOnTheNextLink() async throws {
        let world = try await LinkWorld()
        await world.links.hold(room)
        await world.links.hold(room)
        await world.links.release(room)
        let (first, iterator) = try await world.connect()
        var events = iterator
        first.socket.lose()
        #expect(await events.next() == .ended(.lost))
        let socket = FakeSocket()
        world.sockets.then(.success(socket))
        let stream = try await world.links.connect()
        var feed = FakeFeed(socket)
        #expect(try await feed.next("phx_join")?.topic == CoreDriver.inbox)
        #expect(try await feed.next("phx_join")?.topic == CoreDriver.roomTopic)
        _ = stream
    }

    @Test func aHoldIsOneJoinAndTheLastReleaseOneLeave() async throws {
        let world = try await LinkWorld()
        var (feed, events) = try await world.connect()
        await world.links.hold(room)
        await world.links.hold(room)
        let join = try #require(try await feed.next("phx_join"))
        try feed.reply(to: join)
        #expect(try await feed.next("presence")?.joinRef == join.ref)
        await world.links.release(room)
        await world.links.type(true, in: room)
        #expect(try await feed.next("broadcast")?.topic == CoreDriver.roomTopic)
        await world.links.release(room)
        #expect(try await feed.next("phx_leave")?.joinRef == join.ref)
        await world.links.release(room)
        _ = events
    }

    @Test func aNewTokenReachesTheJoinedChannels() async throws {
        let world = try await LinkWorld()
        var (feed, events) = try await world.connect()
        world.session.http.then(.json(world.session.sessionJSON(2)))
        try feed.socket.receive(
            RealtimeFrame(
                topic: CoreDriver.inbox, event: "system",
                payload: [
                    "extension": "system", "status": "error", "message": "Token has expired 0 seconds ago",
                ]))
        try feed.socket.receive(RealtimeFrame(ref: "1", topic: CoreDriver.inbox, event: "phx_close"))
        let join = try #require(try await feed.next("phx_join"))
        #expect(join.payload["access_token"]?.string.flatMap { number(of: $0) } == 2)
        #expect(await events.next() == .feedLost)
    }

    @Test func aHeartbeatWithoutAnswerEndsTheLink() async throws {
        let world = try await LinkWorld()
        let (feed, iterator) = try await world.connect()
        var events = iterator
        let start = world.session.clock.now
        let time = Task { while !Task.isCancelled { await world.passTime(1) } }
        #expect(await events.next() == .ended(.lost))
        time.cancel()
        #expect(world.session.clock.now.timeIntervalSince(start) >= 35)
        _ = feed
    }

    @Test func whatNobodyTakesEndsTheLink() async throws {
        let world = try await LinkWorld()
        let (feed, iterator) = try await world.connect()
        var events = iterator
        let body = String(repeating: "x", count: 1 << 20)
        for _ in 0..<20 { try feed.insert("messages", record(WireJSON.message(id, in: room, body: body))) }
        var count = 0
        var last: BackendEvent?
        var socketFrames = feed
        #expect(try await socketFrames.next("never") == nil)
        while let event = await events.next() {
            last = event
            count += 1
        }
        #expect(last == .ended(.lost))
        #expect(count < 20)
    }

    // MARK: Connecting

    @Test func aRefusedKeyRenewsTheSessionOnceAndIsThenForGood() async throws {
        let world = try await LinkWorld()
        for _ in 0..<2 { world.sockets.then(.failure(.upgradeRefused(.json(401, "{}")))) }
        world.session.http.then(.json(world.session.sessionJSON(2)))
        await #expect(throws: BackendError.offline(.refused)) { try await world.links.connect() }
        #expect(world.session.http.requests.count == 1)
        #expect(world.sockets.urls.count == 2)
    }

    @Test(arguments: [
        (NetworkError.nameNotFound, BackendError.offline(.noSuchName)), (.timedOut, .timedOut),
        (.upgradeRefused(.html(503)), .offline(.serverUnavailable)),
        (.upgradeRefused(.json(429, "{}")), .busy(retryAfter: .seconds(30))),
        (.upgradeRefused(.html(302)), .offline(.intercepted)),
    ])
    func anAttemptFailsWithItsReason(_ failure: NetworkError, _ expected: BackendError) async throws {
        let world = try await LinkWorld()
        world.sockets.then(.failure(failure))
        await #expect(throws: expected) { try await world.links.connect() }
    }
}
