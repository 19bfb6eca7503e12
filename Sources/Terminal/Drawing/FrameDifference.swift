/// Where two frames of one width look different, row by row.
package struct FrameDifference {
    private let old: Frame
    private let new: Frame
    /// Whether the numbers in the old cells mean the same clusters and colours in the new.
    private let isNumberedAlike: Bool

    /// - Parameters: Frames of the same width.
    package init(from old: Frame, to new: Frame) {
        self.old = old
        self.new = new
        // A frame that was drawn on the other only has more of them.
        isNumberedAlike =
            (old.joined == new.joined || new.joined.starts(with: old.joined))
            && (old.tints == new.tints || new.tints.starts(with: old.tints))
    }

    /// The columns from the first that looks different to the last; `nil` when none does. No wide cluster lies
    /// across an edge of them, in neither frame.
    /// - Parameter row: One that both have.
    package func columns(inRow row: Int) -> Range<Int>? {
        // Rows that both share are equal without a look at them.
        if isNumberedAlike, old.rows[row] == new.rows[row] { return nil }
        return withCells(row) { old, new in
            var (start, end) = (0, new.count)
            if isNumberedAlike {
                while start < end, old[start] == new[start] { start += 1 }
                while start < end, old[end - 1] == new[end - 1] { end -= 1 }
            } else {
                while start < end, looksAlike(old[start], new[start]) { start += 1 }
                while start < end, looksAlike(old[end - 1], new[end - 1]) { end -= 1 }
            }
            guard start < end else { return nil }
            func isInside(_ cell: Int) -> Bool {
                old[cell].code == .continuation || new[cell].code == .continuation
            }
            while start > 0, isInside(start) { start -= 1 }
            while end < new.count, isInside(end) { end += 1 }
            return start..<end
        }
    }

    /// Whether every cluster in the columns takes one cell, in both frames.
    package func isNarrow(_ columns: Range<Int>, inRow row: Int) -> Bool {
        withCells(row) { old, new in
            columns.allSatisfy { old[$0].code.width == 1 && new[$0].code.width == 1 }
        }
    }

    private func looksAlike(_ one: Cell, _ two: Cell) -> Bool {
        one.role == two.role && one.ground == two.ground && old.tint(of: one) == new.tint(of: two)
            && old.cluster(of: one) == new.cluster(of: two)
    }

    private func withCells<Result>(
        _ row: Int, _ body: (_ old: UnsafeBufferPointer<Cell>, _ new: UnsafeBufferPointer<Cell>) -> Result
    ) -> Result {
        old.rows[row].withUnsafeBufferPointer { old in
            new.rows[row].withUnsafeBufferPointer { body(old, $0) }
        }
    }
}

extension Frame: Equatable {
    /// Same size, cursor, text, roles.
    package static func == (left: Frame, right: Frame) -> Bool {
        guard left.size == right.size, left.cursor == right.cursor else { return false }
        let difference = FrameDifference(from: left, to: right)
        return (0..<left.size.rows).allSatisfy { difference.columns(inRow: $0) == nil }
    }

    /// Whether a row looks as it does in another frame, which must be as wide and have it.
    package func showsRow(_ row: Int, as other: Frame) -> Bool {
        FrameDifference(from: other, to: self).columns(inRow: row) == nil
    }

    /// Reads printable ASCII of one look.
    /// - Parameters:
    ///   - columns: Of a row that is there.
    ///   - text: Gets what stands in the first of them, as far as it goes; empty when it begins with something else.
    package func readPlain(_ columns: Range<Int>, inRow row: Int, into text: inout [UInt8]) {
        text.removeAll(keepingCapacity: true)
        let cells = rows[row][columns]
        guard let look = cells.first?.look else { return }
        for cell in cells {
            guard cell.look == look, cell.tint == 0, let letter = cell.code.ascii else { return }
            text.append(letter)
        }
    }
}
