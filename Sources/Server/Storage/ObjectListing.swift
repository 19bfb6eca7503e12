import SQLite
import SupabaseWire

/// One level of a bucket: folders first, then objects.
struct ObjectListing: Sendable {
    private enum Column: String { case name, createdAt = "created_at", updatedAt = "updated_at" }

    private let bucket: String
    /// Ends with a slash, unless it is empty.
    private let folder: String
    private let limit: Int
    private let offset: Int
    private let search: String
    private let column: Column
    private let isDescending: Bool

    /// - Throws: `.invalidRequest` for what is out of bounds.
    init(_ members: [String: JSONValue], bucket: String, limits: ServerLimits) throws(StorageFault) {
        self.bucket = bucket
        let prefix = String((members["prefix"]?.string ?? "").drop { $0 == "/" })
        folder = prefix.isEmpty || prefix.hasSuffix("/") ? prefix : prefix + "/"
        let limit = members["limit"]?.integer ?? 100
        let offset = members["offset"]?.integer ?? 0
        guard limit >= 0, offset >= 0 else { throw .invalidRequest("body/limit must be >= 0") }
        self.limit = Int(min(limit, Int64(limits.objectsPerCall)))
        self.offset = Int(clamping: offset)
        search = members["search"]?.string ?? ""
        let order = members["sortBy"]
        let name = order?["column"]?.string ?? "name"
        guard let column = Column(rawValue: name == "last_accessed_at" ? "updated_at" : name) else {
            throw .invalidRequest("body/sortBy/column must be one of the allowed values")
        }
        self.column = column
        isDescending = order?["order"]?.string?.lowercased() == "desc"
    }

    /// What the caller may see of it.
    func entries(_ session: Session, _ caller: StorageCaller) throws(Refusal) -> [JSONValue] {
        let visible: String
        var values: [any SQLConvertible] = [
            folder.unicodeScalars.count + 1, bucket, folder, folder + "\u{10FFFF}",
        ]
        switch caller {
        case .anonymous: return []
        case .service: visible = "1"
        case .user(let id):
            visible =
                "conversation_id IN (SELECT conversation_id FROM conversation_members "
                + "WHERE user_id = ? AND left_at IS NULL)"
            values.append(id)
        }
        let found = TextPatternText.escaped(search) + "%"
        values += [found, limit, offset] as [any SQLConvertible]
        let direction = isDescending ? "DESC" : "ASC"
        let sql = """
            WITH level AS (
                SELECT substr(name, ?) AS rest, \(Session.objectColumns) FROM storage_objects
                WHERE bucket_id = ? AND name >= ? AND name < ? AND \(visible))
            SELECT entry, object, created_at, updated_at FROM (
                SELECT DISTINCT substr(rest, 1, instr(rest, '/') - 1) AS entry, NULL AS object,
                    NULL AS created_at, NULL AS updated_at
                FROM level WHERE instr(rest, '/') > 0
                UNION ALL
                SELECT rest, name, created_at, updated_at FROM level WHERE instr(rest, '/') = 0)
            WHERE entry LIKE ? ESCAPE '\\'
            ORDER BY object IS NOT NULL, \(column == .name ? "entry" : column.rawValue) \(direction),
                entry \(direction)
            LIMIT ? OFFSET ?
            """
        let names = try session.query(sql, values) { row throws(SQLiteError) in
            (entry: try row.get(0, as: String.self), object: try row.get(1, as: String?.self))
        }
        var entries: [JSONValue] = []
        for (entry, name) in names {
            if let path = name.flatMap({ StorageDoor.path(bucket, $0) }) {
                if let object = try session.object(path) { entries.append(object.entry(entry)) }
            } else {
                entries.append(Self.folder(entry))
            }
        }
        return entries
    }

    private static func folder(_ name: String) -> JSONValue {
        [
            "name": .string(name), "id": .null, "updated_at": .null, "created_at": .null,
            "last_accessed_at": .null, "metadata": .null,
        ]
    }
}

/// Text that a pattern of SQLite's `LIKE` takes as it stands.
private enum TextPatternText {
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            if character == "%" || character == "_" || character == "\\" { escaped.append("\\") }
            escaped.append(character)
        }
        return escaped
    }
}
