import FoundationEssentials
import Models
import Terminal
import ViewModels

/// Draws the two panes, each only when it would look different from how it stands on the canvas.
extension Screen {
    // MARK: The list

    func drawList(_ shown: Shown, _ layout: PaneLayout, _ area: Area, into frame: inout Frame) {
        let state = shown.list
        let isFocused = shown.state.focus == .list
        let content = listContent(layout, area, state)
        listTop = Screens.listTop(state, top: listTop, fitting: content.size.rows / 2)
        let look = ListLook(
            open: shown.state.open, isFocused: isFocused && shown.places.isEmpty,
            present: shown.thread?.present ?? [], style: style, now: now,
            newKey: keys.layers(.list).name(of: .newConversation) ?? "")
        let key = ListKey(
            state: state, top: listTop, size: content.size, open: look.open, isFocused: look.isFocused,
            present: look.present, today: style.clock.day(of: now), glyphs: style.glyphs)
        let isDrawn = canvas.list.isDrawn(from: ListPaneKey(rows: key, isFocused: isFocused))
        if isDrawn, !state.isFiltering { return }
        frame.fill(area)
        let hidden = state.rows.count - listTop - content.size.rows / 2
        let footer = hidden > 0 ? Line("\(style.glyphs.down) \(hidden)", .dim) : .empty
        frame.pane(
            area, title: Line("Conversations", isFocused ? .heading : .dim), footer: footer,
            isFocused: isFocused, layout, style.glyphs)
        if state.isFiltering || !state.filter.isEmpty { drawFilter(state, content, into: &frame) }
        let lines = listMemo.value(for: key) {
            listLines(state, top: listTop, size: content.size, look: look, &listCache)
        }
        for (row, line) in lines.enumerated() {
            let at = Point(column: content.origin.column, row: content.origin.row + row)
            frame.draw(line.line, at: at, width: content.size.columns, on: line.ground)
        }
    }

    /// Where the rows of the list go; the filter has the row above them.
    func listContent(_ layout: PaneLayout, _ area: Area, _ state: ConversationListState) -> Area {
        var content = layout.content(of: area)
        guard state.isFiltering || !state.filter.isEmpty else { return content }
        content.origin.row += 1
        content.size.rows = max(content.size.rows - 1, 0)
        return content
    }

    private func drawFilter(_ state: ConversationListState, _ content: Area, into frame: inout Frame) {
        let row = content.origin.row - 1
        let text = TextLayout(state.filter, room: 10_000, reach: 0)
        let line = Line(Span(" /", .key), Span(text.lines[0], .input))
        frame.draw(line, at: Point(column: content.origin.column, row: row), width: content.size.columns)
        guard state.isFiltering else { return }
        let column = min(content.origin.column + 2 + text.column, content.endColumn - 1)
        frame.cursor = Point(column: column, row: row)
    }

    // MARK: The thread

    func drawThread(_ shown: Shown, _ layout: PaneLayout, _ area: Area, into frame: inout Frame) {
        guard let state = shown.thread else {
            canvas.thread = Canvas.Part()
            wishes = []
            frame.fill(area)
            frame.pane(area, title: .empty, isFocused: false, layout, style.glyphs)
            drawWelcome(shown, layout.content(of: area), into: &frame)
            return
        }
        let parts = threadParts(shown, layout, area)
        let rows = ThreadKey(
            state: state, size: parts.messages.size, today: style.clock.day(of: now), glyphs: style.glyphs,
            pictures: parts.pictures)
        let key = ThreadPaneKey(
            rows: rows, hint: shown.composer?.hint, isFocused: shown.state.focus != .list,
            isPicking: shown.state.focus == .thread && shown.places.isEmpty)
        if !canvas.thread.isDrawn(from: key) {
            frame.fill(area)
            drawMessages(shown, key, layout, area, parts, into: &frame)
        }
        draw(parts.look, parts.composer, showsCursor: shown.places.isEmpty, into: &frame)
    }

    private func drawMessages(
        _ shown: Shown, _ key: ThreadPaneKey, _ layout: PaneLayout, _ area: Area,
        _ parts: ThreadParts, into frame: inout Frame
    ) {
        let state = key.rows.state
        let title = threadTitle(
            state, names: names(of: state), room: max(area.size.columns - 4, 0), isFocused: key.isFocused,
            style.glyphs)
        frame.pane(
            area, title: title, footer: threadFooter(shown, state), isFocused: key.isFocused, layout,
            style.glyphs)
        let seen = threadMemo.value(for: key.rows) {
            let layout = threadLayout(state, parts)
            let rows = layout.rows(&cache)
            return (rows, layout.wishes(for: rows))
        }
        wishes = seen.wishes
        drawRows(seen.rows, parts.messages, selection: key.isPicking ? state.selection : nil, into: &frame)
    }

    private func drawRows(_ rows: [ThreadRow], _ area: Area, selection: UUID?, into frame: inout Frame) {
        let first = area.origin.row + area.size.rows - rows.count  // short threads stand on the composer
        for (offset, row) in rows.enumerated() {
            let at = Point(column: area.origin.column, row: first + offset)
            let isSelected = selection != nil && row.messageID == selection
            let ground: Role? = isSelected ? .cursorLine : nil
            frame.draw(row.line, at: at, width: area.size.columns, on: ground)
            if let tiles = row.tiles { draw(tiles, at, area, into: &frame) }
            if isSelected { frame.draw(Line(style.glyphs.bar, .brand), at: at) }
        }
    }

    private func draw(_ tiles: PictureRow, _ at: Point, _ area: Area, into frame: inout Frame) {
        let start = Point(column: at.column + tiles.column, row: at.row)
        frame.draw(tiles.mosaic, row: tiles.row, at: start, width: area.size.columns - tiles.column)
    }

    private func draw(_ look: ComposerLook, _ area: Area, showsCursor: Bool, into frame: inout Frame) {
        frame.draw(look.lines, at: area.origin, width: area.size.columns)
        guard showsCursor, let cursor = look.cursor else { return }
        frame.cursor = Point(
            column: area.origin.column + cursor.column, row: area.origin.row + cursor.row)
    }

    private func drawWelcome(_ shown: Shown, _ area: Area, into frame: inout Frame) {
        let keys = keys.layers(.list, .anywhere)
        let state = shown.list
        let isEmpty = state.isLoaded && state.rows.isEmpty && state.filter.isEmpty
        let rows: [(Action, String)] =
            (isEmpty ? [] : [(.open, "opens a conversation")])
            + [
                (.newConversation, isEmpty ? "starts a conversation" : "starts a new one"),
                (.help, "shows the keys"),
            ]
        for (offset, row) in rows.enumerated() where area.size.rows >= rows.count {
            let key = Line(keys.name(of: row.0) ?? "", .key).rightAligned(in: 8)
            let line = Line(key.spans + [Span("  \(row.1)", .dim)])
            let at = Point(column: area.origin.column, row: area.origin.row + area.size.rows / 3 + offset)
            frame.draw(line.truncated(to: area.size.columns), at: at)
        }
    }
}
