import FoundationEssentials
import Models
import SQLite

extension MessageStore {
    /// A reaction's wish in the outbox.
    private struct Wish {
        let sequence: Int64
        let isOn: Bool
        /// The service may have heard of it.
        let wasTried: Bool
    }

    /// Keeps what the user wants of a reaction: on in one form, or off in every own one.
    ///
    /// It shows at once. Of several wishes about one sign the last one counts; one that brings back what the service
    /// has, and that was not tried yet, is forgotten together with the one before it: nothing is sent.
    /// - Parameters:
    ///   - isOn: `nil` turns it into the opposite of what it is at this moment.
    ///   - date: When it was wished, for the page of the outbox.
    /// - Returns: `false` when the message is not here, or is deleted, or the symbol shows nothing.
    @discardableResult
    package func enqueueReaction(
        _ symbol: String, isOn: Bool?, to id: UUID, in conversationID: UUID, at date: Date? = nil
    ) throws(StoreError) -> Bool {
        try write { (notes) throws(SQLiteError) in
            let sign = ReactionSymbol(symbol)
            guard !sign.isBlank, let (message, _) = try storedMessage(id), !message.isDeleted
            else { return false }
            let rows = try loadReactions(to: id).filter { ReactionSymbol($0.symbol) == sign }
                .sorted { $0.version < $1.version }
            let own = Set(rows.filter { $0.userID == userID }.map(\.symbol))
            let wishes = try loadReactionWishes(about: id, sign)
            // What the screen shows of the own ones: the service's rows with the wishes over them.
            let shown = own.filter { wishes[$0]?.isOn ?? true }.union(wishes.filter(\.value.isOn).keys)
            let wanted = isOn ?? shown.isEmpty
            var forms = own.union(wishes.keys)
            if wanted {
                // One form is enough, the one that others have chosen already where there is a choice.
                let best = rows.first { own.contains($0.symbol) } ?? rows.first
                forms = [forms.count == 1 ? forms.first ?? symbol : best?.symbol ?? forms.min() ?? symbol]
            } else if forms.isEmpty {
                forms = [symbol]
            }
            for form in forms.sorted() {
                if let wish = wishes[form], !wish.wasTried, wish.isOn != wanted, own.contains(form) == wanted
                {
                    try forgetWish(wish.sequence, &notes)
                } else {
                    try put(
                        .react(messageID: id, symbol: form, isOn: wanted), position: nil, in: conversationID,
                        at: date, &notes)
                }
            }
            notes.touch(message: id, in: conversationID)
            return true
        }
    }

    /// Notes that a wish is on its way to the service: from now on only another one takes it back.
    /// - Returns: Whether it still stands as it was read; a newer one has to be read first.
    package func begin(_ operation: OutboxRow) throws(StoreError) -> Bool {
        try write { (_) throws(SQLiteError) in
            try connection.run(
                "UPDATE outbox SET attempts = attempts + 1 WHERE seq = ?1 AND revision = ?2",
                [operation.sequence, operation.revision]) > 0
        }
    }

    /// The wishes about one sign on a message, by their form; of two about one form the later.
    private func loadReactionWishes(about id: UUID, _ sign: ReactionSymbol) throws(SQLiteError) -> [String:
        Wish]
    {
        let rows = try connection.query(
            """
            SELECT text, seq, flag, attempts FROM outbox WHERE message_id = ?1 AND kind = 'react' ORDER BY seq
            """, [id]
        ) { (row) throws(SQLiteError) in
            let wish = Wish(
                sequence: try row.get(1), isOn: try row.get(2, as: Bool?.self) ?? false,
                wasTried: try row.get(3, as: Int.self) > 0)
            return (form: try row.get(0, as: String?.self) ?? "", wish: wish)
        }
        return Dictionary(rows.filter { ReactionSymbol($0.form) == sign }.map { ($0.form, $0.wish) }) { $1 }
    }

    private func forgetWish(_ sequence: Int64, _ notes: inout ChangeNotes) throws(SQLiteError) {
        try connection.run("DELETE FROM outbox WHERE seq = ?1", [sequence])
        notes.outbox = true
    }
}
