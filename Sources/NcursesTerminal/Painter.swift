import CNcurses
import Glibc
import Terminal

/// Paints frames through ncurses and hands out the bytes that change the terminal accordingly.
///
/// ncurses writes into a file in memory that is read after each frame. Not into a pipe: a frame larger than
/// the pipe, or a system that grants only a small one, would stop the main actor for ever.
@MainActor final class Painter {
    private let output: Int32
    var placeholders = Placeholders()
    var tiles = TilePlaceholders()
    var styles: ResolvedStyles
    /// Only ASCII reaches the terminal.
    let isASCII: Bool
    private var painted: Frame?
    private var theme: Theme?
    var size: Size
    private var mustRepaint = true
    /// ncurses reaches the last cell by shifting the one before it, which must then be an ordinary one.
    let shiftsCorner: Bool

    /// - Parameters:
    ///   - name: A description that is known.
    ///   - onlyASCII: The terminal reads no UTF-8.
    init(
        name: String, size: Size, onlyASCII: Bool, depth: (Int) -> ColorDepth
    ) throws(TerminalError) {
        let output = pl_frame_file()
        guard output >= 0 else { throw .noScreen }
        let canUTF8 = pl_use_utf8()
        guard pl_open(name, output, Int32(size.rows), Int32(size.columns.cells)) else {
            Glibc.close(output)
            throw .noScreen
        }
        self.output = output
        self.size = size
        isASCII = onlyASCII || !canUTF8 || mustWrap()
        shiftsCorner = pl_string("rmam") == nil
        styles = ResolvedStyles(depth: depth(Int(pl_color_count())))
        _ = takeOutput()  // ncurses enters the screen in its own way; `ModeSequences` does it in ours
    }

    /// How many colours it shows.
    var depth: ColorDepth { styles.depth }

    /// Ends ncurses. Nothing may be painted afterwards.
    func close() {
        pl_close()
        Glibc.close(output)
    }

    /// The next frame is painted whole, at this size.
    func repaint(at size: Size) {
        if size != self.size { pl_resize(Int32(size.rows), Int32(size.columns.cells)) }
        self.size = size
        mustRepaint = true
    }

    /// - Returns: The bytes for the terminal; empty when nothing changed.
    func paint(_ frame: Frame, theme: Theme) -> [UInt8] {
        if placeholders.isCrowded || tiles.isCrowded { mustRepaint = true }
        if mustRepaint {
            placeholders.removeAll()
            tiles.removeAll()
            pl_forget_screen()
        }
        styles.use(theme)
        putRows(of: frame, over: mustRepaint || theme != self.theme ? nil : painted)
        if let cursor = frame.cursor, cursor.row < size.rows, cursor.column < size.columns {
            pl_show_cursor(Int32(max(cursor.row, 0)), Int32(max(cursor.column.cells, 0)))
        } else {
            pl_hide_cursor()
        }
        var bytes = mustRepaint ? ModeSequences.wholeScrollRegion : []
        bytes += flush(frame)
        (painted, self.theme, mustRepaint) = (frame, theme, false)
        return bytes
    }

    private func flush(_ frame: Frame) -> [UInt8] {
        pl_flush()
        let filter = OutputFilter(
            placeholders: placeholders, tiles: tiles, colors: styles.slots, keepsAutowrap: mustWrap())
        let first = filter.run(takeOutput())
        guard !first.covering.isEmpty else { return first.bytes }
        // A terminal that drew one of these too wide has covered its neighbours, which ncurses thinks are
        // there. Painting the row once more from left to right puts them on top.
        for row in 0..<min(frame.size.rows, size.rows) {
            let covers = frame[row: row].contains { cell in
                !cell.code.isTrusted && frame.cluster(of: cell).map(first.covering.contains) == true
            }
            if covers { pl_forget_row(Int32(row)) }
        }
        pl_flush()
        return first.bytes + filter.run(takeOutput()).bytes
    }

    private func takeOutput() -> [UInt8] {
        let length = lseek(output, 0, SEEK_CUR)
        guard length > 0 else { return [] }
        let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            count = max(pread(output, buffer.baseAddress, length, 0), 0)
        }
        lseek(output, 0, SEEK_SET)
        return bytes
    }
}

/// The open terminal moves to the next row right after the last column, and ncurses counts on it.
///
/// Terminals of today wait for another character. These are too old to know UTF-8, and a cluster that one of
/// them drew too wide at the edge would end up in the next row: they get ASCII, and autowrap stays on.
@MainActor func mustWrap() -> Bool { pl_flag("am") && !pl_flag("xenl") }
