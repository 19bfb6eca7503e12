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
    package var style: ScreenStyle { didSet { canvas = Canvas() } }
    let keys: Keymap
    /// The size of the last frame: keys like PgUp mean rows of it.
    var size = Size(columns: 80, rows: 24)
    /// The time of the last frame.
    var now = Date(timeIntervalSince1970: 0)
    var cache = LineCache()
    var listCache = ConversationLineCache()
    var listTop = 0
    /// Keys of a sequence that is not complete.
    var pending: [Key] = []
    /// A count typed before a command, 0 without one.
    var count = 0
    var canvas = Canvas()
    /// The window's title, for terminals that show one, as of the last frame.
    package private(set) var title = CleanText.empty
    /// The pictures there are; `nil`: none is drawn on this screen. Set before a frame.
    package var album: PictureAlbum?
    /// The pictures of the last frame's thread, there or not.
    package internal(set) var wishes: [PictureWish] = []
    private var names = ThreadNames([:])
    private var titleMemo = Memo<WindowTitle, CleanText>()
    var listMemo = Memo<ListKey, [(line: Line, ground: Role?)]>()
    var threadMemo = Memo<ThreadKey, (rows: [ThreadRow], wishes: [PictureWish])>()

    package init(style: ScreenStyle, keys: Keymap = .standard) {
        self.style = style
        self.keys = keys
    }

    /// Everything on the screen now.
    /// - Parameter now: Decides what is today.
    package func frame(of model: AppModel, size: Size, now: Date) -> Frame {
        (self.size, self.now) = (size, now)
        let shown = Shown(model)
        title = titleMemo.value(for: WindowTitle(shown)) { WindowTitle(shown).text }
        guard let layout = layout(of: shown) else {
            canvas = Canvas()
            wishes = []
            var frame = Frame(size: size)
            let text = Line("Window too small", .warning).truncated(to: size.columns)
            frame.draw(text.centered(in: size.columns), at: Point(column: 0, row: size.rows / 2))
            return frame
        }
        guard shown.places.isEmpty else {
            // What lies over the panes is not drawn on: the next frame may be without it.
            canvas = Canvas()
            var frame = Frame(size: size)
            drawPanes(shown, layout, into: &frame)
            drawPlaces(model, layout, into: &frame)
            return frame
        }
        var frame = canvas.take(size, layout)
        drawPanes(shown, layout, into: &frame)
        canvas.keep(frame)
        return frame
    }

    private func drawPanes(_ shown: Shown, _ layout: PaneLayout, into frame: inout Frame) {
        drawTitle(shown, layout, into: &frame)
        // Nothing is behind the first page and its forms.
        guard !shown.statuses.isEmpty || shown.places.isEmpty else { return }
        if let area = layout.list { drawList(shown, layout, area, into: &frame) }
        if let area = layout.thread {
            drawThread(shown, layout, area, into: &frame)
        } else {
            wishes = []
        }
    }

    /// Forgets the last frame: the next one is drawn from nothing, and must look the same.
    func forgetFrame() { canvas = Canvas() }

    func layout(of shown: Shown) -> PaneLayout? {
        PaneLayout(
            size: size, focus: shown.state.focus, hasThread: shown.thread != nil,
            isListHidden: shown.state.isListHidden, hasBanner: shown.banner.state != .hidden,
            bottomRows: shown.hasCommandLine ? 1 : shown.state.notice.map { lines(of: $0).count } ?? 0)
    }

    /// The rows of the notice; on a low screen fewer, as it must leave room for what it is about.
    private func lines(of notice: Notice) -> [Line] {
        noticeLines(notice, width: size.columns, most: min(max(size.rows / 6, 1), 3))
    }

    // MARK: Title and banner

    private func drawTitle(_ shown: Shown, _ layout: PaneLayout, into frame: inout Frame) {
        let look = TitleLook(
            accounts: shown.state.accountNames, unread: shown.list.unreadTotal,
            statuses: shown.statuses)
        let (state, account) = shown.banner
        let notice = shown.hasCommandLine ? nil : shown.state.notice
        let drawnFrom = TitleKey(
            look: look, banner: state, account: account, notice: notice, glyphs: style.glyphs)
        if canvas.title.isDrawn(from: drawnFrom) { return }
        let line = titleLine(look, width: size.columns, glyphs: style.glyphs)
        frame.draw(line, at: Point(column: 0, row: layout.title), width: size.columns)
        let key = keys.layers(.anywhere).name(of: .retryConnection)
        if let row = layout.banner,
            let banner = bannerLine(
                state, account: account, retryKey: key, width: size.columns, glyphs: style.glyphs)
        {
            let line = banner.line.fitted(to: size.columns, fill: banner.role)
            frame.draw(line, at: Point(column: 0, row: row), width: size.columns, on: banner.role)
        }
        if let row = layout.bottom, let notice {
            for (offset, line) in lines(of: notice).enumerated() {
                frame.draw(line, at: Point(column: 0, row: row + offset), width: size.columns)
            }
        }
    }

    /// Where the parts of the thread pane are.
    struct ThreadParts {
        var messages: Area
        var composer: Area
        var look: ComposerLook
        var pictures: PictureContext?
    }

    func threadParts(_ shown: Shown, _ layout: PaneLayout, _ area: Area) -> ThreadParts {
        let content = layout.content(of: area)
        let called: ThreadNames? = shown.thread.map { names(of: $0) }
        let look = ComposerLook(
            shown.composer ?? ComposerState(), names: { called?.name($0.senderID) ?? "someone" },
            current: { shown.thread?.quotedMessage($0.id) ?? $0 },
            width: content.size.columns, most: max(min(content.size.rows / 3, 10), 1),
            isFocused: shown.state.focus == .composer, glyphs: style.glyphs)
        let rows = min(look.lines.count, content.size.rows)
        let messages = Size(columns: content.size.columns, rows: content.size.rows - rows)
        let below = Point(column: content.origin.column, row: content.origin.row + messages.rows)
        return ThreadParts(
            messages: Area(origin: content.origin, size: messages),
            composer: Area(origin: below, size: Size(columns: content.size.columns, rows: rows)), look: look,
            pictures: pictures(of: shown))
    }

    private func pictures(of shown: Shown) -> PictureContext? {
        guard let album, let ref = shown.ref, shown.thread?.pictures.mode != .off else { return nil }
        // Rows of the window but for title and frame: no banner, notice or long draft gives a picture another size.
        return PictureContext(
            account: ref.account, album: album, threadRows: size.rows - 3,
            keyName: keys.layers(.thread).name(of: .picture) ?? "")
    }

    func threadLayout(_ state: ThreadState, _ parts: ThreadParts) -> ThreadLayout {
        ThreadLayout(
            state: state, names: names(of: state),
            layout: MessageLayout(width: parts.messages.size.columns, glyphs: style.glyphs),
            height: parts.messages.size.rows, clock: style.clock, now: now, pictures: parts.pictures)
    }

    func names(of state: ThreadState) -> ThreadNames {
        if !names.isFor(state.people) { names = ThreadNames(state.people) }
        return names
    }
}
