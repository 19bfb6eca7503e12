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

    /// The candidates around the chosen one, over the lowest rows of the panes.
    private func draw(_ menu: CompletionMenu, above row: Int, into frame: inout Frame) {
        let fitting = min(max(row / 2 - 1, 1), 8)
        var lines = visible(menu.candidates, selected: menu.selected ?? 0, fitting: fitting).map {
            place, candidate in
            choiceRow(Line(candidate.label, .body), isSelected: place == menu.selected)
        }
        if menu.total == 0 {
            lines.append(PopupRow(Line("  Nothing begins like this.", .dim)))
        } else if menu.total > lines.count {
            lines.append(PopupRow(Line("  \(style.glyphs.more) \(menu.total) in all", .dim)))
        }
        let widest = lines.map(\.line.width).max() ?? 0
        let width = min(widest + 2, size.columns)
        for (offset, line) in lines.enumerated() where row - lines.count + offset > 0 {
            frame.draw(
                line.line.truncated(to: width), at: Point(column: 0, row: row - lines.count + offset),
                width: width, on: line.isSelected ? .selected : .popup)
        }
    }
}
