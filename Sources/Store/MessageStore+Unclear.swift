import FoundationEssentials
import Models
import SQLite

/// Own messages of which nobody knows yet whether they are one that is being sent.
///
/// A service that does not take our ids may tell of a message under its own before the answer to the send says which
/// that is. Such a row is kept like any other, so that no cursor passes it, but is not shown as long as the send is on
/// its way: then it becomes the row of the message that was typed, or one beside it, as of another device.
extension MessageStore {
    /// What is known in this run alone: after a restart every row is shown.
    struct Unclear {
        /// Messages whose send is on its way.
        fileprivate var sends: Set<UUID> = []
        /// Rows that are not shown, with the message they may be.
        fileprivate var rows: [UUID: UUID] = [:]
    }

    /// A message is about to be sent to a service that gives it another id.
    package func expectName(of messageID: UUID) { unclear.sends.insert(messageID) }

    func isUnclear(_ id: UUID) -> Bool { unclear.rows[id] != nil }

    /// For a condition of SQL: without those rows.
    var withoutUnclear: String {
        guard !unclear.rows.isEmpty else { return "" }
        let list = unclear.rows.keys.sorted().map { "x'\($0.text.filter { $0 != "-" })'" }
        return " AND id NOT IN (\(list.joined(separator: ", ")))"
    }

    /// A row is new here.
    func noteUnclear(_ row: Message) throws(SQLiteError) {
        guard row.senderID == userID else { return }
        for id in unclear.sends {
            guard let (sent, _) = try storedMessage(id), sent.position == nil,
                sent.conversationID == row.conversationID,
                (sent.attachment == nil) == (row.attachment == nil)
            else { continue }
            unclear.rows[row.id] = id
        }
    }

    /// It became the row of the message that was sent.
    func forgetUnclear(_ id: UUID) { unclear.rows[id] = nil }

    /// A send has come to an end. What is not its message is shown.
    /// - Parameter isDecided: Whether it is known what became of it; else rows that say the same stay hidden until the
    ///   next try.
    func showUnclear(after messageID: UUID, isDecided: Bool, _ notes: inout ChangeNotes) throws(SQLiteError) {
        guard unclear.sends.contains(messageID) else { return }
        if isDecided { unclear.sends.remove(messageID) }
        let body = isDecided ? nil : try storedMessage(messageID)?.message.body
        for id in unclear.rows.filter({ $0.value == messageID }).keys.sorted() {
            guard let (row, _) = try storedMessage(id) else {
                unclear.rows[id] = nil
                continue
            }
            if let body, row.body == body { continue }
            unclear.rows[id] = nil
            notes.touch(message: id, in: row.conversationID)
        }
    }
}
