import FoundationEssentials
import Models
import SQLite

/// What can be read of a damaged store. Each table is read for itself, from either end as far as that goes.
struct Remains: Sendable {
    /// Those that were not confirmed, by id.
    private(set) var messages: [UUID: Message] = [:]
    /// In their order.
    var outbox: [RemainingOperation] = []
    private(set) var drafts: [UUID: String] = [:]
    /// Files that wait to be uploaded, by message.
    private(set) var uploads: [UUID: WaitingUpload] = [:]
    /// Conversations marked as unread by the user.
    private(set) var markedUnread: Set<UUID> = []
    /// What the service calls messages, in their order.
    private(set) var names: [RemainingName] = []

    init(path: String) {
        // Nothing readable is nothing rescued: the file is kept for whoever can do better.
        guard let connection = Self.open(path) else { return }
        readMessages(connection)
        readOutbox(connection)
        var unread: Set<UUID> = []
        Self.read(
            "SELECT conversation_id FROM marked_unread", by: "conversation_id", connection,
            { (row) throws(SQLiteError) in try row.get(0, as: UUID.self) }
        ) { unread.insert($0) }
        markedUnread = unread
        var kept: [UUID: String] = [:]
        Self.read(
            "SELECT conversation_id, text FROM drafts", by: "conversation_id", connection,
            { (row) throws(SQLiteError) in (try row.get(0, as: UUID.self), try row.get(1, as: String.self)) }
        ) { kept[$0.0] = $0.1 }
        drafts = kept
        var files: [UUID: WaitingUpload] = [:]
        Self.read(
            "SELECT message_id, copy, sha256 FROM uploads", by: "message_id", connection,
            { (row) throws(SQLiteError) in
                // What was tried is not worth a guess: asking once more does no harm.
                (
                    try row.get(0, as: UUID.self),
                    WaitingUpload(copy: try row.get(1), sha256: try row.get(2), wasTried: true)
                )
            }
        ) { files[$0.0] = $0.1 }
        uploads = files
        readNames(connection)
    }

    private mutating func readNames(_ connection: SQLConnection) {
        var found: [Int64: RemainingName] = [:]
        Self.read(
            "SELECT number, name, message_id, is_past FROM names", by: "number", connection,
            RemainingName.init
        ) { found[$0.number] = $0 }
        names = found.values.sorted { $0.number < $1.number }
    }

    /// In a folder that takes no writing a file without a log is read as one that nobody changes: SQLite could not
    /// make the log's index there.
    private static func open(_ path: String) -> SQLConnection? {
        for location in [SQLConnection.Location.file(path), .unchangingFile(path)] {
            do throws(SQLiteError) {
                let connection = try SQLConnection(location, readOnly: true)
                // A file that was cut off is refused as a whole without this; with it, what is there can be read.
                _ = try? connection.execute("PRAGMA writable_schema = ON")
                if location == .file(path) {
                    _ = try connection.first("SELECT count(*) FROM sqlite_schema") {
                        (row) throws(SQLiteError) in try row.get(0, as: Int.self)
                    }
                }
                return connection
            } catch { continue }
        }
        return nil
    }

    /// With the columns of today, or as versions before had them.
    private mutating func readOutbox(_ connection: SQLConnection) {
        var rows: [Int64: RemainingOperation] = [:]
        for columns in [RemainingOperation.columns, RemainingOperation.firstColumns] where rows.isEmpty {
            Self.read(
                "SELECT \(columns) FROM outbox", by: "seq", connection, RemainingOperation.init
            ) { rows[$0.sequence] = $0 }
        }
        outbox = rows.values.sorted { $0.sequence < $1.sequence }
    }

    /// By their index, which is small, and when that is damaged from the table itself.
    private mutating func readMessages(_ connection: SQLConnection) {
        var found: [UUID: Message] = [:]
        for source in ["messages", "messages NOT INDEXED"] {
            let order = source == "messages" ? "typed_order" : "num"
            let isWhole = Self.read(
                "SELECT \(MessageRow.columns) FROM \(source) WHERE position IS NULL", by: order, connection,
                MessageRow.read
            ) { found[$0.id] = $0 }
            if isWhole { break }
        }
        messages = found
    }

    /// Reads upwards, and when a page on the way is damaged, downwards too.
    /// - Returns: Whether the rows could be read to the end.
    @discardableResult
    private static func read<Row>(
        _ select: String, by column: String, _ connection: SQLConnection,
        _ read: (borrowing SQLRow) throws(SQLiteError) -> Row, take: (Row) -> Void
    ) -> Bool {
        for direction in ["ASC", "DESC"] {
            do throws(SQLiteError) {
                _ = try connection.query("\(select) ORDER BY \(column) \(direction)") {
                    (row) throws(SQLiteError) in
                    // A row with a value of another kind is passed over.
                    if let row = try? read(row) { take(row) }
                }
                return true
            } catch { continue }
        }
        return false
    }
}

/// A row of the outbox as it stands there, also of a kind that only a later version knows.
struct RemainingOperation: Sendable {
    static let columns = """
        seq, conversation_id, kind, message_id, text, flag, position, slot, revision, is_refused, attempts, \
        failing_since, since, tries, tried_at, trouble, failure
        """
    /// Before a page of the outbox told of its tries.
    static let firstColumns = """
        seq, conversation_id, kind, message_id, text, flag, position, slot, revision, is_refused, attempts, \
        failing_since, NULL, attempts, NULL, NULL, NULL
        """

    let sequence: Int64
    let conversationID: UUID
    let kind: String
    let messageID: UUID
    let text: String?
    let flag: Bool?
    let position: Int64?
    let slot: String?
    let revision: Int64
    let isRefused: Bool
    let attempts: Int
    let failingSince: Int64?
    let since: Int64?
    let tries: Int
    let triedAt: Int64?
    let trouble: String?
    let failure: String?

    init(_ row: borrowing SQLRow) throws(SQLiteError) {
        sequence = try row.get(0)
        conversationID = try row.get(1)
        kind = try row.get(2)
        messageID = try row.get(3)
        text = try row.get(4)
        flag = try row.get(5)
        position = try row.get(6)
        slot = try row.get(7)
        revision = try row.get(8)
        isRefused = try row.get(9)
        attempts = try row.get(10)
        failingSince = try row.get(11)
        since = try row.get(12)
        tries = try row.get(13)
        triedAt = try row.get(14)
        trouble = try row.get(15)
        failure = try row.get(16)
    }
}

/// Another name of a message.
struct RemainingName: Sendable {
    let number: Int64
    let name: UUID
    let messageID: UUID
    let isPast: Bool

    init(_ row: borrowing SQLRow) throws(SQLiteError) {
        number = try row.get(0)
        name = try row.get(1)
        messageID = try row.get(2)
        isPast = try row.get(3)
    }
}
