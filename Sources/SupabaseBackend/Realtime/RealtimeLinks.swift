import Backend
import Diagnostics
import FoundationEssentials
import Models
import Networking

/// Opens links, one after the other, and remembers over them which channels are held.
actor RealtimeLinks {
    /// From the call of `connect` to its answer.
    private static let limit = Duration.seconds(15)

    private let url: String
    private let sockets: any SocketTransport
    private let session: SupabaseSession
    private let reading: Reading
    private let clock: BackendClock
    private let log: Log
    private var current: RealtimeLink?
    /// Counts the attempts: one that was overtaken must not put its link in the place of the newer one.
    private var attempts = 0
    private var holds: [UUID: Int] = [:]
    /// Rises with each change of who is held, so that the link can tell an overtaken word from a newer one.
    private var holdsVersion = 0

    init(
        url: String, sockets: any SocketTransport, session: SupabaseSession, reading: Reading,
        clock: BackendClock, log: Log
    ) {
        self.url = url
        self.sockets = sockets
        self.session = session
        self.reading = reading
        self.clock = clock
        self.log = log
    }

    func connect() async throws(BackendError) -> AsyncStream<BackendEvent> {
        attempts += 1
        let attempt = attempts
        await close()  // two sockets of one account would bring everything twice
        let (socket, token) = try await open()
        let now = clock.uptime()
        let checkAt = now + (await session.timeToRenewal())
        guard attempt == attempts else {
            await socket.end()
            throw .offline(.lost)
        }
        // Nothing is awaited between reading the holds and the link being there to hear of changes to them.
        let core = RealtimeCore(
            userID: reading.mapping.userID, token: token, tokenCheckAt: checkAt, held: holds.keys, at: now,
            jitter: { Double.random(in: 0.5...1) })
        let (link, events) = RealtimeLink.make(
            core, holdsVersion: holdsVersion, over: socket, session: session, reading: reading, clock: clock,
            log: log)
        current = link
        await link.run()
        return events
    }

    func hold(_ conversationID: UUID) async {
        holds[conversationID, default: 0] += 1
        if holds[conversationID] == 1 { await tellHolds() }
    }

    func release(_ conversationID: UUID) async {
        guard let count = holds[conversationID] else { return }
        holds[conversationID] = count > 1 ? count - 1 : nil
        if count == 1 { await tellHolds() }
    }

    private func tellHolds() async {
        holdsVersion += 1
        await current?.hold(Set(holds.keys), version: holdsVersion)
    }

    func type(_ isTyping: Bool, in conversationID: UUID) async {
        await current?.handle(.typing(isTyping, conversationID))
    }

    func check() async { await current?.handle(.doubted) }

    func close() async {
        let link = current
        current = nil
        await link?.end()
    }

    // MARK: One attempt

    private func open() async throws(BackendError) -> (any SocketConnection, String) {
        let (sockets, session, url, clock) = (sockets, session, url, clock)
        return try await Deadline.within(Self.limit, clock) { () async throws(BackendError) in
            let token = try await session.accessToken()
            do throws(NetworkError) {
                return (try await sockets.open(url), token)
            } catch {
                // The key's own token may be what has run out, but the contract asks to renew ours first.
                guard case .upgradeRefused(let answer) = error, answer.status == 401 else {
                    throw error.openingError(at: clock.wall())
                }
            }
            let fresh = try await session.token(replacing: token)
            do throws(NetworkError) { return (try await sockets.open(url), fresh) } catch {
                throw error.openingError(at: clock.wall())
            }
        }
    }
}

/// Ends what takes too long.
enum Deadline {
    /// - Parameter work: Must end soon after its task is cancelled.
    static func within<Answer: Sendable>(
        _ limit: Duration, _ clock: BackendClock,
        _ work: @escaping @Sendable () async throws(BackendError) -> Answer
    ) async throws(BackendError) -> Answer {
        let result = await withTaskGroup(of: Result<Answer, BackendError>.self) { group in
            group.addTask {
                do throws(BackendError) { return .success(try await work()) } catch { return .failure(error) }
            }
            group.addTask {
                do { try await clock.sleep(limit) } catch { return .failure(.offline(.lost)) }  // cancelled
                return .failure(.timedOut)
            }
            let first = await group.next() ?? .failure(.timedOut)
            group.cancelAll()
            return first
        }
        return try result.get()
    }
}
