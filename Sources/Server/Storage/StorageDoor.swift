import Diagnostics
import SQLite
import SupabaseWire

/// The Storage door: objects in buckets, streamed between the network and files on the disk.
struct StorageDoor: Sendable {
    let database: Database
    let gate: Gate
    let shelf: FileShelf
    let limits: ServerLimits
    let now: @Sendable () -> Int64
    let log: Log
    let buckets = KnownBuckets()
    let places: UploadPlaces

    init(database: Database, gate: Gate, shelf: FileShelf, configuration: ServerConfiguration) {
        self.database = database
        self.gate = gate
        self.shelf = shelf
        limits = configuration.limits
        now = configuration.now
        log = configuration.log.named("storage")
        places = UploadPlaces(configuration.limits)
    }

    /// Must be called once before requests come.
    func prepare() async throws(Refusal) {
        buckets.replace(with: try await database.read { session throws(Refusal) in try session.buckets() })
    }

    /// - Parameter sink: What took the body, when it was streamed.
    func end(_ request: IncomingRequest, sink: (any BodySink)?) async -> Ending {
        if let unwanted = sink as? UnwantedBody { return .answer(unwanted.answer) }
        do throws(StorageFault) {
            if let upload = sink as? Upload { return .answer(try await store(upload)) }
            guard let route = StorageRoute(method: request.method, target: request.target) else {
                throw .noRoute
            }
            if !route.isOpen, let refusal = gate.refusal(request) { return .answer(refusal) }
            return try await end(request, route)
        } catch {
            if case .failed = error { log.error("failed") }
            return .answer(error.answer)
        }
    }

    private func end(_ request: IncomingRequest, _ route: StorageRoute) async throws(StorageFault) -> Ending {
        if case .download(let path, let access) = route {
            return try await download(request, try ObjectPath(encoded: path), access)
        }
        if case .info(let path, .publicBucket) = route {
            return .answer(try await info(try ObjectPath(encoded: path), nil))
        }
        let caller = try gate.storageCaller(request, now: now())
        let answer =
            switch route {
            case .info(let path, _): try await info(try ObjectPath(encoded: path), caller)
            case .sign(let path): try await sign(request, try ObjectPath(encoded: path), caller)
            case .signMany(let bucket): try await signMany(request, bucket, caller)
            case .list(let bucket): try await list(request, bucket, caller)
            case .remove(let bucket): try await remove(request, bucket, caller)
            case .removeOne(let path): try await removeOne(try ObjectPath(encoded: path), caller)
            case .move: try await move(request, caller)
            case .copy: try await copy(request, caller)
            case .buckets, .makeBucket, .bucket, .changeBucket, .removeBucket, .emptyBucket:
                try await answer(request, buckets: route, caller)
            // Bodies of uploads are streamed, and downloads have been dealt with.
            case .upload, .download: throw .noRoute
            }
        return .answer(answer)
    }

    /// The members of the JSON object in the body.
    func members(_ request: IncomingRequest) throws(StorageFault) -> [String: JSONValue] {
        if request.body.isEmpty { return [:] }
        do {
            if case .object(let members) = try WireCoding.decode(from: request.body, brokenText: .refused) {
                return members
            }
        } catch {
            throw .invalidRequest("Body is not valid JSON")
        }
        throw .invalidRequest("body must be object")
    }

    func read<Result: Sendable>(_ body: @Sendable (Session) throws(Refusal) -> Result)
        async throws(StorageFault) -> Result
    {
        do { return try await database.read(body) } catch { throw StorageFault(error) }
    }

    func write<Result: Sendable>(_ body: @Sendable (Session) throws(Refusal) -> Result)
        async throws(StorageFault) -> Result
    {
        do { return try await database.write(body) } catch { throw StorageFault(error) }
    }
}
