import Backend
import FoundationEssentials
import Models
import Networking
import Secrets
import SupabaseWire
import TestSupport
import Testing

@testable import SupabaseBackend

/// Links that stay down, as they were reported of other messengers.
@Suite(.timeLimit(.minutes(1))) struct StuckTrialTests {
    private let rooms = (1...5).map { UUID.example(UInt32($0)) }

    // MARK: Connecting for ever

    /// Where a link stands when it is cut.
    enum Moment: CaseIterable { case open, joining, joined }

    private func lose(_ socket: FakeSocket, at moment: Moment) async throws -> FakeFeed {
        var feed = FakeFeed(socket)
        switch moment {
        case .open: break
        case .joining:
            var frames = socket.sent.makeAsyncIterator()
            while let frame = await frames.next(isolation: nil), frame.event != "phx_join" {}
        case .joined: try await feed.acceptInbox()
        }
        socket.lose()
        return feed
    }

    @Test func t16TenCutsLeaveOneSocketAndOneJoinPerTopic() async throws {
        let world = try await LinkWorld()
        for room in rooms { await world.links.hold(room) }
        for number in 0..<10 {
            let socket = FakeSocket()
            world.sockets.then(.success(socket))
            let events = try await world.links.connect()
            let feed = try await lose(socket, at: Moment.allCases[number % 3])
            var last: BackendEvent?
            for await event in events { last = event }
            #expect(last == .ended(.lost))
            var rest = feed
            // Closed, and nothing more is written.
            if number % 3 != 1 { #expect(try await rest.next("never") == nil) }
        }
        let socket = FakeSocket()
        world.sockets.then(.success(socket))
        let events = try await world.links.connect()
        let joins = try await joins(of: socket, in: world)
        #expect(world.sockets.urls.count == 11)
        #expect(joins.count == 6)
        #expect(Set(joins).count == 6)
        _ = events
    }

    /// The topics joined up to the first heartbeat, with a server that answers everything.
    private func joins(of socket: FakeSocket, in world: LinkWorld) async throws -> [String] {
        let feed = FakeFeed(socket)
        var joins: [String] = []
        var frames = socket.sent.makeAsyncIterator()
        while let frame = await frames.next(isolation: nil), frame.event != "heartbeat" {
            try feed.reply(to: frame)
            guard frame.event == "phx_join" else { continue }
            joins.append(frame.topic)
            if frame.topic == CoreDriver.inbox { try feed.attach(frame.topic) }
            if joins.count == 6 { await world.passTime(26) }
        }
        return joins
    }

    @Test func t16AnAttemptThatWasOvertakenLeavesNoSocket() async throws {
        let world = try await LinkWorld()
        let gate = Gate()
        let (old, new) = (FakeSocket(), FakeSocket())
        world.sockets.then(.success(old), after: gate)
        world.sockets.then(.success(new))
        let first = Task { try await world.links.connect() }
        await gate.arrival()
        let events = try await world.links.connect()
        gate.open()
        await #expect(throws: BackendError.offline(.lost)) { try await first.value }
        var frames = old.sent.makeAsyncIterator()
        #expect(await frames.next() == nil)
        var feed = FakeFeed(new)
        try await feed.acceptInbox()
        var iterator = events.makeAsyncIterator()
        #expect(await iterator.next() == .live)
    }

    // MARK: Half-open TCP

    @Test func t17ADeadStreamIsNoticedByItsOwnHeartbeat() {
        var driver = CoreDriver()
        driver.becomeLive()
        driver.answersBeats = false
        let start = driver.now
        while driver.end == nil, driver.now - start < .seconds(60) { driver.pass(.seconds(1)) }
        #expect(driver.end == .lost)
        #expect(driver.now - start <= .seconds(40))
    }

    @Test func t17AStreamThatDiedInAShortWakeIsGivenUpSoonAfterTheLastOne() {
        var driver = CoreDriver()
        driver.becomeLive()
        driver.answersBeats = false
        for _ in 0..<20 where driver.end == nil {
            driver.sleep(.seconds(40))
            driver.pass(.seconds(2.5))
        }
        driver.pass(.seconds(40))
        #expect(driver.end == .lost)
    }

    @Test func t17AStreamThatLivesOutlivesTwentySleeps() {
        var driver = CoreDriver()
        driver.becomeLive()
        for _ in 0..<20 {
            driver.sleep(.seconds(40))
            driver.pass(.seconds(3))
        }
        driver.pass(.seconds(120))
        #expect(driver.end == nil)
        #expect(driver.joins(CoreDriver.inbox).count == 1)
    }

    // MARK: HTML instead of JSON

    private static let redirect = HTTPResponse.html(
        302, ["Location": "http://login.example.test/signin?back=%2Frest%2Fv1%2Fmessages"])

    @Test(arguments: [redirect, .html(200), .html(303), .html(511)])
    func t18AMessageIsNoBodyForALoginPage(_ page: HTTPResponse) async throws {
        let world = try SessionWorld()
        try await world.keep(1)
        world.http.then(page)
        let writing = Writing(reading: world.rest(world.session()), files: world.files())
        let message = OutgoingMessage(id: UUID(), conversationID: rooms[0], body: "not to strangers")
        #expect(await writing.perform(.send(message)) == .wait(after: nil, because: .offline))
        #expect(world.http.requests.count == 1)
        #expect(world.http.requests.allSatisfy { $0.url.hasPrefix(ScriptedHTTP.base + "/rest/v1/") })
    }

    @Test(arguments: [redirect, .html(200)])
    func t18ATokenIsNotRenewedByALoginPage(_ page: HTTPResponse) async throws {
        let world = try SessionWorld()
        try await world.keep(1)
        world.clock.advance(by: 3_700)
        world.http.then(page)
        await #expect(throws: BackendError.offline(.intercepted)) { try await world.session().accessToken() }
        #expect(try await world.secrets.value(for: SupabaseSession.secretName) != nil)
    }

    // MARK: Sending for ever

    @Test func t20NoInsertIsOnItsWayForLongerThanTwentySeconds() async throws {
        let world = try SessionWorld()
        try await world.keep(1)
        world.http.then { _ throws(NetworkError) in throw .timedOut }
        let writing = Writing(reading: world.rest(world.session()), files: world.files())
        let message = OutgoingMessage(id: UUID(), conversationID: rooms[0], body: "limbo")
        #expect(await writing.perform(.send(message)) == .wait(after: nil, because: .timedOut))
        #expect(world.http.requests.map(\.timeout) == [.seconds(20)])
    }
}
