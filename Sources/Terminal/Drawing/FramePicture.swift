extension Frame {
    /// The rows as text for a test to compare: a wide cluster once, blanks at the end of a row left out.
    package var picture: String {
        (0..<size.rows).map(text(row:)).joined(separator: "\n")
    }

    /// A row's text without the blanks at its end; empty outside the frame.
    package func text(row: Int) -> String {
        guard row >= 0, row < size.rows else { return "" }
        var text = ""
        var blanks = 0
        for cell in self[row: row] {
            guard let cluster = cluster(of: cell) else { continue }
            guard !cluster.isSpace else {
                blanks += 1
                continue
            }
            text += String(repeating: " ", count: blanks) + cluster.text
            blanks = 0
        }
        return text
    }

    /// The role of the cell at `point`; `nil` outside the frame.
    package func role(at point: Point) -> Role? { cell(at: point)?.role }

    /// The role whose background lies under the cell at `point`; `nil` without one or outside the frame.
    package func ground(at point: Point) -> Role? { cell(at: point)?.ground }

    /// The colours of the picture's cell at `point`; `nil` outside the frame and where no picture is.
    package func tint(at point: Point) -> Tint? { cell(at: point).flatMap(tint(of:)) }

    /// The cells of a row from left to right. The row must be in the frame.
    package subscript(row row: Int) -> [Cell] {
        rows[row]
    }

    private func cell(at point: Point) -> Cell? {
        guard point.row >= 0, point.row < size.rows, point.column >= 0, point.column < size.columns else {
            return nil
        }
        return rows[point.row][point.column.cells]
    }
}
