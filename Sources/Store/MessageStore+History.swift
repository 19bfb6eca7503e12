import FoundationEssentials
import Models
import SQLite

/// Messages that are missing between two places. There are at most two in a conversation: the one between two
/// held parts, and the tail, which reaches down to the unknown beginning.
package struct Gap: Sendable, Hashable {
    package var isTail: Bool
    /// The oldest message above the gap; `.end` when nothing was fetched yet.
    package var upper: ThreadKey
    /// The newest message below the gap; `.start` for the tail.
    package var lower: ThreadKey

    /// Nothing was fetched yet: what is here came alone.
    package var holdsNothing: Bool { isTail && upper == .end }
}

extension MessageStore {
    package func cursor(of conversationID: UUID) throws(StoreError) -> StoredCursor? {
        try read { () throws(SQLiteError) in try loadCursor(conversationID) }
    }

    /// The position before which messages are missing between held ones; `nil` when none are.
    package func gapPosition(in conversationID: UUID) throws(StoreError) -> Int64? {
        try read { () throws(SQLiteError) in try loadGap(conversationID)?.upper.position }
    }

    /// The same with the revision it was read at, for who hears of changes besides.
    package func gapAtRevision(in conversationID: UUID) throws(StoreError) -> (
        position: Int64?, revision: Int64
    ) {
        (try gapPosition(in: conversationID), revision)
    }

    /// The gap that begins at or below `key`, the nearest one; `nil` when everything below is held.
    package func gap(below key: ThreadKey, in conversationID: UUID) throws(StoreError) -> Gap? {
        try read { () throws(SQLiteError) in
            let gaps = [try loadGap(conversationID), try loadTail(conversationID)].compactMap { $0 }
            return gaps.first { $0.lower < key }
        }
    }

    /// The oldest message above which nothing is missing but what a gap between held parts says; `nil` when that is
    /// the beginning, or nothing was fetched yet.
    package func wholeEnd(of conversationID: UUID) throws(StoreError) -> ThreadKey? {
        try read { () throws(SQLiteError) in
            guard let end = try wholeFrom(conversationID), end != .start, end != .end else { return nil }
            return end
        }
    }

    /// Keeps the first page ever fetched of a conversation. What is below it is the tail.
    ///
    /// - Parameters:
    ///   - page: The newest messages; empty when there are none at all.
    ///   - cursor: Read before the page was fetched.
    package func keepFirstPage(of conversationID: UUID, _ page: IncomingRows, cursor: StoredCursor)
        throws(StoreError)
    {
        try write { (notes) throws(SQLiteError) in
            let page = try underOurNames(page, &notes)
            try mergeAll(page, areNews: false, &notes)
            if try loadCursor(conversationID) == nil {
                try keep(cursor, of: conversationID)
                // Whatever is held below came without a cursor: between it and the page anything may be missing.
                try keepTail(page.messages.compactMap { ThreadKey($0) }.min(), of: conversationID)
            }
            notes.conversations.insert(conversationID)
        }
    }

    /// Keeps a page that continues below `key`, and moves up the lower end of the gap it fills.
    /// - Parameter page: The messages just below `key`; empty when nothing older exists.
    package func keepOlderPage(of conversationID: UUID, _ page: IncomingRows, below key: ThreadKey)
        throws(StoreError)
    {
        try write { (notes) throws(SQLiteError) in
            let page = try underOurNames(page, &notes)
            try mergeAll(page, areNews: false, &notes)
            let oldest = page.messages.compactMap { ThreadKey($0) }.min()
            // Only what joins the upper end fills a hole; a page further down leaves another above it.
            if let gap = try loadGap(conversationID), key >= gap.upper, oldest ?? .start < gap.upper {
                if let oldest, oldest > gap.lower {
                    try keepGap(upper: oldest, lower: gap.lower, of: conversationID)
                } else {
                    try dropGap(of: conversationID)
                }
                notes.gaps.insert(conversationID)
            }
            // As long as the newest page was not fetched, nothing is whole.
            if let tail = try loadTail(conversationID), tail.upper != .end, key >= tail.upper,
                oldest ?? .start < tail.upper
            {
                try keepTail(oldest, of: conversationID)
            }
            // One that stood alone until now is shown like the others.
            for message in page.messages where !buried.contains(message.id) {
                notes.touch(message: message.id, in: conversationID)
            }
            // What is unread may be counted here now, message by message.
            notes.conversations.insert(conversationID)
        }
    }

    /// Keeps the newest page of a conversation that is far behind. Everything between what was held and the page
    /// is a gap until the catch-up is complete.
    package func keepNewestPage(of conversationID: UUID, _ page: IncomingRows) throws(StoreError) {
        try write { (notes) throws(SQLiteError) in
            let page = try underOurNames(page, &notes)
            let held = try confirmedRows(in: conversationID, before: .end, limit: 1).first.flatMap {
                ThreadKey($0)
            }
            let lower = try loadGap(conversationID)?.lower ?? held
            if let lower, let upper = page.messages.compactMap({ ThreadKey($0) }).min(), upper > lower {
                try keepGap(upper: upper, lower: lower, of: conversationID)
                notes.gaps.insert(conversationID)
            }
            try mergeAll(page, areNews: true, &notes)
        }
    }

    /// Keeps changes on the way to a cursor that is not reached yet.
    package func keepChanges(of conversationID: UUID, _ rows: IncomingRows) throws(StoreError) {
        try write { (notes) throws(SQLiteError) in try mergeAll(rows, areNews: true, &notes) }
    }

    /// Keeps the last changes together with the cursor they reach: nothing up to it is missing any more.
    package func completeCatchUp(of conversationID: UUID, _ rows: IncomingRows, cursor: StoredCursor)
        throws(StoreError)
    {
        try write { (notes) throws(SQLiteError) in
            try mergeAll(rows, areNews: true, &notes)
            try keep(cursor, of: conversationID)
            if try loadGap(conversationID) != nil {
                try dropGap(of: conversationID)
                notes.gaps.insert(conversationID)
                notes.conversations.insert(conversationID)
            }
        }
    }

    /// Notes a gap under the first new message of each conversation in `unsure` that has held messages and no gap.
    func noteGaps(under messages: [Message], in unsure: Set<UUID>, _ notes: inout ChangeNotes)
        throws(SQLiteError)
    {
        for id in unsure where try loadCursor(id) != nil {
            guard try loadGap(id) == nil,
                let held = try confirmedRows(in: id, before: .end, limit: 1).first.flatMap({ ThreadKey($0) }),
                let upper = messages.filter({ $0.conversationID == id }).compactMap({ ThreadKey($0) }).min(),
                upper > held
            else { continue }
            try keepGap(upper: upper, lower: held, of: id)
            notes.gaps.insert(id)
        }
    }
}
