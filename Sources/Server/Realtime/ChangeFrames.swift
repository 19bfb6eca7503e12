import SupabaseWire

/// The messages that announce one change. What several listeners get alike is printed once.
struct ChangeFrames {
    private struct Shape: Hashable {
        let topic: String
        let ids: [Int]
        let columns: Set<String>?
        let version: RealtimeVersion
    }

    private let change: RowChange
    /// The change itself, by the columns that are told.
    private var printed: [Set<String>?: String] = [:]
    private var messages: [Shape: OutgoingMessage] = [:]

    init(_ change: RowChange) { self.change = change }

    /// The message for one channel.
    /// - Parameter bindings: Those that want the change; one message serves them all.
    mutating func message(on topic: String, _ bindings: [ChangeBinding], _ version: RealtimeVersion)
        -> OutgoingMessage
    {
        var ids: [Int] = []
        for binding in bindings where !ids.contains(binding.id) { ids.append(binding.id) }
        let shape = Shape(topic: topic, ids: ids, columns: Self.columns(of: bindings), version: version)
        if let message = messages[shape] { return message }
        let payload = ChangeText.payload(ids: ids, data: data(shape.columns))
        let frame = OutgoingFrame(topic: topic, event: "postgres_changes", payload: payload)
        let message = OutgoingMessage.text(frame.text(version))
        messages[shape] = message
        return message
    }

    private mutating func data(_ columns: Set<String>?) -> String {
        if let text = printed[columns] { return text }
        let text = ChangeText.data(change, columns: columns)
        printed[columns] = text
        return text
    }

    /// What any of the bindings asked for; `nil` for all columns.
    private static func columns(of bindings: [ChangeBinding]) -> Set<String>? {
        var all: Set<String> = []
        for binding in bindings {
            guard let columns = binding.columns else { return nil }
            all.formUnion(columns)
        }
        return all
    }
}
