/// The SQL every call uses of a table, put together once.
struct TableText: Sendable {
    /// `SELECT <all columns> FROM <table> `, to be followed by a clause.
    let select: String
    /// `WHERE <primary key> = ?…`
    let whereKey: String
    let insert: String

    fileprivate init(_ table: Table) {
        let names = table.columns.map(\.name).joined(separator: ", ")
        let marks = table.columns.map { _ in "?" }.joined(separator: ", ")
        select = "SELECT \(names) FROM \(table.rawValue) "
        whereKey = "WHERE " + table.primaryKey.map { "\($0) = ?" }.joined(separator: " AND ")
        insert = "INSERT INTO \(table.rawValue) (\(names)) VALUES (\(marks))"
    }
}

extension Table {
    private static let profileText = TableText(.profiles)
    private static let conversationText = TableText(.conversations)
    private static let memberText = TableText(.conversationMembers)
    private static let flagText = TableText(.conversationFlags)
    private static let messageText = TableText(.messages)
    private static let reactionText = TableText(.reactions)

    var text: TableText {
        switch self {
        case .profiles: Self.profileText
        case .conversations: Self.conversationText
        case .conversationMembers: Self.memberText
        case .conversationFlags: Self.flagText
        case .messages: Self.messageText
        case .reactions: Self.reactionText
        }
    }
}
