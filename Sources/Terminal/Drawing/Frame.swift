/// Everything on the screen at one moment: a value that is composed, compared and then painted.
///
/// Drawing outside it is clipped, so that a window of any size, also 1x1, is safe. A wide cluster is never
/// left half: what loses a cell becomes blank.
package struct Frame: Sendable {
    package let size: Size
    /// Where the terminal's cursor stands; `nil` hides it.
    package var cursor: Point?
    /// Each by itself: a frame that is drawn on another one shares with it the rows that stay.
    private(set) var rows: [[Cell]]
    /// The clusters of several scalars in it, by number.
    private(set) var joined: [Cluster] = []
    private var numbers: [Cluster: UInt32] = [:]
    /// The colours of the tiles in it; a cell has the number after its index here.
    private(set) var tints: [Tint] = []
    private var tintNumbers: [Tint: UInt16] = [:]

    /// So much was drawn that a new frame is better than this one drawn over.
    package var isCrowded: Bool { joined.count > 1_000 || tints.count > 16_000 }

    /// A blank screen. Sizes below 0 count as 0.
    package init(size: Size) {
        self.size = Size(columns: max(size.columns, 0), rows: max(size.rows, 0))
        let row = Array(repeating: Cell.blank, count: self.size.columns.cells)
        rows = Array(repeating: row, count: self.size.rows)
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
            var rest = span.text.clusters[...]
            while let cluster = rest.first {
                if column >= 0 {
                    let room = (end - column).cells
                    let count = putNarrow(rest.prefix(max(room, 0)), span.role, ground, column.cells, at.row)
                    column += Columns(count)
                    rest = rest.dropFirst(count)
                    if count > 0 { continue }
                }
                let next = column + cluster.width
                guard next <= end else {
                    fill(row: at.row, from: column, to: width == nil ? column : end, ground)
                    return
                }
                if column >= 0 { put(cluster, span.role, ground, column.cells, at.row) }
                column = next
                rest = rest.dropFirst()
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

    /// Draws one cluster of one cell.
    mutating func draw(_ narrow: Cluster, _ role: Role, at: Point) {
        guard at.row >= 0, at.row < size.rows, at.column >= 0, at.column < size.columns else { return }
        put(narrow, role, nil, at.column.cells, at.row)
    }

    /// Draws one row of a picture from `at` to the right.
    /// - Parameter width: The most columns to draw.
    package mutating func draw(_ mosaic: Mosaic, row: Int, at: Point, width: Columns) {
        guard at.row >= 0, at.row < size.rows else { return }
        let end = min(at.column + width, size.columns).cells
        for (column, tile) in zip(at.column.cells..., mosaic.tiles(inRow: row)) where column >= 0 {
            guard column < end else { return }
            release(column, at.row)
            let code = CellCode(single: Cluster(trusted: tile.scalar, cells: 1))
            rows[at.row][column] = Cell(code: code, role: .body, ground: nil, tint: number(of: tile.tint))
        }
    }

    /// - Returns: 0, the terminal's own colours, when there are more colours than numbers.
    private mutating func number(of tint: Tint) -> UInt16 {
        if let number = tintNumbers[tint] { return number }
        guard tints.count < UInt16.max else { return 0 }
        tints.append(tint)
        let number = UInt16(tints.count)
        tintNumbers[tint] = number
        return number
    }

    /// Blanks a rectangle.
    package mutating func fill(_ area: Area, _ role: Role = .body) {
        for row in max(area.origin.row, 0)..<max(min(area.endRow, size.rows), max(area.origin.row, 0)) {
            let ground: Role? = role == .body ? nil : role
            fill(row: row, from: area.origin.column, to: area.endColumn, ground)
        }
    }

    private mutating func fill(row: Int, from: Columns, to: Columns, _ ground: Role?) {
        let (start, end) = (max(from, 0).cells, min(to, size.columns).cells)
        guard start < end else { return }
        // Of wide clusters only those across an edge lose a cell that stays.
        release(start, row)
        release(end - 1, row)
        let blank = Cell(code: .blank, role: .body, ground: ground)
        rows[row].withUnsafeMutableBufferPointer { cells in
            cells[start..<end].update(repeating: blank)
        }
    }

    /// Draws clusters of one scalar and one cell as far as they lie over cells of that kind: nearly all do.
    /// - Returns: How many were drawn. The next one, if there is one, needs `put`.
    private mutating func putNarrow(
        _ clusters: ArraySlice<Cluster>, _ role: Role, _ ground: Role?, _ column: Int, _ row: Int
    ) -> Int {
        var place = column
        rows[row].withUnsafeMutableBufferPointer { cells in
            for cluster in clusters {
                guard cluster.cells == 1, cluster.scalar != 0, cells[place].code.width == 1 else { return }
                cells[place] = Cell(code: CellCode(single: cluster), role: role, ground: ground)
                place += 1
            }
        }
        return place - column
    }

    private mutating func put(_ cluster: Cluster, _ role: Role, _ ground: Role?, _ column: Int, _ row: Int) {
        let width = Int(cluster.cells)
        release(column, row)
        if width > 1 { for offset in 1..<width { release(column + offset, row) } }
        rows[row][column] = Cell(code: code(of: cluster), role: role, ground: ground)
        guard width > 1 else { return }
        for offset in 1..<width {
            rows[row][column + offset] = Cell(code: .continuation, role: role, ground: ground)
        }
    }

    /// Blanks the rest of a wide cluster one of whose cells is about to be drawn over.
    private mutating func release(_ column: Int, _ row: Int) {
        let code = rows[row][column].code
        guard code == .continuation || code.width > 1 else { return }
        rows[row].withUnsafeMutableBufferPointer { cells in
            var place = column
            while place > 0, cells[place].code == .continuation { place -= 1 }
            repeat {
                cells[place].code = .blank
                place += 1
            } while place < cells.count && cells[place].code == .continuation
        }
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

extension Frame {
    /// What stands in a cell; `nil` in the second and later cells of a wide cluster.
    package func cluster(of cell: Cell) -> Cluster? {
        if let number = cell.code.number { return joined[number] }
        return cell.code.cluster
    }

    /// The colours of a picture's cell; `nil` for any other.
    package func tint(of cell: Cell) -> Tint? { cell.tint == 0 ? nil : tints[Int(cell.tint) - 1] }

    /// The tile that a picture's cell shows; `nil` for any other.
    package func tile(of cell: Cell) -> Tile? {
        guard let tint = tint(of: cell), let scalar = cell.code.scalar else { return nil }
        return Tile(scalar, tint)
    }
}
