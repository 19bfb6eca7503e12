import Backend
import Diagnostics
import FoundationEssentials
import Models
import TestSupport
import Testing

@testable import SupabaseBackend

/// Links over scripted sockets, with a session and time by hand.
struct LinkWorld {
    let session: SessionWorld
    let sockets = FakeSockets()
    let links: RealtimeLinks

    init() async throws {
        session = try SessionWorld()
        try await session.keep(1)
        let supabase = session.session()
        links = RealtimeLinks(
            url: "wss://chat.example.test/realtime", sockets: sockets, session: supabase,
            reading: session.rest(supabase), clock: session.backendClock, log: .silent)
    }

    func connect() async throws -> (FakeFeed, AsyncStream<BackendEvent>.AsyncIterator) {
        let socket = FakeSocket()
        sockets.then(.success(socket))
        let events = try await links.connect()
        var feed = FakeFeed(socket)
        try await feed.acceptInbox()
        var iterator = events.makeAsyncIterator()
        #expect(await iterator.next() == .live)
        return (feed, iterator)
    }
}

extension LinkWorld {
    /// Lets time pass once everybody who waits for it sleeps.
    func passTime(_ seconds: Double) async {
        while session.clock.sleeperCount == 0, !Task.isCancelled { await Task.yield() }
        session.clock.advance(by: seconds)
    }
}
