import SupabaseWire

extension StorageDoor {
    func download(_ request: IncomingRequest, _ path: ObjectPath, _ access: StorageRoute.Access)
        async throws(StorageFault) -> Ending
    {
        var headers: [(name: String, value: String)] = []
        let object: StoredObject
        switch access {
        case .bearer:
            let caller = try gate.storageCaller(request, now: now())
            object = try await visible(path, caller)
        case .publicBucket: object = try await publicObject(path)
        case .signedURL:
            let end = try signedEnd(request, path)
            headers.append(("Expires", HTTPDateText.text(end * 1_000_000)))
            object = try await visible(path, .service)
        }
        let download = Download(object, request)
        headers += download.headers
        if download.isKnown { return .answer(Answer(304, headers: headers)) }
        let range = try download.range()
        guard let file = shelf.open(object.content.digest) else { throw .noObject }
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
        let object: StoredObject
        if let caller {
            object = try await visible(path, caller)
        } else {
            object = try await publicObject(path)
        }
        return .json(200, object.info.jsonText)
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

    private func publicObject(_ path: ObjectPath) async throws(StorageFault) -> StoredObject {
        guard let bucket = buckets[path.bucket], bucket.isPublic else { throw .noBucket }
        return try await visible(path, .service)
    }
}
