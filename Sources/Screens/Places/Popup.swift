import Terminal
import ViewModels

/// One row of a popup.
struct PopupRow: Hashable {
    var line: Line
    var isSelected = false

    init(_ line: Line, isSelected: Bool = false) {
        self.line = line
        self.isSelected = isSelected
    }

    static let empty = PopupRow(.empty)
}

extension Frame {
    /// Draws a popup in the middle of the screen, as large as its rows need and the screen allows.
    /// - Parameters:
    ///   - width: For the rows; the frame and a blank at each side come on top.
    ///   - cursor: Where the cursor stands, by row and column of the rows; `nil` hides it.
    mutating func popup(
        _ rows: [PopupRow], title: String, footer: Line = .empty, width: Columns, glyphs: Glyphs,
        cursor: Point? = nil
    ) {
        let outer = Size(columns: min(width + 4, size.columns), rows: min(rows.count + 2, size.rows))
        let origin = Point(
            column: (size.columns - outer.columns) / 2, row: max((size.rows - outer.rows) / 2, 0))
        let area = Area(origin: origin, size: outer)
        for row in origin.row..<area.endRow {
            draw(.empty, at: Point(column: origin.column, row: row), width: outer.columns, on: .popup)
        }
        box(area, glyphs.box, .borderFocused, title: Line(title, .heading), footer: footer)
        let inner = area.inset
        for (row, content) in rows.prefix(inner.size.rows).enumerated() {
            let room = max(inner.size.columns - 2, 0)
            let line = Line([.blank(1)] + content.line.truncated(to: room).spans)
            draw(
                line, at: Point(column: inner.origin.column, row: inner.origin.row + row),
                width: inner.size.columns, on: content.isSelected ? .selected : .popup)
        }
        guard let cursor, cursor.row < inner.size.rows else {
            self.cursor = nil
            return
        }
        self.cursor = Point(
            column: min(inner.origin.column + 1 + cursor.column, area.endColumn - 1),
            row: inner.origin.row + cursor.row)
    }
}

extension Screen {
    /// The width of a popup that would like to be this wide.
    func popupWidth(_ wanted: Columns) -> Columns { min(max(size.columns - 8, 4), wanted) }

    /// A row that can be selected; the bar says so without colour.
    func choiceRow(_ line: Line, isSelected: Bool) -> PopupRow {
        let mark = Span(isSelected ? "\(style.glyphs.bar) " : "  ", .brand)
        return PopupRow(Line([mark] + line.spans), isSelected: isSelected)
    }

    /// A text field's row; what does not fit is cut at the left, so that the cursor stays in sight.
    /// - Returns: The line, and the cursor's column in it.
    func fieldLine(
        _ label: Line, _ text: TextBuffer, width: Columns, isSecret: Bool = false
    ) -> (line: Line, cursor: Columns) {
        let shown =
            isSecret ? TextBuffer(String(repeating: "*", count: text.characters.count)) : text
        let room = max(width - label.width - 1, 1)
        let before = CleanText(String(shown.characters[..<min(text.cursor, shown.characters.count)]))
        let after = CleanText(String(shown.characters[min(text.cursor, shown.characters.count)...]))
        let left = before.suffix(fitting: room)
        let right = after.prefix(fitting: max(room - left.width, 0))
        return (
            Line(label.spans + [Span(left, .input), Span(right, .input)]), label.width + left.width
        )
    }

    /// Some words of trouble, wrapped.
    func troubleRows(_ copy: (what: String, next: String)?, width: Columns) -> [PopupRow] {
        guard let copy else { return [] }
        let what = wrap(copy.what, to: width).map { PopupRow(Line($0, .error)) }
        let next = wrap(copy.next, to: width).map { PopupRow(Line($0, .body)) }
        return [.empty] + what + next
    }

    /// `Enter choose · Esc never mind`
    func keyHints(_ context: KeyContext, _ actions: [(Action, String)]) -> Line {
        var spans: [Span] = []
        for (action, word) in actions {
            guard let key = keys[context].name(of: action) else { continue }
            if !spans.isEmpty { spans.append(Span(" \(style.glyphs.dot) ", .dim)) }
            spans += [Span(key, .key), Span(" \(word)", .dim)]
        }
        return Line(spans)
    }

    func drawConfirm(_ state: ConfirmViewModel.State, into frame: inout Frame) {
        let width = popupWidth(56)
        var rows = wrap(state.question, to: width).map { PopupRow(Line($0, .heading)) }
        if let detail = state.detail {
            rows += [.empty] + wrap(detail, to: width).map { PopupRow(Line($0, .body)) }
        }
        var buttons: [Span] = []
        for (place, answer) in state.answers.enumerated() {
            let isSelected = place == state.selected
            let text = isSelected ? "[ \(answer) ]" : "  \(answer)  "
            buttons += [Span(text, isSelected ? .buttonFocused : .button), .blank(2)]
        }
        rows += [.empty, PopupRow(Line(buttons))]
        frame.popup(rows, title: "", width: width, glyphs: style.glyphs)
    }
}
