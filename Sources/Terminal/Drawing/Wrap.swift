/// Breaks text into rows of at most `room` columns.
///
/// Breaks between words; a word longer than a row is broken between clusters, never inside one; CJK text
/// breaks between any two characters, not before closing and after opening punctuation. The blanks at a break
/// are dropped, the indent of a line is kept, and every line break of the text is honoured.
/// - Parameter room: Below 1 counts as 1. A cluster wider than the room gets a row of its own.
/// - Returns: Never empty; an empty text is one empty row.
package func wrap(_ text: String, to room: Columns) -> [CleanText] {
    CleanText.lines(text).flatMap { wrap($0, to: room) }
}

/// Breaks one line into rows of at most `room` columns, by the same rules.
package func wrap(_ line: CleanText, to room: Columns) -> [CleanText] {
    let room = max(room, 1)
    guard line.width > room else { return [line] }
    var breaker = LineBreaker(clusters: line.clusters, room: room.cells)
    return breaker.rows()
}

/// Greedy: each row takes as much as fits up to the last allowed break.
private struct LineBreaker {
    let clusters: [Cluster]
    let room: Int
    var start = 0

    mutating func rows() -> [CleanText] {
        var rows: [CleanText] = []
        while start < clusters.count {
            let end = rowEnd()
            rows.append(CleanText(clusters[start..<trimmedEnd(end, isFirst: rows.isEmpty)]))
            start = end
            while start < clusters.count, clusters[start].isSpace { start += 1 }
        }
        return rows.isEmpty ? [.empty] : rows
    }

    /// Where the row that begins at `start` ends; blanks at its end included.
    private func rowEnd() -> Int {
        var used = 0
        var index = start
        var lastBreak = start
        var sawText = false
        while index < clusters.count {
            let cluster = clusters[index]
            if sawText, index > start, canBreak(before: index) { lastBreak = index }
            used += Int(cluster.cells)
            if used > room {
                if cluster.isSpace, sawText { return index }
                if lastBreak > start { return lastBreak }
                return max(index, start + 1)
            }
            sawText = sawText || !cluster.isSpace
            index += 1
        }
        return clusters.count
    }

    private func canBreak(before index: Int) -> Bool {
        let left = clusters[index - 1]
        let right = clusters[index]
        if right.isSpace { return false }
        if left.isSpace { return true }
        guard left.breaksAnywhere || right.breaksAnywhere else { return false }
        return !right.closes && !left.opens
    }

    private func trimmedEnd(_ end: Int, isFirst: Bool) -> Int {
        var end = end
        while end > start, clusters[end - 1].isSpace { end -= 1 }
        return end
    }
}

extension Cluster {
    /// Ideographs, kana and emoji are words by themselves. (Hangul has spaces between its words.)
    fileprivate var breaksAnywhere: Bool {
        guard cells == 2 else { return false }
        return !(scalar >= 0xAC00 && scalar <= 0xD7A3)
    }

    /// Must not begin a row.
    fileprivate var closes: Bool {
        guard let character = text.first else { return false }
        return "、。，．・：；！？）］｝」』】〉》〕…‥ー々!?),.;:]}%".contains(character)
    }

    /// Must not end a row.
    fileprivate var opens: Bool {
        guard let character = text.first else { return false }
        return "（［｛「『【〈《〔([{".contains(character)
    }
}
