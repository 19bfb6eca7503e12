import Backend
import FoundationEssentials
import Models
import SupabaseWire

/// What a change of a row is to the engine.
enum ChangeReading: Sendable {
    case event(BackendEvent)
    /// The server left something out: the row must be read.
    case fetch(MissingRow)
    /// Of no interest, or nothing that can be named.
    case nothing

    init(_ change: ChangeEvent, mapping: Mapping) {
        // Mostly rows are closed by a time; a delete names a key, and reading it would find nothing.
        guard change.kind != .delete else {
            self = Self.removal(change.row)
            return
        }
        let isWhole = change.errors.isEmpty
        self =
            switch change.row {
            case .message(let record):
                Self.reading(record, isWhole) {
                    .message(mapping.change($0))
                } or: {
                    $0.id.map { .message($0) }
                }
            case .reaction(let record):
                Self.reading(record, isWhole) {
                    .reaction(mapping.reaction($0))
                } or: {
                    $0.messageID.map { .reactions(messageID: $0) }
                }
            case .member(let record):
                Self.reading(record, isWhole) {
                    .member(mapping.memberChange($0))
                } or: { key in
                    key.conversationID.flatMap { id in
                        key.userID.map { .member(conversationID: id, userID: $0) }
                    }
                }
            case .conversation(let record):
                Self.reading(record, isWhole) {
                    .conversation(id: $0.id, cursor: mapping.cursor($0.changedAt))
                } or: { key in
                    key.id.map { .conversation($0) }
                }
            case .other: .nothing
            }
    }

    private static func removal(_ row: ChangeEvent.ChangedRow) -> ChangeReading {
        switch row {
        case .message(let record): record.key.id.map { .event(.messageRemoved($0)) } ?? .event(.live)
        // A reaction, a membership or a conversation goes with what the next catch-up or list says of it.
        case .reaction, .member, .conversation, .other: .nothing
        }
    }

    private static func reading<Row: TableRow>(
        _ record: ChangedRecord<Row>, _ isWhole: Bool, event: (Row) -> BackendEvent,
        or missing: (RowKey) -> MissingRow?
    ) -> ChangeReading {
        if isWhole, case .success(let row) = record.row { return .event(event(row)) }
        return missing(record.key).map { .fetch($0) } ?? .event(.live)  // unknown which: catch up
    }
}

/// A row that a change event names but does not hold.
enum MissingRow: Sendable, Hashable {
    case message(UUID)
    case reactions(messageID: UUID)
    case member(conversationID: UUID, userID: UUID)
    case conversation(UUID)

    /// - Returns: `nil` when the row is not there, or not visible.
    func fetch(_ reading: Reading) async throws(RestFailure) -> BackendEvent? {
        switch self {
        case .message(let id):
            return try await reading.message(id).map { .message(reading.mapping.change($0)) }
        case .reactions(let id):
            // Told with their message, which has them all.
            guard let row = try await reading.message(id) else { return nil }
            return .message(reading.mapping.change(row, reactions: try await reading.reactions(of: id)))
        case .member(let conversationID, let userID):
            return try await reading.member(userID, of: conversationID).map {
                .member(reading.mapping.memberChange($0))
            }
        case .conversation(let id): return .conversation(id: id, cursor: nil)
        }
    }
}
