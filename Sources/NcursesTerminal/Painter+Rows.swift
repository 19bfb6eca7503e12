import CNcurses
import Terminal

/// Hands the rows of a frame to ncurses.
extension Painter {
    /// - Parameter painted: What ncurses has; only what looks different from it is handed over. `nil`: every row.
    func putRows(of frame: Frame, over painted: Frame?) {
        guard let painted, painted.size == frame.size, frame.size == size else {
            for row in 0..<min(frame.size.rows, size.rows) { putRow(row, of: frame) }
            return
        }
        let difference = FrameDifference(from: painted, to: frame)
        for row in 0..<frame.size.rows {
            guard let columns = difference.columns(inRow: row) else { continue }
            // Where a wide character comes or goes ncurses blanks its neighbours; a whole row leaves it none.
            let isPart = difference.isNarrow(columns, inRow: row) && !(shiftsCorner && row == size.rows - 1)
            if isPart { putPart(columns, ofRow: row, of: frame) } else { putRow(row, of: frame) }
        }
    }

    /// Puts cells of one column each in the place of others of one column.
    private func putPart(_ columns: Range<Int>, ofRow row: Int, of frame: Frame) {
        var text: [UInt8] = []
        text.reserveCapacity(columns.count)
        var start = columns.lowerBound
        while start < columns.upperBound {
            let cell = frame[row: row][start]
            frame.readPlain(start..<columns.upperBound, inRow: row, into: &text)
            if text.isEmpty {
                put([cell][...], of: frame, row: row, column: start)
                start += 1
            } else {
                let look = styles.look(.init(role: cell.role, ground: cell.ground))
                pl_put_ascii(
                    Int32(row), Int32(start), text, Int32(text.count), look.pair, look.attributes)
                start += text.count
            }
        }
    }

    private func putRow(_ row: Int, of frame: Frame) {
        put(frame[row: row].prefix(size.columns.cells), of: frame, row: row, column: 0)
    }

    private func put(_ frameCells: ArraySlice<Cell>, of frame: Frame, row: Int, column: Int) {
        var cells: [pl_cell] = []
        cells.reserveCapacity(frameCells.count)
        var lookOfLast = Cell.blank.look
        var look = styles.look(.init(role: Cell.blank.role, ground: Cell.blank.ground))
        for cell in frameCells {
            if cell.tint != 0, let scalar = placeholder(of: cell, in: frame) {
                cells.append(pl_cell(scalar: scalar, pair: 0, attributes: 0))
                continue
            }
            if cell.look != lookOfLast {
                lookOfLast = cell.look
                look = styles.look(.init(role: cell.role, ground: cell.ground))
            }
            append(cell, look, of: frame, to: &cells)
        }
        if shiftsCorner, row == size.rows - 1 { plainCorner(&cells) }
        pl_put(Int32(row), Int32(column), cells, Int32(cells.count))
    }

    /// Stands for a picture's cell; `nil` where nothing can, and the cell is drawn like any other.
    private func placeholder(of cell: Cell, in frame: Frame) -> UInt32? {
        guard !isASCII, styles.depth > .none else { return nil }
        return frame.tile(of: cell).flatMap { tiles.scalar(for: $0.reduced(to: styles.depth)) }
    }

    private func append(
        _ cell: Cell, _ look: ResolvedStyles.Look, of frame: Frame, to cells: inout [pl_cell]
    ) {
        guard cell.code != .continuation else { return }
        func add(_ scalar: UInt32) {
            cells.append(pl_cell(scalar: scalar, pair: look.pair, attributes: look.attributes))
        }
        let width = cell.code.width
        if cell.code.isTrusted, let scalar = cell.code.scalar {
            if scalar.isASCII { return add(scalar.value) }
            // A C library older than the letter would give it no width.
            if !isASCII, Int(pl_width(scalar.value)) == width { return add(scalar.value) }
        }
        guard let cluster = frame.cluster(of: cell) else { return }
        if !isASCII, let first = placeholders.scalar(for: cluster) {
            for offset in 0..<UInt32(width) { add(first + offset) }
        } else {
            for byte in cluster.ascii { add(UInt32(byte)) }
        }
    }

    private func plainCorner(_ cells: inout [pl_cell]) {
        var start = max(cells.count - 2 * Int(Placeholders.stride), 0)
        // A cluster goes whole or stays whole.
        while start > 0, Placeholders.isFurther(cells[start].scalar) { start -= 1 }
        for index in start..<cells.count where Placeholders.contains(cells[index].scalar) {
            cells[index].scalar = 0x20
        }
    }
}
