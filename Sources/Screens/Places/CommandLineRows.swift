import Terminal
import ViewModels

/// The command line in the last row, and what Tab has to offer above it.
extension Screen {
    func drawCommandLine(
        _ state: CommandLineViewModel.State, _ layout: PaneLayout, into frame: inout Frame
    ) {
        guard let row = layout.bottom else { return }
        let field = fieldLine(
            Line(" \(state.prompt)", .key), state.text, width: max(size.columns - 1, 1))
        let hints = state.hints.filter { $0 != state.text.text }.prefix(8).joined(separator: "  ")
        let line = field.line + Line("  \(hints)", .dim)
        frame.draw(line.truncated(to: size.columns), at: Point(column: 0, row: row), width: size.columns)
        if let menu = state.menu { draw(menu, above: row, into: &frame) }
        frame.cursor = Point(column: min(field.cursor, size.columns - 1), row: row)
    }

    /// The candidates around the chosen one, in a frame that stands on the line.
    private func draw(_ menu: CompletionMenu, above row: Int, into frame: inout Frame) {
        let fitting = min(max(row / 2 - 2, 1), 8)
        var rows = visible(menu.candidates, selected: menu.selected ?? 0, fitting: fitting).map {
            place, candidate in
            choiceRow(Line(candidate.label, .body), isSelected: place == menu.selected)
        }
        if rows.isEmpty { rows = [PopupRow(Line("Nothing begins like this.", .dim))] }
        let hidden = menu.total > rows.count
        let place = menu.selected.map { "\($0 + 1) of " } ?? ""
        let footer = hidden ? Line("\(place)\(menu.total)", .dim) : .empty
        let widest = max(rows.map(\.line.width).max() ?? 0, footer.width + 2)
        let outer = Size(columns: min(widest + 4, size.columns), rows: rows.count + 2)
        guard outer.rows <= row else { return }
        let area = Area(origin: Point(column: 0, row: row - outer.rows), size: outer)
        for row in area.origin.row..<area.endRow {
            frame.draw(.empty, at: Point(column: 0, row: row), width: outer.columns, on: .popup)
        }
        frame.box(area, style.glyphs.box, .borderFocused, title: .empty, footer: footer)
        let room = max(outer.columns - 3, 0)
        for (offset, content) in rows.enumerated() {
            let line = Line([.blank(1)] + content.line.truncated(to: room - 1).spans)
            frame.draw(
                line, at: Point(column: 1, row: area.origin.row + 1 + offset), width: outer.columns - 2,
                on: content.isSelected ? .selected : .popup)
        }
    }
}
