import Terminal
import ViewModels

extension Frame {
    /// Draws a popup in the middle of the screen, as large as its lines need and the screen allows.
    /// - Returns: Where the lines stand.
    @discardableResult
    mutating func popup(
        _ lines: [Line], title: String, footer: Line = .empty, width: Columns, glyphs: Glyphs
    ) -> Area {
        let outer = Size(columns: min(width + 4, size.columns), rows: min(lines.count + 2, size.rows))
        let origin = Point(
            column: (size.columns - outer.columns) / 2, row: max((size.rows - outer.rows) / 2, 0))
        let area = Area(origin: origin, size: outer)
        fill(area, .popup)
        box(area, glyphs.box, .borderFocused, title: Line(title, .heading), footer: footer)
        var inner = area.inset
        inner.origin.column = inner.origin.column + 1
        inner.size.columns = max(inner.size.columns - 2, 0)
        for (row, line) in lines.prefix(inner.size.rows).enumerated() {
            let at = Point(column: inner.origin.column, row: inner.origin.row + row)
            draw(line.truncated(to: inner.size.columns), at: at, width: inner.size.columns, on: .popup)
        }
        cursor = nil
        return inner
    }
}

extension Screen {
    func drawConfirm(_ state: ConfirmViewModel.State, into frame: inout Frame) {
        let width = min(max(size.columns - 8, 12), 56)
        var lines = wrap(state.question, to: width).map { Line($0, .heading) }
        if let detail = state.detail {
            lines += [.empty] + wrap(detail, to: width).map { Line($0, .body) }
        }
        lines.append(.empty)
        var buttons: [Span] = []
        for (place, answer) in state.answers.enumerated() {
            let isSelected = place == state.selected
            let text = isSelected ? "[ \(answer) ]" : "  \(answer)  "
            buttons += [Span(text, isSelected ? .buttonFocused : .button), .blank(2)]
        }
        lines.append(Line(buttons))
        frame.popup(lines, title: "", width: width, glyphs: style.glyphs)
    }
}
