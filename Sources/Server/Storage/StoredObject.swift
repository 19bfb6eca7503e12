import SQLite
import SupabaseWire
import Timestamps

/// One object as its row has it. Instants in microseconds since 1970.
struct StoredObject: Sendable, Equatable {
    var id: String
    var path: ObjectPath
    /// The uploader; `nil` when the service role was it.
    var owner: String?
    /// Changes with every replacement.
    var version: String
    var content: ObjectContent
    var createdAt: Int64
    var updatedAt: Int64

    /// Quoted, as headers have it. Of the content alone: an object replaced by the same bytes is the same.
    var entityTag: String { "\"\(content.digest.prefix(32))\"" }

    /// What `info` answers.
    var info: JSONValue {
        [
            "id": .string(id), "name": .string(path.name), "version": .string(version),
            "bucket_id": .string(path.bucket), "size": .integer(content.size),
            "content_type": .string(content.mimeType), "cache_control": .string(content.cacheControl),
            "etag": .string(entityTag), "metadata": content.metadataJSON,
            "last_modified": .string(TimestampText.milliseconds(updatedAt)),
            "created_at": .string(TimestampText.milliseconds(createdAt)),
        ]
    }

    /// An entry of a list under the name given there.
    func entry(_ name: String) -> JSONValue {
        let updated = JSONValue.string(TimestampText.milliseconds(updatedAt))
        return [
            "name": .string(name), "id": .string(id), "updated_at": updated, "last_accessed_at": updated,
            "created_at": .string(TimestampText.milliseconds(createdAt)),
            "metadata": [
                "eTag": .string(entityTag), "size": .integer(content.size),
                "mimetype": .string(content.mimeType), "cacheControl": .string(content.cacheControl),
                "lastModified": updated, "contentLength": .integer(content.size), "httpStatusCode": 200,
            ],
        ]
    }

    /// What a removal answers for each object.
    var removed: JSONValue {
        guard case .object(var members) = entry(path.name) else { return .null }
        members["bucket_id"] = .string(path.bucket)
        members["owner"] = .string(owner ?? "")
        members["owner_id"] = .string(owner ?? "")
        members["version"] = .string(version)
        return .object(members)
    }
}

/// What was uploaded, and what was said about it.
struct ObjectContent: Sendable, Equatable {
    /// SHA-256 in hexadecimal digits; the file's name on the disk.
    var digest: String
    /// Bytes.
    var size: Int64
    var mimeType: String
    /// As it is sent with every download.
    var cacheControl: String
    /// A JSON object.
    var metadata: String

    var metadataJSON: JSONValue {
        // Checked when it came; what is no JSON after all is shown as nothing.
        (try? WireCoding.decode(JSONValue.self, from: metadata)) ?? .object([:])
    }
}

extension Session {
    static let objectColumns = """
        id, bucket_id, name, owner_id, version, digest, size, mime_type, cache_control, metadata, created_at,
        updated_at
        """

    func object(_ path: ObjectPath) throws(Refusal) -> StoredObject? {
        try first(
            "SELECT \(Self.objectColumns) FROM storage_objects WHERE bucket_id = ? AND name = ?",
            [path.bucket, path.name]
        ) { row throws(SQLiteError) in
            StoredObject(
                id: try row.get(0), path: path, owner: try row.get(3), version: try row.get(4),
                content: ObjectContent(
                    digest: try row.get(5), size: try row.get(6), mimeType: try row.get(7),
                    cacheControl: try row.get(8), metadata: try row.get(9)),
                createdAt: try row.get(10), updatedAt: try row.get(11))
        }
    }

    /// Writes the row, in place of one with the same id.
    func put(_ object: StoredObject) throws(Refusal) {
        let content = object.content
        _ = try execute(
            """
            INSERT OR REPLACE INTO storage_objects (\(Self.objectColumns), conversation_id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                object.id, object.path.bucket, object.path.name, object.owner, object.version,
                content.digest, content.size, content.mimeType, content.cacheControl, content.metadata,
                object.createdAt, object.updatedAt, object.path.conversation,
            ])
    }

    func deleteObject(_ object: StoredObject) throws(Refusal) {
        _ = try execute("DELETE FROM storage_objects WHERE id = ?", [object.id])
    }

    /// Whether any object is kept in the file of this name.
    func isReferred(digest: String) throws(Refusal) -> Bool {
        try exists("SELECT 1 FROM storage_objects WHERE digest = ?", [digest])
    }

    /// Bytes of all objects of an account. Those that share a file count each.
    func storedBytes(of owner: String) throws(Refusal) -> Int64 {
        try first("SELECT coalesce(sum(size), 0) FROM storage_objects WHERE owner_id = ?", [owner]) {
            row throws(SQLiteError) in try row.get(0, as: Int64.self)
        } ?? 0
    }

    // MARK: - Rules

    func mayRead(_ path: ObjectPath, _ caller: StorageCaller) throws(Refusal) -> Bool {
        if case .service = caller { return true }
        return try isMember(caller.userID, of: path.conversation)
    }

    /// Whether the caller may make an object there.
    func mayCreate(_ path: ObjectPath, _ caller: StorageCaller) throws(Refusal) -> Bool {
        if case .service = caller { return true }
        guard path.isAttachment else { return false }
        return try isMember(caller.userID, of: path.conversation)
    }

    /// Whether the caller may replace or remove the object: its uploader, while a member.
    func mayChange(_ object: StoredObject, _ caller: StorageCaller) throws(Refusal) -> Bool {
        if case .service = caller { return true }
        guard let user = caller.userID, object.owner == user else { return false }
        return try isMember(user, of: object.path.conversation)
    }
}
