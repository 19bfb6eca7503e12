import SupabaseWire

/// Lists, removals, moves and copies.
extension StorageDoor {
    func list(_ request: IncomingRequest, _ bucket: String, _ caller: StorageCaller)
        async throws(StorageFault) -> Answer
    {
        let listing = try ObjectListing(try members(request), bucket: bucket, limits: limits)
        let entries = try await read { session throws(Refusal) in try listing.entries(session, caller) }
        return .json(200, JSONValue.array(entries).jsonText)
    }

    func remove(_ request: IncomingRequest, _ bucket: String, _ caller: StorageCaller)
        async throws(StorageFault) -> Answer
    {
        guard let names = try members(request)["prefixes"]?.array?.compactMap(\.string),
            names.count <= limits.objectsPerCall
        else { throw .invalidRequest("body/prefixes must be array") }
        let removed = try await remove(names.compactMap { Self.path(bucket, $0) }, caller)
        return .json(200, JSONValue.array(removed.map(\.removed)).jsonText)
    }

    func removeOne(_ path: ObjectPath, _ caller: StorageCaller) async throws(StorageFault) -> Answer {
        guard try await !remove([path], caller).isEmpty else { throw .noObject }
        return .json(200, #"{"message":"Successfully deleted"}"#)
    }

    /// Removes what the caller may remove, and says what that was.
    private func remove(_ paths: [ObjectPath], _ caller: StorageCaller)
        async throws(StorageFault) -> [StoredObject]
    {
        let removed = try await write { session throws(Refusal) in
            var removed: [StoredObject] = []
            for path in paths {
                guard let object = try session.object(path), try session.mayChange(object, caller) else {
                    continue
                }
                try session.deleteObject(object)
                removed.append(object)
            }
            return removed
        }
        await tidy(removed.map(\.content.digest))
        return removed
    }

    // MARK: - Moving and copying

    private struct Transfer {
        let source: ObjectPath
        let destination: ObjectPath
    }

    private func transfer(_ request: IncomingRequest) throws(StorageFault) -> Transfer {
        let members = try members(request)
        guard let bucket = members["bucketId"]?.string, let source = members["sourceKey"]?.string,
            let destination = members["destinationKey"]?.string
        else { throw .invalidRequest("body must have bucketId, sourceKey and destinationKey") }
        let other = members["destinationBucket"]?.string ?? bucket
        guard buckets[bucket] != nil, buckets[other] != nil else { throw .noBucket }
        return Transfer(
            source: try ObjectPath(bucket: bucket, name: source),
            destination: try ObjectPath(bucket: other, name: destination))
    }

    func move(_ request: IncomingRequest, _ caller: StorageCaller) async throws(StorageFault) -> Answer {
        let transfer = try transfer(request)
        let fault = try await write { session throws(Refusal) -> StorageFault? in
            guard try session.mayRead(transfer.source, caller),
                var object = try session.object(transfer.source)
            else { return .noObject }
            guard try session.mayChange(object, caller), try session.mayCreate(transfer.destination, caller)
            else { return .policy }
            guard transfer.source != transfer.destination else { return nil }
            guard try session.object(transfer.destination) == nil else { return .duplicate }
            object.path = transfer.destination
            object.updatedAt = session.now
            try session.put(object)
            return nil
        }
        if let fault { throw fault }
        return .json(200, #"{"message":"Successfully moved"}"#)
    }

    /// The new object shares the file of the old one.
    func copy(_ request: IncomingRequest, _ caller: StorageCaller) async throws(StorageFault) -> Answer {
        let transfer = try transfer(request)
        let source = try await visible(transfer.source, caller)
        guard let bucket = buckets[transfer.destination.bucket], shelf.pin(source.content.digest) else {
            throw .noObject
        }
        let order = UploadOrder(
            request, path: transfer.destination, caller: caller, bucket: bucket,
            limit: Int64(limits.objectBytes))
        let object = try await record(source.content, order)
        return .json(200, Self.receipt(object))
    }
}
