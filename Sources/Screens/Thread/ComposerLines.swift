import Models
import Terminal
import ViewModels

/// The composer as it is drawn.
struct ComposerLook: Equatable {
    var lines: [Line]
    /// Row and column of the cursor, from the composer's own corner; `nil` when it is not focused.
    var cursor: Point?

    /// - Parameters:
    ///   - current: What has become of a message since it was picked to be answered or edited.
    ///   - most: Rows the composer may take, at least 1.
    init(
        _ state: ComposerState, names: (Message) -> String, current: (Message) -> Message = { $0 },
        width: Columns, most: Int, isFocused: Bool, glyphs: Glyphs
    ) {
        lines = []
        if most > 1, let mode = Self.modeLine(state.mode, names, current, glyphs) {
            lines.append(mode.truncated(to: width - 1))
        }
        if most > lines.count + 1, let file = state.file {
            let words = FileWords.line(file.attachment, glyphs)
            lines.append(Line(words.spans + [Span("  :detach takes it out", .dim)]).truncated(to: width - 1))
        }
        let prompt = Span("\(glyphs.prompt) ", isFocused ? .brand : .dim)
        guard !state.text.isEmpty || isFocused else {
            lines.append(Line(prompt, Span("Write a message", .placeholder)).truncated(to: width))
            return
        }
        let room = max(most - lines.count, 1)
        let text = TextLayout(state.text, room: width - 2, reach: room)
        let (rows, cursorRow) = text.visible(room)
        if isFocused {
            cursor = Point(column: min(text.column + 2, width - 1), row: lines.count + cursorRow)
        }
        for (offset, row) in rows.enumerated() {
            let start = offset == 0 ? prompt : .blank(2)
            lines.append(Line(start, Span(row, .input)).truncated(to: width, ellipsis: false))
        }
    }

    private static func modeLine(
        _ mode: ComposerMode, _ names: (Message) -> String, _ current: (Message) -> Message, _ glyphs: Glyphs
    ) -> Line? {
        func quote(_ picked: Message) -> Span {
            let message = current(picked)
            return Span(": \(message.isDeleted ? "message deleted" : message.body.prefix(200))", .quote)
        }
        return switch mode {
        case .message: nil
        case .reply(let message):
            Line(Span("\(glyphs.reply) \(names(message))", .heading), quote(message))
        case .edit(let message): Line(Span("\(glyphs.pencil) editing", .heading), quote(message))
        }
    }
}
