import SupabaseWire

extension StorageDoor: BodyReceiver {
    func wants(method: String, target: String) -> Bool {
        guard method == "POST" || method == "PUT" else { return false }
        // Asked of every request, and most go elsewhere.
        guard target.utf8.first(where: { $0 != UInt8(ascii: "/") }) == UInt8(ascii: "s") else { return false }
        if case .upload = StorageRoute(method: method, target: target) { return true }
        return false
    }

    /// All that can be said before the body is in, without waiting for the database.
    func reception(of request: IncomingRequest) -> Reception {
        if let refusal = gate.refusal(request) { return unwanted(refusal, request) }
        do throws(StorageFault) {
            let upload = try upload(request)
            if upload.order.length ?? .max > Upload.patience { Task { await check(upload) } }
            return .stream(upload)
        } catch {
            return unwanted(error.answer, request)
        }
    }

    private func upload(_ request: IncomingRequest) throws(StorageFault) -> Upload {
        let caller = try gate.storageCaller(request, now: now())
        guard case .upload(let text) = StorageRoute(method: request.method, target: request.target) else {
            throw .noRoute
        }
        let path = try ObjectPath(encoded: text)
        guard let bucket = buckets[path.bucket] else { throw .noBucket }
        guard caller != .anonymous, caller == .service || path.isAttachment else { throw .policy }
        let order = UploadOrder(
            request, path: path, caller: caller, bucket: bucket, limit: Int64(limits.objectBytes))
        if let length = order.length, length > order.sizeLimit + Upload.patience { throw .tooLarge }
        let type = order.contentType ?? MediaTypeText.unknown
        if MultipartReader(contentType: type) == nil {
            if let length = order.length, length > order.sizeLimit { throw .tooLarge }
            guard bucket.takes(type) else { throw .mimeType(MediaTypeText.essence(type)) }
        }
        guard let ticket = places.take(caller) else { throw .busy }
        do throws(StorageFault) {
            let room = try shelf.room.promise(min(order.length ?? 0, order.sizeLimit))
            return Upload(order, shelf: shelf, ticket: ticket, room: room)
        } catch {
            if Self.isAsked(request) { throw error }
            // It is no fault of the sender's, who is to read why: the body is let pass first.
            let upload = Upload(order, shelf: shelf, ticket: ticket, room: nil)
            upload.refuse(error)
            return upload
        }
    }

    /// A sender that is told while it still sends may see its connection break before it reads why; so a short body
    /// is let pass first.
    private func unwanted(_ answer: Answer, _ request: IncomingRequest) -> Reception {
        guard !Self.isAsked(request), let length = Self.length(request), length <= Upload.patience else {
            return .refuse(answer)
        }
        return .stream(UnwantedBody(answer))
    }

    /// Spares the disk a large body that will be refused anyhow.
    private func check(_ upload: Upload) async {
        let (order, quota) = (upload.order, limits.accountBytes)
        let fault: StorageFault?
        do throws(StorageFault) {
            fault = try await read { session throws(Refusal) in
                // A form is longer than its file, but not by much.
                let bytes = max((order.length ?? 0) - Upload.patience, 0)
                return try Self.fault(
                    of: order, bytes: bytes, replacing: try session.object(order.path), quota, session)
            }
        } catch {
            // Asked again when the body is in.
            fault = nil
        }
        if let fault { upload.refuse(fault) }
    }

    /// - Parameters:
    ///   - bytes: Of the file, as far as it is known.
    ///   - quota: Bytes of all objects of one account.
    private static func fault(
        of order: UploadOrder, bytes: Int64, replacing object: StoredObject?, _ quota: Int64,
        _ session: Session
    ) throws(Refusal) -> StorageFault? {
        guard try session.bucket(order.path.bucket) != nil else { return .noBucket }
        guard try session.mayCreate(order.path, order.caller) else { return .policy }
        if let object {
            guard order.mayReplace else { return .duplicate }
            guard try session.mayChange(object, order.caller) else { return .policy }
        }
        // A replaced object stays its first owner's, and it is the service role that may replace another's.
        guard let owner = object.map(\.owner) ?? order.caller.userID else { return nil }
        let freed = object?.content.size ?? 0
        return try session.storedBytes(of: owner) - freed + bytes > quota ? .quotaExceeded : nil
    }

