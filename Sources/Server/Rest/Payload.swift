import SQLite
import SupabaseWire

/// The rows of an insert's or update's body, by column, with the keys that were really there.
struct Payload: Sendable {
    /// The columns that are set, by every row alike; the order is the table's.
    let columns: [Column]
    /// Values of `columns`, in that order; `nil` takes the column's default.
    let rows: [[SQLValue?]]
    let isArray: Bool

    /// - Throws: `PGRST102` for a body that is no object or list of alike objects, `PGRST204` for an unknown
    ///   column, `22P02` and its kin for a value that is not of the column's type.
    init(
        _ body: [UInt8], for table: Table, columns named: [String]?, missingIsDefault: Bool, now: Int64
    ) throws(Refusal) {
        let value = try Self.json(body)
        let objects: [[String: JSONValue]]
        (objects, isArray) = try Self.objects(value)
        let names: [String]
        if let named { names = named } else { names = try Self.commonKeys(objects) }
        for name in names where table.column(name) == nil {
            throw Refusal(
                400, "PGRST204",
                "Could not find the '\(name)' column of '\(table.rawValue)' in the schema cache")
        }
        columns = table.columns.filter { names.contains($0.name) }
        var rows: [[SQLValue?]] = []
        for object in objects {
            var row: [SQLValue?] = []
            for column in columns {
                if let value = object[column.name] {
                    row.append(try column.kind.read(value, now: now))
                } else {
                    row.append(missingIsDefault ? nil : .some(.null))
                }
            }
            rows.append(row)
        }
        self.rows = rows
    }

    /// The value of a column in a row: absent, or what was sent.
    func value(_ name: String, in row: [SQLValue?]) -> SQLValue? {
        columns.firstIndex { $0.name == name }.flatMap { row[$0] }
    }

    /// JSON of any shape; an empty body stands for `{}`.
    static func json(_ body: [UInt8]) throws(Refusal) -> JSONValue {
        guard !body.isEmpty else { return .object([:]) }
        do { return try WireCoding.decode(from: body, brokenText: .refused) } catch {
            throw Refusal(400, "PGRST102", "Empty or invalid json")
        }
    }

    private static func objects(_ value: JSONValue) throws(Refusal) -> ([[String: JSONValue]], Bool) {
        switch value {
        case .object(let object): return ([object], false)
        case .array(let elements):
            let objects = elements.compactMap(\.object)
            guard objects.count == elements.count else { throw alike }
            return (objects, true)
        case .null, .bool, .integer, .number, .string:
            throw Refusal(400, "PGRST102", "Empty or invalid json")
        }
    }

    private static func commonKeys(_ objects: [[String: JSONValue]]) throws(Refusal) -> [String] {
        guard let first = objects.first else { return [] }
        let keys = Set(first.keys)
        for object in objects where Set(object.keys) != keys { throw alike }
        return Array(keys)
    }

    private static let alike = Refusal(400, "PGRST102", "All object keys must match")
}
