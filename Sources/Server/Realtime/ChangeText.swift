import Timestamps

/// A change as the feed prints it.
enum ChangeText {
    /// The `data` object.
    /// - Parameter columns: The columns to print; `nil` for all.
    static func data(_ change: RowChange, columns: Set<String>?) -> String {
        let table = change.row.table
        let shown = table.columns.filter { columns?.contains($0.name) ?? true }
        var writer = JSONText()
        writer.raw(
            "{\"schema\":\"public\",\"table\":\"\(table.rawValue)\",\"type\":\"\(change.kind.rawValue)\"")
        writer.raw(",\"commit_timestamp\":\"\(TimestampText.milliseconds(change.committedAt))\",\"columns\":")
        writer.list(shown) { $0.raw("{\"name\":\"\($1.name)\",\"type\":\"\($1.kind.rawValue)\"}") }
        let names = shown.map(\.name)
        switch change.kind {
        case .insert: writer.raw(",\"record\":\(change.row.jsonText(only: names))")
        case .update:
            writer.raw(",\"record\":\(change.row.jsonText(only: names))")
            let old = change.old ?? change.row
            // Messages have their whole old row in the log, the others their key.
            let known = table == .messages ? names : table.primaryKey
            writer.raw(",\"old_record\":\(old.jsonText(only: known))")
        case .delete: writer.raw(",\"old_record\":\(change.row.jsonText(only: table.primaryKey))")
        }
        writer.raw(",\"errors\":null}")
        return writer.text
    }

    /// The whole payload for a channel's bindings.
    static func payload(ids: [Int], data: String) -> String {
        "{\"ids\":[\(ids.map(String.init).joined(separator: ","))],\"data\":\(data)}"
    }
}
