import SQLite
import SupabaseWire
import Synchronization
import Timestamps

/// A bucket and what it takes.
struct Bucket: Sendable, Equatable {
    /// The messenger's own bucket; it is always there.
    static let attachments = "attachments"

    let id: String
    var isPublic = false
    /// Bytes of one object; `nil` leaves it to the server's limit.
    var sizeLimit: Int64?
    /// Such as `image/png` or `image/*`; `nil` takes any.
    var mimeTypes: [String]?
    /// Microseconds since 1970.
    let createdAt: Int64
    var updatedAt: Int64

    /// Whether an object of this type may be put here; parameters and case of the type count for nothing.
    func takes(_ type: String) -> Bool {
        guard let mimeTypes else { return true }
        let essence = MediaTypeText.essence(type)
        return mimeTypes.contains { allowed in
            let allowed = MediaTypeText.essence(allowed)
            if allowed == "*/*" || allowed == essence { return true }
            return allowed.hasSuffix("/*") && essence.hasPrefix(allowed.dropLast())
        }
    }

    var json: JSONValue {
        [
            "id": .string(id), "name": .string(id), "owner": "", "public": .bool(isPublic),
            "created_at": .string(TimestampText.milliseconds(createdAt)),
            "updated_at": .string(TimestampText.milliseconds(updatedAt)),
            "file_size_limit": sizeLimit.map { .integer($0) } ?? .null,
            "allowed_mime_types": mimeTypes.map { .array($0.map { .string($0) }) } ?? .null,
        ]
    }
}

/// The buckets as they are in the database, for whoever cannot wait for it. Changed after each commit.
final class KnownBuckets: Sendable {
    private let buckets = Mutex<[String: Bucket]>([:])

    subscript(_ id: String) -> Bucket? { buckets.withLock { $0[id] } }

    func replace(with all: [Bucket]) {
        buckets.withLock { buckets in
            buckets = [:]
            for bucket in all { buckets[bucket.id] = bucket }
        }
    }
}

extension Session {
    private static let bucketColumns = "id, is_public, size_limit, mime_types, created_at, updated_at"

    /// By id.
    func buckets() throws(Refusal) -> [Bucket] {
        try query("SELECT \(Self.bucketColumns) FROM storage_buckets ORDER BY id", read: Self.bucket)
    }

    func bucket(_ id: String) throws(Refusal) -> Bucket? {
        try first(
            "SELECT \(Self.bucketColumns) FROM storage_buckets WHERE id = ?", [id], read: Self.bucket)
    }

    /// Makes the bucket, or changes one that is there.
    func put(_ bucket: Bucket) throws(Refusal) {
        let types = bucket.mimeTypes.map { JSONValue.array($0.map { .string($0) }).jsonText }
        _ = try execute(
            """
            INSERT INTO storage_buckets (\(Self.bucketColumns)) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET is_public = excluded.is_public, size_limit = excluded.size_limit,
                mime_types = excluded.mime_types, updated_at = excluded.updated_at
            """,
            [bucket.id, bucket.isPublic, bucket.sizeLimit, types, bucket.createdAt, bucket.updatedAt])
    }

    func deleteBucket(_ id: String) throws(Refusal) {
        _ = try execute("DELETE FROM storage_buckets WHERE id = ?", [id])
    }

    private static func bucket(_ row: borrowing SQLRow) throws(SQLiteError) -> Bucket {
        let types: String? = try row.get(3)
        // Only our own text is in this column; what is no list there would allow nothing.
        let list = types.map { (try? WireCoding.decode(JSONValue.self, from: $0))?.array ?? [] }
        return Bucket(
            id: try row.get(0), isPublic: try row.get(1), sizeLimit: try row.get(2),
            mimeTypes: list?.compactMap(\.string), createdAt: try row.get(4), updatedAt: try row.get(5))
    }
}
