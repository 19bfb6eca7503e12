import Backend
import Diagnostics
import FoundationEssentials
import Models
import Store

/// Runs one account: performs what `SyncCore` decides and tells everybody what the store has.
///
/// What survives a crash is in the store. Everything here may be lost at any moment: it is read again from the
/// store or asked of the service. Nothing is shown that is not stored, unless the store cannot write.
package actor SyncEngine: ChatService {
    private static let storePause = Duration.seconds(10)

    package nonisolated let account: AccountID
    nonisolated let store: MessageStore
    nonisolated let backend: any ChatBackend
    nonisolated let connection: ConnectionState
    nonisolated let outbox: Outbox
    nonisolated let clock: any EngineClock
    nonisolated let log: Log
    nonisolated let makeID: @Sendable () -> UUID
    nonisolated let inbox = EngineInbox()
    nonisolated let channels: ChannelHolder
    /// The engine starts before a screen listens: trouble with the store is most likely met right then. What came in
    /// meanwhile rings no bell.
    nonisolated let noticeStreams = Broadcast<ServiceNotice>(early: 64) { notice in
        if case .incoming = notice { false } else { true }
    }
    nonisolated let profileStreams: Broadcast<Person>
    nonisolated let transfersUnderWay = Transfers()
    nonisolated let listStreams = Broadcast<[Conversation]>(state: nil)

    var core: SyncCore
    var list = ConversationList()
    var threads: [UUID: ThreadSubscribers] = [:]
    var memberStreams: [UUID: Broadcast<[Member]>] = [:]
    /// `nil` while nobody follows the outbox.
    var outboxStreams: Broadcast<[OutboxEntry]>?
    var isTellingOutbox = false
    /// Something happened while the outbox was read.
    var hasOutboxChanged = false
    var lastSubscriber = 0
    /// Marks of the link go to `connection` in the order they were decided.
    let linkMarks = SerialWork()
    var linkNumber = 0
    var linkTask: Task<Void, Never>?
    var retryTask: Task<Void, Never>?
    var timer: (deadline: Duration, task: Task<Void, Never>)?
    /// Answers of an older epoch are not told to the core.
    var fetchEpoch = 0
    var jobs: [Int: Task<Void, Never>] = [:]
    var lastJob = 0
    var loops: [Task<Void, Never>] = []
    var hasStarted = false
    var isStopped = false
    var knowsProfile = false
    /// Messages of others that came since the link was last lost.
    var arrivals = 0
    var publishedRevision: Int64 = 0
    /// Changes whose publishing has begun.
    var publishedCount = 0
    /// The revision that has to be published before it is told that the link is back.
    var returnRevision: Int64?
    /// Said once, until a write succeeds again.
    var toldTrouble: StoreError?

    /// - Parameters:
    ///   - store: Opened for the backend's user; the engine is its only reader of changes and closes it.
    ///   - generator: Spreads retries.
    ///   - makeID: Names what is new here; never the same twice, on any device.
    package init(
        account: AccountID, store: MessageStore, backend: any ChatBackend,
        clock: any EngineClock = SystemClock(),
        log: Log = .silent,
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        makeID: @escaping @Sendable () -> UUID = { UUID() }
    ) {
        self.account = account
        self.store = store
        self.backend = backend
        self.clock = clock
        self.log = log.named("sync")
        self.makeID = makeID
        core = SyncCore(generator: generator)
        connection = ConnectionState(clock: clock)
        outbox = Outbox(
            store: store, backend: backend, clock: clock, log: log.named("outbox"),
            onTransfer: { [transfersUnderWay] in transfersUnderWay.set($0, $1) },
            onRefusedChange: { [noticeStreams] in noticeStreams.send(.changeRefused($0, keepsText: $1)) })
        channels = ChannelHolder(backend: backend)
        profileStreams = Broadcast(state: Person(id: backend.userID, username: "", displayName: ""))
    }

    /// Shows what is stored, then connects and keeps trying. Call it once.
    package func start() async {
        guard !hasStarted, !isStopped else { return }
        hasStarted = true
        // The link is made while the store is read; what it says waits in the inbox.
        receive(.started)
        do throws(StoreError) { try await showStored() } catch {
            tellTrouble(error)
            listStreams.send(list.sorted)
            untilStored { (engine) async throws(StoreError) in try await engine.showStored() }
        }
        guard !isStopped else { return }
        loops = [
            Task { [weak self, inbox] in
                for await _ in inbox.signals { await self?.drainInbox() }
            },
            Task { [weak self, store] in
                for await change in store.changes { await self?.publish(change) }
            },
        ]
    }

    private func showStored() async throws(StoreError) {
        if let me = try await store.person(backend.userID) { profileStreams.send(me) }
        var seen: Int
        repeat {
            seen = publishedCount
            let stored = try await store.conversations()
            let waiting = try await store.waitingCount()
            list.replace(with: stored)
            await connection.setWaitingCount(waiting)
        } while seen != publishedCount  // what was told meanwhile is newer
        listStreams.send(list.sorted)
        receive(.list(list.ids))
    }

    /// Ends everything: the link, waiting tries, all streams. What was typed is on the disk already.
    package func stop() async {
        guard !isStopped else { return }
        isStopped = true
        linkTask?.cancel()
        retryTask?.cancel()
        timer?.task.cancel()
        for job in jobs.values { job.cancel() }
        for loop in loops { loop.cancel() }
        inbox.close()
        linkMarks.close()
        channels.close()
        for subscribers in threads.values { subscribers.finish() }
        for stream in memberStreams.values { stream.finish() }
        outboxStreams?.finish()
        noticeStreams.finish()
        profileStreams.finish()
        listStreams.finish()
        transfersUnderWay.streams.finish()
        await connection.close()
        await store.close()
    }

    /// The program was stopped for a while, or the machine slept: what looks alive may not be.
    package func wakeUp() { receive(.reconnect) }

    package func reconnectNow() { receive(.reconnect) }

    /// Conversations somebody follows now; for tests of leaks.
    package var openThreadCount: Int { threads.count }

    /// Tells the core, then does what it wants.
    func receive(_ event: SyncEvent) {
        guard !isStopped else { return }
        for effect in core.handle(event, now: clock.uptime()) { perform(effect) }
        armTimer()
    }

    private func armTimer() {
        let deadline = core.nextDeadline
        guard deadline != timer?.deadline else { return }
        timer?.task.cancel()
        timer = nil
        guard let deadline else { return }
        let task = Task { [weak self, clock] in
            await clock.sleep(until: deadline)
            guard !Task.isCancelled else { return }
            await self?.timerFired(deadline)
        }
        timer = (deadline, task)
    }

    private func timerFired(_ deadline: Duration) {
        guard timer?.deadline == deadline else { return }
        timer = nil
        receive(.tick)
    }

    /// Runs work that ends by itself; `stop` cancels what still runs.
    func run(_ work: @escaping @Sendable (isolated SyncEngine) async -> Void) {
        lastJob += 1
        let number = lastJob
        jobs[number] = Task {
            await work(self)
            jobs[number] = nil
        }
    }

    /// Does again what the store failed at, now and then, until it does not: nothing else would ask for it.
    func untilStored(_ work: @escaping @Sendable (isolated SyncEngine) async throws(StoreError) -> Void) {
        run { engine in
            while !engine.isStopped {
                await engine.clock.sleep(until: engine.clock.uptime() + Self.storePause)
                guard !Task.isCancelled else { return }
                do throws(StoreError) { return try await work(engine) } catch { engine.tellTrouble(error) }
            }
        }
    }

    func tellTrouble(_ error: StoreError) {
        log.error("store failed", ["error": .code(error.logCode)])
        guard toldTrouble != error else { return }
        toldTrouble = error
        noticeStreams.send(.storeTrouble(error))
    }
}

extension StoreError {
    fileprivate var logCode: String {
        switch self {
        case .diskFull: "disk-full"
        case .readOnly: "read-only"
        case .damaged: "damaged"
        case .tooNew: "too-new"
        case .inUse: "in-use"
        case .closed: "closed"
        case .failed(let code): "failed-\(code)"
        }
    }
}
