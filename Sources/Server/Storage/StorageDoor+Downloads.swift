import SupabaseWire

extension StorageDoor {
    func download(_ request: IncomingRequest, _ path: ObjectPath, _ access: StorageRoute.Access)
        async throws(StorageFault) -> Ending
    {
        var headers: [(name: String, value: String)] = []
        var caller = StorageCaller.service
        switch access {
        case .bearer: caller = try gate.storageCaller(request, now: now())
        case .publicBucket: try checkPublic(path)
        case .signedURL:
            let end = try signedEnd(request, path)
            headers.append(("Expires", HTTPDateText.text(end * 1_000_000)))
        }
        let (object, file) = try await opened(path, caller)
        let download = Download(object, request)
        headers += download.headers
        if download.isKnown { return .answer(Answer(304, headers: headers)) }
        let range = try download.range()
        if let range {
            headers.append(
                (
                    "Content-Range",
                    "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(object.content.size)"
                ))
        }
        let bytes = range ?? 0..<object.content.size
        let slice = FileSlice(file: file, offset: UInt64(bytes.lowerBound), count: UInt64(bytes.count))
        return .file(Answer(range == nil ? 200 : 206, headers: headers), slice)
    }

    /// - Parameter caller: `nil` looks in public buckets only.
    func info(_ path: ObjectPath, _ caller: StorageCaller?) async throws(StorageFault) -> Answer {
        if caller == nil { try checkPublic(path) }
        return .json(200, try await visible(path, caller ?? .service).info.jsonText)
    }

    /// The object, for a caller who may read it.
    func visible(_ path: ObjectPath, _ caller: StorageCaller) async throws(StorageFault) -> StoredObject {
        guard buckets[path.bucket] != nil else { throw .noBucket }
        let object = try await read { session throws(Refusal) in
            try session.mayRead(path, caller) ? try session.object(path) : nil
        }
        guard let object else { throw .noObject }
        return object
    }

    /// The object and its content.
    private func opened(_ path: ObjectPath, _ caller: StorageCaller)
        async throws(StorageFault) -> (StoredObject, OpenFile)
    {
        let object = try await visible(path, caller)
        do throws(StorageFault) {
            return (object, try shelf.open(object.content.digest))
        } catch {
            guard error == .noObject else { throw error }
        }
        // Replaced between the look at the row and the look at the disk; a row without a file is as good as none.
        let newer = try await visible(path, caller)
        return (newer, try shelf.open(newer.content.digest))
    }

    private func checkPublic(_ path: ObjectPath) throws(StorageFault) {
        guard let bucket = buckets[path.bucket], bucket.isPublic else { throw .noBucket }
    }
}
