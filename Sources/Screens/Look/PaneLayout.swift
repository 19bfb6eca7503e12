import Terminal
import ViewModels

/// Where everything stands on a screen of some size.
struct PaneLayout: Hashable {
    var title: Int
    /// The row of the banner, while there is one.
    var banner: Int?
    var list: Area?
    var thread: Area?
    /// The first row for a notice or the command line, while there is one.
    var bottom: Int?
    /// Panes have frames; on a low screen every row counts, and they have none.
    var isFramed: Bool

    static let smallest = Size(columns: 20, rows: 5)
    /// From here on both panes are shown.
    static let twoPanesFrom: Columns = 60
    static let framedFrom = 10

    /// - Parameter bottomRows: Of a notice or the command line; 0 without one.
    /// - Returns: `nil` for a screen that is too small.
    init?(
        size: Size, focus: Focus, hasThread: Bool, isListHidden: Bool, hasBanner: Bool, bottomRows: Int
    ) {
        guard size.columns >= Self.smallest.columns, size.rows >= Self.smallest.rows else { return nil }
        title = 0
        banner = hasBanner ? 1 : nil
        bottom = bottomRows > 0 ? size.rows - bottomRows : nil
        isFramed = size.rows >= Self.framedFrom
        let top = hasBanner ? 2 : 1
        let rows = size.rows - top - bottomRows
        let area = { (column: Columns, width: Columns) in
            Area(origin: Point(column: column, row: top), size: Size(columns: width, rows: rows))
        }
        let whole = area(0, size.columns)
        guard size.columns >= Self.twoPanesFrom else {
            if focus == .list || !hasThread { list = whole } else { thread = whole }
            return
        }
        guard !isListHidden || !hasThread || focus == .list else {
            thread = whole
            return
        }
        let width = Self.listWidth(size.columns)
        list = area(0, width)
        thread = area(width, size.columns - width)
    }

    /// About a third, so that a name and a time have room and the thread has more.
    static func listWidth(_ columns: Columns) -> Columns { min(max(columns / 3, 24), 38) }

    /// What a pane can draw into: inside its frame, or below its heading.
    func content(of area: Area) -> Area {
        guard !isFramed else { return area.inset }
        return Area(
            origin: Point(column: area.origin.column, row: area.origin.row + 1),
            size: Size(columns: area.size.columns, rows: max(area.size.rows - 1, 0)))
    }
}

extension Frame {
    /// Draws a pane's frame, or its heading where there are no frames.
    mutating func pane(
        _ area: Area, title: Line, footer: Line = .empty, isFocused: Bool, _ layout: PaneLayout,
        _ glyphs: Glyphs
    ) {
        let role: Role = isFocused ? .borderFocused : .border
        if layout.isFramed {
            box(area, glyphs.box, role, title: title, footer: footer)
        } else {
            draw(Line([.blank(1)] + title.spans), at: area.origin, width: area.size.columns)
        }
    }
}
