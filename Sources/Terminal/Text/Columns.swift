/// A distance across the screen in character cells. Never a count of characters or bytes.
package struct Columns: Hashable, Sendable, Comparable, ExpressibleByIntegerLiteral, AdditiveArithmetic {
    /// The number of cells; may be negative in the middle of a calculation.
    package var cells: Int

    package init(_ cells: Int) { self.cells = cells }
    package init(integerLiteral value: Int) { cells = value }

    package static var zero: Columns { Columns(0) }
    package static func < (left: Columns, right: Columns) -> Bool { left.cells < right.cells }
    package static func + (left: Columns, right: Columns) -> Columns { Columns(left.cells + right.cells) }
    package static func - (left: Columns, right: Columns) -> Columns { Columns(left.cells - right.cells) }
    package static func * (left: Columns, factor: Int) -> Columns { Columns(left.cells * factor) }
    /// Rounds toward zero. A divisor below 1 counts as 1.
    package static func / (left: Columns, divisor: Int) -> Columns { Columns(left.cells / max(divisor, 1)) }
}

/// The room of a screen or of a part of it.
package struct Size: Hashable, Sendable {
    package var columns: Columns
    package var rows: Int

    package init(columns: Columns, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

/// A cell's place: column and row from the top left corner, which is 0, 0.
package struct Point: Hashable, Sendable {
    package var column: Columns
    package var row: Int

    package init(column: Columns, row: Int) {
        self.column = column
        self.row = row
    }

    package static let origin = Point(column: 0, row: 0)
}
