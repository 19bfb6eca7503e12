import Terminal

/// The most cells a picture of the thread may take.
package struct PictureRoom: Hashable, Sendable {
    package let columns: Columns
    package let rows: Int

    /// In fewer cells nothing could be recognised.
    private static let least = Size(columns: 8, rows: 4)
    private static let most = Size(columns: 96, rows: 28)

    /// - Parameters:
    ///   - columns: Beside the sender's name.
    ///   - threadRows: Those the thread has at most. A third is for one picture.
    /// - Returns: `nil` when that is too little.
    package init?(columns: Columns, threadRows: Int) {
        self.columns = min(columns, Self.most.columns)
        rows = min(threadRows / 3, Self.most.rows)
        guard self.columns >= Self.least.columns, rows >= Self.least.rows else { return nil }
    }

    /// How large a picture is drawn: as large as there is room, of its own shape, and never with more cells than it
    /// has pixels for. A cell is twice as high as wide.
    /// - Parameters:
    ///   - width: Pixels; less than 1 counts as 1.
    ///   - height: The same.
    package func size(width: Int, height: Int) -> Size {
        let (width, height) = (Double(max(width, 1)), Double(max(height, 1)))
        let scale = min(Double(columns.cells) / width, Double(rows * 2) / height, 1)
        return Size(
            columns: Columns(min(max(Int((width * scale).rounded()), 1), columns.cells)),
            rows: min(max(Int((height * scale / 2).rounded()), 1), rows))
    }
}
