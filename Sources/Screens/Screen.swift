import FoundationEssentials
import Models
import Terminal
import ViewModels

/// Draws an `AppModel` and gives it keys.
///
/// The frame depends on nothing but the model, the size and the time. What is kept here is either a memory of
/// work done (laid-out lines) or where the view stands (the list's first row, keys of an unfinished sequence).
@MainActor
package final class Screen {
    package var style: ScreenStyle
    let keys: Keymap
    /// The size of the last frame: keys like PgUp mean rows of it.
    var size = Size(columns: 80, rows: 24)
    /// The time of the last frame.
    var now = Date(timeIntervalSince1970: 0)
    var cache = LineCache()
    var listTop = 0
    /// Keys of a sequence that is not complete.
    var pending: [Key] = []
    /// A count typed before a command, 0 without one.
    var count = 0
    private var names = ThreadNames([:])
    private var listMemo = Memo<ListKey, [(line: Line, ground: Role?)]>()
    private var threadMemo = Memo<ThreadKey, [ThreadRow]>()

    package init(style: ScreenStyle, keys: Keymap = .standard) {
        self.style = style
        self.keys = keys
    }

    /// Everything on the screen now.
    /// - Parameter now: Decides what is today.
    package func frame(of model: AppModel, size: Size, now: Date) -> Frame {
        (self.size, self.now) = (size, now)
        var frame = Frame(size: size)
        guard let layout = layout(of: model) else {
            let text = Line("Window too small", .warning).truncated(to: size.columns)
            frame.draw(text.centered(in: size.columns), at: Point(column: 0, row: size.rows / 2))
            return frame
        }
        drawTitle(model, layout, into: &frame)
        guard !model.accounts.isEmpty || model.places.isEmpty else {
            // Nothing is behind the first page and its forms.
            drawPlaces(model, layout, into: &frame)
            return frame
        }
        if let area = layout.list { drawList(model, layout, area, into: &frame) }
        if let area = layout.thread { drawThread(model, layout, area, into: &frame) }
        drawPlaces(model, layout, into: &frame)
        return frame
    }

    /// The window's title, for terminals that show one.
    package func title(of model: AppModel) -> CleanText {
        let unread = model.list.state.unreadTotal
        let name = model.thread?.state.conversation.title ?? ""
        return CleanText(
            (unread > 0 ? "(\(unread)) " : "") + (name.isEmpty ? "Pingline" : "\(name) - Pingline"))
    }

    func layout(of model: AppModel) -> PaneLayout? {
        PaneLayout(
            size: size, focus: model.state.focus, hasThread: model.thread != nil,
            isListHidden: model.state.isListHidden, hasBanner: model.banner.state != .hidden,
            hasBottom: model.state.notice != nil || model.hasCommandLine)
    }

    // MARK: Title and banner

    private func drawTitle(_ model: AppModel, _ layout: PaneLayout, into frame: inout Frame) {
        let look = TitleLook(
            accounts: model.state.accountNames, unread: model.list.state.unreadTotal,
            statuses: model.accounts.map(\.banner.status))
        let line = titleLine(look, width: size.columns, glyphs: style.glyphs)
        frame.draw(line, at: Point(column: 0, row: layout.title), width: size.columns)
        let (state, account) = model.banner
        let key = keys.layers(.anywhere).name(of: .retryConnection)
        if let row = layout.banner,
            let banner = bannerLine(
                state, account: account, retryKey: key, width: size.columns, glyphs: style.glyphs)
        {
            let line = banner.line.fitted(to: size.columns, fill: banner.role)
            frame.draw(line, at: Point(column: 0, row: row), width: size.columns, on: banner.role)
        }
        if let row = layout.bottom, !model.hasCommandLine, let notice = model.state.notice {
            frame.draw(noticeLine(notice, width: size.columns), at: Point(column: 0, row: row))
        }
    }

    // MARK: The list

    private func drawList(_ model: AppModel, _ layout: PaneLayout, _ area: Area, into frame: inout Frame) {
        let state = model.list.state
        let isFocused = model.state.focus == .list
        let content = listContent(layout, area, state)
        listTop = Screens.listTop(state, top: listTop, fitting: content.size.rows / 2)
        let look = ListLook(
            open: model.state.open, isFocused: isFocused && model.places.isEmpty,
            present: model.thread?.state.present ?? [], style: style, now: now,
            newKey: keys.layers(.list).name(of: .newConversation) ?? "")
        let hidden = state.rows.count - listTop - content.size.rows / 2
        let footer = hidden > 0 ? Line("\(style.glyphs.down) \(hidden)", .dim) : .empty
        frame.pane(
            area, title: Line("Conversations", isFocused ? .heading : .dim), footer: footer,
            isFocused: isFocused, layout, style.glyphs)
        if state.isFiltering || !state.filter.isEmpty { drawFilter(state, content, into: &frame) }
        let key = ListKey(
            state: state, top: listTop, size: content.size, open: look.open, isFocused: look.isFocused,
            present: look.present, today: style.clock.day(of: now), glyphs: style.glyphs)
        let lines = listMemo.value(for: key) {
            listLines(state, top: listTop, size: content.size, look: look)
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

    private func drawThread(_ model: AppModel, _ layout: PaneLayout, _ area: Area, into frame: inout Frame) {
        guard let thread = model.thread else {
            frame.pane(area, title: .empty, isFocused: false, layout, style.glyphs)
            drawWelcome(model, layout.content(of: area), into: &frame)
            return
        }
        let state = thread.state
        let names = names(of: state)
        let isFocused = model.state.focus != .list
        let title = threadTitle(
            state, names: names, room: max(area.size.columns - 4, 0), isFocused: isFocused, style.glyphs)
        frame.pane(
            area, title: title, footer: threadFooter(model, state), isFocused: isFocused, layout, style.glyphs
        )
        let parts = threadParts(model, layout, area)
        let key = ThreadKey(
            state: state, size: parts.messages.size, today: style.clock.day(of: now), glyphs: style.glyphs)
        let rows = threadMemo.value(for: key) { threadLayout(state, parts.messages.size).rows(&cache) }
        let isPicking = model.state.focus == .thread && model.places.isEmpty
        drawRows(rows, parts.messages, selection: isPicking ? state.selection : nil, into: &frame)
        draw(parts.look, parts.composer, showsCursor: model.places.isEmpty, into: &frame)
    }

    private func drawRows(_ rows: [ThreadRow], _ area: Area, selection: UUID?, into frame: inout Frame) {
        let first = area.origin.row + area.size.rows - rows.count  // short threads stand on the composer
        for (offset, row) in rows.enumerated() {
            let at = Point(column: area.origin.column, row: first + offset)
            let isSelected = selection != nil && row.messageID == selection
            let ground: Role? = isSelected ? .cursorLine : nil
            frame.draw(row.line, at: at, width: area.size.columns, on: ground)
            if isSelected { frame.draw(Line(style.glyphs.bar, .brand), at: at) }
        }
    }

    private func draw(_ look: ComposerLook, _ area: Area, showsCursor: Bool, into frame: inout Frame) {
        frame.draw(look.lines, at: area.origin, width: area.size.columns)
        guard showsCursor, let cursor = look.cursor else { return }
        frame.cursor = Point(
            column: area.origin.column + cursor.column, row: area.origin.row + cursor.row)
    }

    private func drawWelcome(_ model: AppModel, _ area: Area, into frame: inout Frame) {
        let keys = keys.layers(.list, .anywhere)
        let rows: [(Action, String)] = [
            (.open, "opens a conversation"), (.newConversation, "starts a new one"),
            (.help, "shows the keys"),
        ]
        for (offset, row) in rows.enumerated() where area.size.rows >= rows.count {
            let key = Line(keys.name(of: row.0) ?? "", .key).rightAligned(in: 8)
            let line = Line(key.spans + [Span("  \(row.1)", .dim)])
            let at = Point(column: area.origin.column, row: area.origin.row + area.size.rows / 3 + offset)
            frame.draw(line.truncated(to: area.size.columns), at: at)
        }
    }

    /// Where the parts of the thread pane are.
    struct ThreadParts {
        var messages: Area
        var composer: Area
        var look: ComposerLook
    }

    func threadParts(_ model: AppModel, _ layout: PaneLayout, _ area: Area) -> ThreadParts {
        let content = layout.content(of: area)
        let called: ThreadNames? = model.thread.map { names(of: $0.state) }
        let look = ComposerLook(
            model.composer?.state ?? ComposerState(), names: { called?.name($0.senderID) ?? "someone" },
            width: content.size.columns, most: max(min(content.size.rows / 3, 10), 1),
            isFocused: model.state.focus == .composer, glyphs: style.glyphs)
        let rows = min(look.lines.count, content.size.rows)
        let messages = Size(columns: content.size.columns, rows: content.size.rows - rows)
        let below = Point(column: content.origin.column, row: content.origin.row + messages.rows)
        return ThreadParts(
            messages: Area(origin: content.origin, size: messages),
            composer: Area(origin: below, size: Size(columns: content.size.columns, rows: rows)), look: look)
    }

    func threadLayout(_ state: ThreadState, _ room: Size) -> ThreadLayout {
        ThreadLayout(
            state: state, names: names(of: state),
            layout: MessageLayout(width: room.columns, glyphs: style.glyphs), height: room.rows,
            clock: style.clock, now: now)
    }

    func names(of state: ThreadState) -> ThreadNames {
        if !names.isFor(state.people) { names = ThreadNames(state.people) }
        return names
    }
}
