import Backend
import Diagnostics
import FoundationEssentials
import Models
import Networking
import SupabaseWire

/// Carries out what `RealtimeCore` decides: one socket, one stream of events, no life after its end.
///
/// Frames are read, decided and handed on without waiting for anything; sending and fetching run beside. What
/// the engine has not taken yet is limited in bytes: past that the link ends, and the engine catches up.
actor RealtimeLink {
    /// Bytes of frames behind events that nobody has taken yet.
    private static let unreadLimit = 16 << 20
    private static let unreadCount = 65_536

    private let socket: any SocketConnection
    private let session: SupabaseSession
    private let reading: Reading
    private let clock: BackendClock
    private let log: Log
    private let events: AsyncStream<BackendEvent>.Continuation
    private let outgoing: AsyncStream<Outgoing>.Continuation
    private let outgoingFrames: AsyncStream<Outgoing>
    private var core: RealtimeCore
    private var holdsVersion: Int
    private var unread = UnreadEvents()
    private var tasks: [Int: Task<Void, Never>] = [:]
    private var nextTask = 0
    private var alarm = LinkAlarm()

    private struct Outgoing: Sendable {
        var text: String
        /// Set for heartbeats, whose answer is timed from the write.
        var ref: String?
    }

    /// - Returns: The link, not yet running, and its events; dropping them closes it.
    static func make(
        _ core: RealtimeCore, holdsVersion: Int, over socket: any SocketConnection, session: SupabaseSession,
        reading: Reading, clock: BackendClock, log: Log
    ) -> (link: RealtimeLink, events: AsyncStream<BackendEvent>) {
        // Bounded by `unreadCount` and `unreadLimit`: one place more, so that the last event finds room.
        let (stream, continuation) = AsyncStream<BackendEvent>.makeStream(
            bufferingPolicy: .bufferingOldest(unreadCount + 1))
        let link = RealtimeLink(
            core, holdsVersion, socket: socket, events: continuation, session: session, reading: reading,
            clock: clock, log: log)
        continuation.onTermination = { _ in Task { await link.stop() } }
        return (link, stream)
    }

    private init(
        _ core: RealtimeCore, _ holdsVersion: Int, socket: any SocketConnection,
        events: AsyncStream<BackendEvent>.Continuation, session: SupabaseSession, reading: Reading,
        clock: BackendClock, log: Log
    ) {
        self.core = core
        self.holdsVersion = holdsVersion
        self.socket = socket
        self.events = events
        self.session = session
        self.reading = reading
        self.clock = clock
        self.log = log
        // Small frames of our own making; a peer that takes none of them is found dead by its heartbeat.
        (outgoingFrames, outgoing) = AsyncStream.makeStream()
    }

    func handle(_ event: RealtimeCore.Event, size: Int = 0) {
        for effect in core.handle(event, at: clock.uptime()) { perform(effect, size: size) }
        setAlarm()
    }

    /// Calls may overtake each other on their way here; the newest word counts.
    func hold(_ conversationIDs: Set<UUID>, version: Int) {
        guard version > holdsVersion else { return }
        holdsVersion = version
        handle(.held(conversationIDs))
    }

    /// Ends the link from our side; who still listens is told.
    func end() { handle(.closed) }

    /// Nobody listens any more.
    private func stop() {
        guard !core.hasEnded else { return }
        core.hasEnded = true
        close()
    }

    // MARK: The parts that run

    /// Begins to read and to join.
    func run() {
        spawn { [socket] link in
            for await event in socket.events { await link.receive(event) }
            await link.handle(.closed)
        }
        spawn { [socket, outgoingFrames] link in
            for await frame in outgoingFrames {
                do throws(NetworkError) { try await socket.send(text: frame.text) } catch {
                    return  // closed; the reader hears of it
                }
                if let ref = frame.ref { await link.handle(.written(ref: ref)) }
            }
        }
        spawn { [session] link in
            let renewals = await session.renewals()
            await link.checkToken(session)  // it may have been renewed while the socket was opened
            for await token in renewals { await link.hasToken(token) }
        }
        handle(.tick)
    }

    private func receive(_ event: WebSocketEvent) {
        switch event {
        case .text(let text): receive(text)
        case .binary: handle(.noise)  // not of this version of the protocol
        case .closed(let close):
            log.info("socket closed", ["code": .count(Int(close.code))])
            handle(.closed)
        }
    }

    private func receive(_ text: String) {
        let size = text.utf8.count
        do throws(WireError) {
            switch try IncomingFrame(text: text) {
            case .frame(let frame): handle(.frame(frame), size: size)
            case .change(let topic, let change): handle(.change(topic: topic, change), size: size)
            case .unreadableChange(let topic):
                log.warning("change not readable", ["bytes": .count(size)])
                handle(.unreadableChange(topic: topic), size: size)
            }
        } catch {
            log.warning("frame not readable", ["bytes": .count(size)])
            handle(.noise)
        }
    }

    // MARK: Effects

    private func perform(_ effect: RealtimeCore.Effect, size: Int) {
        switch effect {
        case .send(let frame): send(frame, ref: nil)
        case .beat(let frame): send(frame, ref: frame.ref)
        case .emit(let event): emit(event, size: size)
        case .deliver(let change): deliver(change, size: size)
        case .checkToken: spawn { [session] link in await link.checkToken(session) }
        case .renewToken(let old): spawn { [session] link in await link.renewToken(session, replacing: old) }
        case .end(let problem):
            log.info("link ended", ["reason": .code(String(describing: problem))])
            events.yield(.ended(problem))
            close()
        }
    }

    private func send(_ frame: RealtimeFrame, ref: String?) {
        do throws(WireError) {
            let text = try frame.text(version: .one, fromServer: false)
            outgoing.yield(Outgoing(text: text, ref: ref))
        } catch {
            log.error("frame not writable")  // JSON of our own making always is
        }
    }

    private func emit(_ event: BackendEvent, size: Int) {
        guard case .enqueued(let room) = events.yield(event) else { return }
        unread.add(size, waiting: Self.unreadCount + 1 - room)
        guard unread.bytes > Self.unreadLimit || unread.count >= Self.unreadCount else { return }
        log.warning("events not taken", ["count": .count(unread.count), "bytes": .count(unread.bytes)])
        for effect in core.handle(.closed, at: clock.uptime()) { perform(effect, size: 0) }
    }

    /// Hands on a change whose row is whole, and fetches the others.
    private func deliver(_ change: ChangeEvent, size: Int) {
        switch ChangeReading(change, mapping: reading.mapping) {
        case .event(let event): emit(event, size: size)
        case .fetch(let row):
            spawn { [reading] link in
                do throws(RestFailure) {
                    if let event = try await row.fetch(reading) { await link.emit(event, size: size) }
                } catch {
                    await link.emit(.live, size: 0)  // what the change was, a catch-up finds
                }
            }
        case .nothing: break
        }
    }

    // MARK: Tokens

    private func hasToken(_ token: String) async {
        let checkAt = clock.uptime() + (await session.timeToRenewal())
        handle(.token(token, checkAt: checkAt))
    }

    private func checkToken(_ session: SupabaseSession) async {
        do throws(BackendError) { await hasToken(try await session.accessToken()) } catch {
            if error == .signedOut { handle(.tokenFailed(isFinal: true)) }
        }
    }

    private func renewToken(_ session: SupabaseSession, replacing old: String) async {
        do throws(BackendError) { await hasToken(try await session.token(replacing: old)) } catch {
            handle(.tokenFailed(isFinal: error == .signedOut))
        }
    }

    // MARK: Time and the end

    private func setAlarm() {
        guard let deadline = core.deadline else { return }
        alarm.set(for: deadline, by: clock) { [weak self] in await self?.ring() }
    }

    private func ring() {
        alarm.rang()
        handle(.tick)
    }

    private func close() {
        alarm.cancel()
        outgoing.finish()
        events.finish()
        for task in tasks.values { task.cancel() }
        tasks = [:]
        Task { [socket] in await socket.end() }  // one call long; the link itself is over
    }

    /// Runs beside the link, and at most as long.
    private func spawn(_ work: @escaping @Sendable (RealtimeLink) async -> Void) {
        guard !core.hasEnded else { return }
        nextTask += 1
        let id = nextTask
        tasks[id] = Task {
            await work(self)
            self.tasks[id] = nil
        }
    }
}