    /// The sender waits for a word before it sends the body.
    private static func isAsked(_ request: IncomingRequest) -> Bool {
        request.header("expect")?.lowercased() == "100-continue"
    }

    private static func length(_ request: IncomingRequest) -> Int64? {
        request.header("content-length").flatMap { Int64($0) }
    }

    // MARK: - Once the body is in

    private enum Written: Sendable {
        /// With the digest of what it replaced.
        case stored(StoredObject, replaced: String?)
        case refused(StorageFault)
    }

    func store(_ upload: Upload) async throws(StorageFault) -> Answer {
        let (file, content) = try await upload.finish()
        let shelf = shelf
        try await shelf.run {
            Result { () throws(StorageFault) in try shelf.place(file, digest: content.digest) }
        }
        .get()
        let object = try await record(content, upload.order)
        return .json(200, Self.receipt(object))
    }

    /// Writes the row of a content that is pinned, and lets go of the pin.
    func record(_ content: ObjectContent, _ order: UploadOrder) async throws(StorageFault) -> StoredObject {
        let quota = limits.accountBytes
        let written: Written
        do throws(StorageFault) {
            written = try await write { session throws(Refusal) in
                try Self.place(content, order, quota, session)
            }
        } catch {
            written = .refused(error)
        }
        shelf.release(content.digest)
        switch written {
        case .stored(let object, let replaced):
            if let replaced, replaced != content.digest { await tidy([replaced]) }
            return object
        case .refused(let fault):
            await tidy([content.digest])
            throw fault
        }
    }

    private static func place(
        _ content: ObjectContent, _ order: UploadOrder, _ quota: Int64, _ session: Session
    ) throws(Refusal) -> Written {
        let path = order.path
        let old = try session.object(path)
        if let fault = try fault(of: order, bytes: content.size, replacing: old, quota, session) {
            return .refused(fault)
        }
        guard var object = old else {
            let new = StoredObject(
                id: UUIDText.random(), path: path, owner: order.caller.userID, version: UUIDText.random(),
                content: content, createdAt: session.now, updatedAt: session.now)
            try session.put(new)
            return .stored(new, replaced: nil)
        }
        let replaced = object.content.digest
        object.content = content
        object.version = UUIDText.random()
        object.updatedAt = session.now
        try session.put(object)
        return .stored(object, replaced: replaced)
    }

    static func receipt(_ object: StoredObject) -> String {
        JSONValue.object(["Id": .string(object.id), "Key": .string(object.path.full)]).jsonText
    }

    // MARK: - Files nobody refers to

    /// Removes those of the files that no row refers to any more.
    func tidy(_ digests: [String]) async {
        let shelf = shelf
        let suspects = Set(digests).filter { shelf.condemn($0) }
        guard !suspects.isEmpty else { return }
        let unwanted: [String]
        do throws(StorageFault) {
            unwanted = try await read { session throws(Refusal) in
                var unwanted: [String] = []
                for digest in suspects where try !session.isReferred(digest: digest) {
                    unwanted.append(digest)
                }
                return unwanted
            }
        } catch {
            // The next start looks again.
            unwanted = []
        }
        for digest in suspects.subtracting(unwanted) { shelf.acquit(digest) }
        await shelf.run { for digest in unwanted { shelf.removeCondemned(digest) } }
    }

    /// Removes what earlier runs left behind, a part at a time so that the database is nobody's for long.
    func sweep() async {
        let shelf = shelf
        let all = await shelf.run { shelf.digests() }
        for start in stride(from: 0, to: all.count, by: 500) {
            guard !Task.isCancelled else { return }
            await tidy(Array(all[start..<min(start + 500, all.count)]))
        }
    }
}
