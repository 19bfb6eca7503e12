/// Everything on the screen at one moment: a value that is composed, compared and then painted.
///
/// Drawing outside it is clipped, so that a window of any size, also 1x1, is safe. A wide cluster is never
/// left half: what loses a cell becomes blank.
package struct Frame: Sendable {
    package let size: Size
    /// Where the terminal's cursor stands; `nil` hides it.
    package var cursor: Point?
    private(set) var cells: [Cell]
    /// The clusters of several scalars in it, by number.
    private(set) var joined: [Cluster] = []
    private var numbers: [Cluster: UInt32] = [:]

    /// A blank screen. Sizes below 0 count as 0.
    package init(size: Size) {
        self.size = Size(columns: max(size.columns, 0), rows: max(size.rows, 0))
        cells = Array(repeating: .blank, count: self.size.columns.cells * self.size.rows)
    }

    /// Draws from `at` to the right; what does not fit into `width` or the frame is cut without a mark.
    ///
    /// - Parameters:
    ///   - width: The rest of it is blanked; `nil` leaves what is right of the line as it is.
    ///   - ground: A role whose background and attributes lie under the line's own, such as `.selected`.
    package mutating func draw(_ line: Line, at: Point, width: Columns? = nil, on ground: Role? = nil) {
        guard at.row >= 0, at.row < size.rows else { return }
        let end = min(width.map { at.column + $0 } ?? size.columns, size.columns)
        var column = at.column
        for span in line.spans {
            for cluster in span.text.clusters {
                let next = column + cluster.width
                guard next <= end else {
                    fill(row: at.row, from: column, to: width == nil ? column : end, ground)
                    return
                }
                if column >= 0 { put(cluster, span.role, ground, column.cells, at.row) }
                column = next
            }
        }
        if width != nil { fill(row: at.row, from: column, to: end, ground) }
    }

    /// Draws one line below the other from `at` down.
    package mutating func draw(
        _ lines: some Sequence<Line>, at: Point, width: Columns, on ground: Role? = nil
    ) {
        for (offset, line) in lines.enumerated() {
            draw(line, at: Point(column: at.column, row: at.row + offset), width: width, on: ground)
        }
    }

    /// Blanks a rectangle.
    package mutating func fill(_ area: Area, _ role: Role = .body) {
        for row in max(area.origin.row, 0)..<max(min(area.endRow, size.rows), max(area.origin.row, 0)) {
            let ground: Role? = role == .body ? nil : role
            fill(row: row, from: area.origin.column, to: area.endColumn, ground)
        }
    }

    private mutating func fill(row: Int, from: Columns, to: Columns, _ ground: Role?) {
        var column = max(from, 0).cells
        let end = min(to, size.columns).cells
        while column < end {
            put(.space, .body, ground, column, row)
            column += 1
        }
    }

    private mutating func put(_ cluster: Cluster, _ role: Role, _ ground: Role?, _ column: Int, _ row: Int) {
        let width = Int(cluster.cells)
        let start = row * size.columns.cells + column
        release(column, row)
        if width > 1 { for offset in 1..<width { release(column + offset, row) } }
        cells[start] = Cell(code: code(of: cluster), role: role, ground: ground)
        guard width > 1 else { return }
        for offset in 1..<width {
            cells[start + offset] = Cell(code: .continuation, role: role, ground: ground)
        }
    }

    /// Blanks the rest of a wide cluster one of whose cells is about to be drawn over.
    private mutating func release(_ column: Int, _ row: Int) {
        let first = row * size.columns.cells
        let end = first + size.columns.cells
        var start = first + column
        guard cells[start].code == .continuation || cells[start].code.width > 1 else { return }
        while start > first, cells[start].code == .continuation {
            start -= 1
        }
        repeat {
            cells[start].code = .blank
            start += 1
        } while start < end && cells[start].code == .continuation
    }

    private mutating func code(of cluster: Cluster) -> CellCode {
        guard cluster.scalar == 0 else { return CellCode(single: cluster) }
        if let number = numbers[cluster] { return CellCode(joined: number, cells: cluster.cells) }
        let number = UInt32(joined.count)
        joined.append(cluster)
        numbers[cluster] = number
        return CellCode(joined: number, cells: cluster.cells)
    }
}

extension Frame: Equatable {
    /// Same size, cursor, text, roles.
    package static func == (left: Frame, right: Frame) -> Bool {
        guard left.size == right.size, left.cursor == right.cursor else { return false }
        if left.joined == right.joined { return left.cells == right.cells }
        return left.cells.indices.allSatisfy { index in
            let (one, other) = (left.cells[index], right.cells[index])
            return one.role == other.role && one.ground == other.ground
                && left.cluster(of: one) == right.cluster(of: other)
        }
    }

    /// What stands in a cell; `nil` in the second and later cells of a wide cluster.
    package func cluster(of cell: Cell) -> Cluster? {
        if let number = cell.code.number { return joined[number] }
        return cell.code.cluster
    }
}
