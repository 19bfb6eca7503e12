import Diagnostics
import SQLite
import SupabaseWire

/// The embedded server: accounts, rows and the change feed of one team, in one process, over plain HTTP.
///
/// Answers are given after their data is on the disk; `kill -9` loses none of it. `stop` lets requests that run
/// end, closes sockets with 1001, and waits for both.
package actor ChatServer {
    /// Everything a running server is made of.
    private struct Running {
        let address: ServingAddress
        let database: Database
        let daemon: HTTPDaemon
        let hub: RealtimeHub
        let realtime: RealtimeDoor
        let auth: AuthDoor
        let files: FileShelf
        /// Looks for files that an earlier run left behind.
        let sweeping: Task<Void, Never>
        /// What opens the storage to whoever runs the server.
        let serviceKey: String
        /// Serves requests until the daemon stops accepting.
        let serving: Task<Void, Never>
        /// Announces changes until the database is closed.
        let announcing: Task<Void, Never>
        let directory: DataDirectory?
    }

    private let configuration: ServerConfiguration
    private let log: Log
    private var running: Running?
    private var isStarting = false

    package init(_ configuration: ServerConfiguration) {
        self.configuration = configuration
        log = configuration.log.named("server")
    }

    /// Opens the data and listens.
    /// - Returns: Where clients reach it. With a data directory of an earlier run, the key, the users and their
    ///   sessions are those of that run.
    package func start() async throws(ServerError) -> ServingAddress {
        guard running == nil, !isStarting else { throw .alreadyRunning }
        isStarting = true
        defer { isStarting = false }
        let host = configuration.host == "localhost" ? "127.0.0.1" : configuration.host
        guard let isLoopback = HTTPDaemon.isLoopback(host) else { throw .badHost(configuration.host) }
        guard isLoopback || configuration.allowsWiderListening else { throw .widerListening(host: host) }
        guard Sodium.start() else { throw .storage("the random generator does not work") }
        var directory: DataDirectory?
        if let path = configuration.directory { directory = try DataDirectory(path) }
        let database = Database(configuration: configuration)
        let project = try await open(database, directory)
        let storage = StorageDoor(
            database: database, gate: project.gate,
            shelf: FileShelf(directory: directory?.path, limits: configuration.limits),
            configuration: configuration)
        let daemon: HTTPDaemon
        do throws(ServerError) {
            try await prepare(storage, directory)
            daemon = try HTTPDaemon(
                host: host, port: configuration.port, limits: configuration.limits, receiver: storage)
        } catch {
            await database.close()
            log.error("cannot listen", ["port": .count(Int(configuration.port))])
            throw error
        }
        let running = run(daemon, storage, project, host, directory)
        self.running = running
        log.info("started", ["port": .count(Int(daemon.port))])
        return running.address
    }

    /// Ends in good order; returns when nothing of it is left. A server that does not run is left as it is.
    package func stop() async {
        guard let running = self.running else { return }
        self.running = nil
        running.daemon.quiesce()
        await running.hub.stop()
        await running.serving.value
        await running.realtime.drained()
        await running.daemon.stop()
        running.sweeping.cancel()
        await running.sweeping.value
        await running.database.close()
        await running.announcing.value
        running.files.removeTemporary()
        log.info("stopped")
    }

    /// What opens the storage to whoever runs the server, past every rule: a token of the role `service_role`. A
    /// secret; `nil` when the server does not run.
    package var serviceKey: String? { running?.serviceKey }

    /// Counters for whoever runs the server; all zero when it does not run.
    package func health() async -> ServerHealth {
        guard let running else { return ServerHealth(version: Self.version) }
        return await Self.health(
            running.hub, running.database, running.files, key: running.address.publishableKey)
    }

    /// The parts a history is made with.
    func seeding() throws(ServerError) -> (database: Database, auth: AuthDoor) {
        guard let running else { throw .storage("the server does not run") }
        return (running.database, running.auth)
    }

    /// The version `GET /health` tells.
    package static let version = "0.1.0"

    private func open(_ database: Database, _ directory: DataDirectory?) async throws(ServerError) -> Project
    {
        let isKnown: Bool
        do throws(SQLiteError) {
            isKnown = try await database.open(directory.map { .file($0.file) } ?? .memory)
        } catch {
            throw Self.storageError(error, directory)
        }
        guard isKnown else { throw .newer(file: directory?.file ?? "") }
        do throws(Refusal) {
            return try await database.write { session throws(Refusal) in try Project.loadOrMake(session) }
        } catch {
            await database.close()
            throw Self.storageError(error.cause, directory)
        }
    }

    private func prepare(_ storage: StorageDoor, _ directory: DataDirectory?) async throws(ServerError) {
        try storage.shelf.prepare()
        do throws(Refusal) { try await storage.prepare() } catch {
            throw Self.storageError(error.cause, directory)
        }
    }

    private static func storageError(_ error: SQLiteError?, _ directory: DataDirectory?) -> ServerError {
        guard let error, let directory else { return .storage("no memory for the data") }
        return switch error {
        case .corrupt: .damaged(file: directory.file)
        case .full: .diskFull(file: directory.file)
        case .readOnly, .cannotOpen: .directory(directory.path)
        case .busy, .ioError, .constraint, .misuse: .storage("\(error)")
        }
    }

    private func run(
        _ daemon: HTTPDaemon, _ storage: StorageDoor, _ project: Project, _ host: String,
        _ directory: DataDirectory?
    ) -> Running {
        let (gate, database) = (project.gate, storage.database)
        let tokens = TokenReader(gate: gate, now: configuration.now)
        let hub = RealtimeHub(configuration: configuration, database: database, tokens: tokens)
        let realtime = RealtimeDoor(hub: hub, gate: gate, tokens: tokens, configuration: configuration)
        let auth = AuthDoor(database: database, gate: gate, configuration: configuration)
        let rest = RestDoor(database: database, signer: gate.signer, gate: gate, now: configuration.now)
        let router = Router(gate: gate, auth: auth, rest: rest, realtime: realtime, storage: storage) {
            await Self.health(hub, database, storage.shelf, key: project.publishableKey).jsonText
        }
        let serving = Task {
            await withDiscardingTaskGroup { group in
                for await exchange in daemon.exchanges {
                    group.addTask {
                        exchange.end(await router.end(exchange.request(), sink: exchange.sink))
                    }
                }
            }
        }
        let sweeping = Task { await storage.sweep() }
        let announcing = Task { await hub.announce(database.changes) }
        let name = host.contains(":") ? "[\(host)]" : host
        let address = ServingAddress(
            baseURL: "http://\(name):\(daemon.port)", publishableKey: project.publishableKey)
        return Running(
            address: address, database: database, daemon: daemon, hub: hub, realtime: realtime, auth: auth,
            files: storage.shelf, sweeping: sweeping, serviceKey: project.serviceKey, serving: serving,
            announcing: announcing, directory: directory)
    }

    private static func health(
        _ hub: RealtimeHub, _ database: Database, _ shelf: FileShelf, key: String
    ) async -> ServerHealth {
        var health = ServerHealth(version: version)
        health.publishableKey = key
        health.fileBytes = shelf.room.used
        (health.sockets, health.channels, health.queue) = await hub.counts
        do throws(Refusal) {
            health.rows = try await database.read { session throws(Refusal) in try session.rowCounts() }
        } catch {
            health.rows = [:]  // the database is closing; the other counters still tell something
        }
        return health
    }
}

extension Session {
    /// How many rows each table has, accounts included.
    func rowCounts() throws(Refusal) -> [String: Int] {
        var counts: [String: Int] = [:]
        for table in Table.allCases.map(\.rawValue) + [
            "users", "sessions", "refresh_tokens", "storage_objects",
        ] {
            counts[table] = try first("SELECT count(*) FROM \(table)") { row throws(SQLiteError) in
                try row.get(0)
            }
        }
        return counts
    }
}
