import SQLite
import SupabaseWire

/// Buckets: whoever is signed in may look at them, the service role alone makes and changes them.
extension StorageDoor {
    func answer(_ request: IncomingRequest, buckets route: StorageRoute, _ caller: StorageCaller)
        async throws(StorageFault) -> Answer
    {
        switch route {
        case .buckets:
            let all =
                caller == .anonymous
                ? [] : try await read { session throws(Refusal) in try session.buckets() }
            return .json(200, JSONValue.array(all.map(\.json)).jsonText)
        case .bucket(let id):
            guard caller != .anonymous, let bucket = buckets[id] else { throw .noBucket }
            return .json(200, bucket.json.jsonText)
        default: break
        }
        guard caller == .service else { throw .policy }
        switch route {
        case .makeBucket: return try await makeBucket(try members(request))
        case .changeBucket(let id): return try await changeBucket(id, try members(request))
        case .removeBucket(let id): return try await removeBucket(id)
        case .emptyBucket(let id): return try await emptyBucket(id)
        default: throw .noRoute
        }
    }

    private func makeBucket(_ members: [String: JSONValue]) async throws(StorageFault) -> Answer {
        guard let id = members["id"]?.string ?? members["name"]?.string else {
            throw .invalidRequest("body must have required property 'name'")
        }
        try Self.check(id)
        var new = Bucket(id: id, createdAt: now(), updatedAt: now())
        try Self.apply(members, to: &new)
        let bucket = new
        let isNew = try await write { session throws(Refusal) in
            guard try session.bucket(id) == nil else { return false }
            try session.put(bucket)
            return true
        }
        guard isNew else { throw .bucketExists }
        try await reload()
        return .json(200, JSONValue.object(["name": .string(id)]).jsonText)
    }

    private func changeBucket(_ id: String, _ members: [String: JSONValue]) async throws(StorageFault)
        -> Answer
    {
        guard var changed = buckets[id] else { throw .noBucket }
        changed.updatedAt = now()
        try Self.apply(members, to: &changed)
        let bucket = changed
        try await write { session throws(Refusal) in try session.put(bucket) }
        try await reload()
        return .json(200, #"{"message":"Successfully updated"}"#)
    }

    private func removeBucket(_ id: String) async throws(StorageFault) -> Answer {
        // Messages name objects of this one, and the next start would make it again.
        guard id != Bucket.attachments else { throw .policy }
        let fault = try await write { session throws(Refusal) -> StorageFault? in
            guard try session.bucket(id) != nil else { return .noBucket }
            guard try !session.exists("SELECT 1 FROM storage_objects WHERE bucket_id = ?", [id]) else {
                return .bucketNotEmpty
            }
            try session.deleteBucket(id)
            return nil
        }
        if let fault { throw fault }
        try await reload()
        return .json(200, #"{"message":"Successfully deleted"}"#)
    }

    private func emptyBucket(_ id: String) async throws(StorageFault) -> Answer {
        guard buckets[id] != nil else { throw .noBucket }
        let digests = try await write { session throws(Refusal) in try session.emptyBucket(id) }
        await tidy(digests)
        return .json(200, #"{"message":"Successfully emptied"}"#)
    }

    private func reload() async throws(StorageFault) {
        do { try await prepare() } catch { throw StorageFault(error) }
    }

    private static let reserved: Set<String> = [
        "authenticated", "copy", "info", "list", "move", "public", "sign", "upload",
    ]

    /// A bucket's name stands in paths, where some words mean something else.
    private static func check(_ id: String) throws(StorageFault) {
        let isPlain = id.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: "-_. ".utf8.contains(byte)
            }
        }
        guard (1...100).contains(id.utf8.count), isPlain, id != ".", id != "..", !reserved.contains(id) else {
            throw .invalidRequest("Bucket name invalid")
        }
    }

    /// A member that is not there leaves things as they are; `null` lifts a limit.
    private static func apply(_ members: [String: JSONValue], to bucket: inout Bucket) throws(StorageFault) {
        if let isPublic = members["public"]?.bool { bucket.isPublic = isPublic }
        if let limit = members["file_size_limit"] {
            bucket.sizeLimit = limit.integer ?? limit.string.flatMap { Int64($0) }
            guard limit.isNull || bucket.sizeLimit ?? 0 > 0 else {
                throw .invalidRequest("body/file_size_limit must be a number of bytes")
            }
        }
        if let types = members["allowed_mime_types"] {
            bucket.mimeTypes = types.array?.compactMap(\.string)
            guard types.isNull || bucket.mimeTypes != nil else {
                throw .invalidRequest("body/allowed_mime_types must be array")
            }
        }
    }
}

extension Session {
    /// Removes the rows of all objects in it.
    /// - Returns: The digests that may now be nobody's.
    fileprivate func emptyBucket(_ id: String) throws(Refusal) -> [String] {
        let digests = try query("SELECT DISTINCT digest FROM storage_objects WHERE bucket_id = ?", [id]) {
            row throws(SQLiteError) in try row.get(0, as: String.self)
        }
        _ = try execute("DELETE FROM storage_objects WHERE bucket_id = ?", [id])
        return digests
    }
}
