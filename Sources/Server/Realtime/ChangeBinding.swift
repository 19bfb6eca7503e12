import SupabaseWire

/// One entry of a join's `postgres_changes`: which changes a channel wants to hear of.
struct ChangeBinding: Sendable {
    /// Never 0, and the same for equal bindings.
    let id: Int
    /// `nil`: any.
    let kind: RowChange.Kind?
    /// `nil`: all of the schema.
    let table: Table?
    let filter: ChangeFilter?
    /// `nil`: all.
    let columns: Set<String>?

    /// - Throws: A refusal whose message is the text of the `system` error.
    init(_ entry: JSONValue) throws(Refusal) {
        id = Self.id(of: entry)
        kind = entry["event"]?.string.flatMap { RowChange.Kind(rawValue: $0.uppercased()) }
        let schema = entry["schema"]?.string ?? "public"
        let name = entry["table"]?.string ?? "*"
        table = Table(rawValue: name)
        guard schema == "public" || schema == "*", table != nil || name == "*" else {
            throw Self.unable(entry)
        }
        if let text = entry["filter"]?.string, !text.isEmpty {
            guard let table, schema != "*" else { throw Self.unable(entry) }
            do { filter = try ChangeFilter(text, on: table) } catch {
                throw Refusal(400, error.code, "Error parsing `filter` params: \(error.message)")
            }
        } else {
            filter = nil
        }
        if let list = entry["select"]?.array?.compactMap(\.string), !list.isEmpty {
            guard let table, list.allSatisfy({ table.column($0) != nil }) else { throw Self.unable(entry) }
            columns = Set(list).union(table.primaryKey)
        } else {
            columns = nil
        }
    }

    func wants(_ change: RowChange) -> Bool {
        if let kind, kind != change.kind { return false }
        if let table, table != change.row.table { return false }
        return filter?.matches(change.filteredRow) ?? true
    }

    /// FNV-1a over the entry with its keys sorted, below 2^27.
    static func id(of entry: JSONValue) -> Int {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in entry.jsonText.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return Int(hash % ((1 << 27) - 1)) + 1
    }

    private static func unable(_ entry: JSONValue) -> Refusal {
        let event = entry["event"]?.string ?? "*"
        let schema = entry["schema"]?.string ?? "public"
        let table = entry["table"]?.string ?? "*"
        let filter = entry["filter"]?.string ?? ""
        return Refusal(
            400, "42P01",
            "Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given "
                + "connect parameters: [event: \(event), schema: \(schema), table: \(table), "
                + "filters: [\(filter)], select: nil]")
    }
}
