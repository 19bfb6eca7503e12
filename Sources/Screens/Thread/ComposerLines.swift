import Models
import Terminal
import ViewModels

/// A text laid out for editing, with the place of its cursor.
struct TextLayout: Equatable {
    /// Never empty.
    var lines: [CleanText]
    /// The row the cursor is in.
    var row: Int
    var column: Columns

    /// Breaks a text into rows. Unlike `wrap` it keeps every blank, for the cursor may stand on each.
    /// - Parameter room: Columns of a row; the cursor needs one of them after the last cluster.
    init(_ buffer: TextBuffer, room: Columns) {
        let room = max(room, 2)
        lines = []
        (row, column) = (0, 0)
        var start = 0
        var isCursorSet = false
        let characters = buffer.characters
        repeat {
            let end = characters[start...].firstIndex(of: "\n") ?? characters.count
            for range in Self.rows(characters[start..<end], room: room) {
                let isLast = range.upperBound == end
                let holdsCursor =
                    buffer.cursor >= range.lowerBound
                    && (buffer.cursor < range.upperBound || isLast && buffer.cursor == end)
                if holdsCursor, !isCursorSet {
                    isCursorSet = true
                    row = lines.count
                    column = CleanText(String(characters[range.lowerBound..<buffer.cursor])).width
                }
                lines.append(CleanText(String(characters[range])))
            }
            start = end + 1
        } while start <= characters.count
    }

    /// One line's rows: broken after blanks where that is possible.
    private static func rows(_ line: ArraySlice<Character>, room: Columns) -> [Range<Int>] {
        var rows: [Range<Int>] = []
        var (start, used, lastBreak) = (line.startIndex, Columns.zero, line.startIndex)
        var index = line.startIndex
        while index < line.endIndex {
            let width = cells(line[index])
            if used + width > room - 1, index > start {
                let end = lastBreak > start ? lastBreak : index
                rows.append(start..<end)
                start = end
                lastBreak = end
                index = end
                used = 0
                continue
            }
            used = used + width
            index += 1
            if line[index - 1] == " " { lastBreak = index }
        }
        rows.append(start..<line.endIndex)
        return rows
    }

    private static func cells(_ character: Character) -> Columns {
        character.isASCII ? 1 : CleanText(String(character)).width
    }

    /// The rows around the cursor when there are more than fit.
    func visible(_ count: Int) -> (lines: ArraySlice<CleanText>, cursorRow: Int) {
        let count = max(count, 1)
        guard lines.count > count else { return (lines[...], row) }
        let first = min(max(row - count + 1, 0), lines.count - count)
        return (lines[first..<first + count], row - first)
    }
}

/// The composer as it is drawn.
struct ComposerLook: Equatable {
    var lines: [Line]
    /// Row and column of the cursor, from the composer's own corner; `nil` when it is not focused.
    var cursor: Point?

    /// - Parameter most: Rows the composer may take, at least 1.
    init(
        _ state: ComposerState, names: (Message) -> String, width: Columns, most: Int, isFocused: Bool,
        glyphs: Glyphs
    ) {
        lines = []
        if most > 1, let mode = Self.modeLine(state.mode, names, glyphs) {
            lines.append(mode.truncated(to: width - 1))
        }
        let prompt = Span("\(glyphs.prompt) ", isFocused ? .brand : .dim)
        guard !state.text.isEmpty || isFocused else {
            lines.append(Line(prompt, Span("Write a message", .placeholder)).truncated(to: width))
            return
        }
        let text = TextLayout(state.text, room: width - 2)
        let (rows, cursorRow) = text.visible(most - lines.count)
        if isFocused {
            cursor = Point(column: min(text.column + 2, width - 1), row: lines.count + cursorRow)
        }
        for (offset, row) in rows.enumerated() {
            let start = offset == 0 ? prompt : .blank(2)
            lines.append(Line(start, Span(row, .input)).truncated(to: width, ellipsis: false))
        }
    }

    private static func modeLine(_ mode: ComposerMode, _ names: (Message) -> String, _ glyphs: Glyphs)
        -> Line?
    {
        switch mode {
        case .message: nil
        case .reply(let message):
            Line(
                Span("\(glyphs.reply) \(names(message))", .heading),
                Span(": \(message.body.prefix(200))", .quote))
        case .edit(let message):
            Line(
                Span("\(glyphs.pencil) editing", .heading), Span(": \(message.body.prefix(200))", .quote))
        }
    }
}
