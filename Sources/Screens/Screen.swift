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
    /// The pictures there are; `nil`: none is drawn on this screen. Set before a frame.
    package var album: PictureAlbum?
    /// The pictures of the last frame's thread, there or not.
    package internal(set) var wishes: [PictureWish] = []
    private var names = ThreadNames([:])
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
        guard let layout = layout(of: model) else {
            canvas = Canvas()
            wishes = []
            var frame = Frame(size: size)
            let text = Line("Window too small", .warning).truncated(to: size.columns)
            frame.draw(text.centered(in: size.columns), at: Point(column: 0, row: size.rows / 2))
            return frame
        }
        guard model.places.isEmpty else {
            // What lies over the panes is not drawn on: the next frame may be without it.
            canvas = Canvas()
            var frame = Frame(size: size)
            drawPanes(model, layout, into: &frame)
            drawPlaces(model, layout, into: &frame)
            return frame
        }
        var frame = canvas.take(size, layout)
        drawPanes(model, layout, into: &frame)
        canvas.keep(frame)
        return frame
    }

    private func drawPanes(_ model: AppModel, _ layout: PaneLayout, into frame: inout Frame) {
        drawTitle(model, layout, into: &frame)
        // Nothing is behind the first page and its forms.
        guard !model.accounts.isEmpty || model.places.isEmpty else { return }
        if let area = layout.list { drawList(model, layout, area, into: &frame) }
        if let area = layout.thread {
            drawThread(model, layout, area, into: &frame)
        } else {
            wishes = []
        }
    }

    /// Forgets the last frame: the next one is drawn from nothing, and must look the same.
    func forgetFrame() { canvas = Canvas() }

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
            bottomRows: model.hasCommandLine ? 1 : model.state.notice.map { lines(of: $0).count } ?? 0)
    }

    /// The rows of the notice; on a low screen fewer, as it must leave room for what it is about.
    private func lines(of notice: Notice) -> [Line] {
        noticeLines(notice, width: size.columns, most: min(max(size.rows / 6, 1), 3))
    }

    // MARK: Title and banner

    private func drawTitle(_ model: AppModel, _ layout: PaneLayout, into frame: inout Frame) {
        let look = TitleLook(
            accounts: model.state.accountNames, unread: model.list.state.unreadTotal,
            statuses: model.accounts.map(\.banner.status))
        let (state, account) = model.banner
        let notice = model.hasCommandLine ? nil : model.state.notice
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

    func threadParts(_ model: AppModel, _ layout: PaneLayout, _ area: Area) -> ThreadParts {
        let content = layout.content(of: area)
        let called: ThreadNames? = model.thread.map { names(of: $0.state) }
        let look = ComposerLook(
            model.composer?.state ?? ComposerState(), names: { called?.name($0.senderID) ?? "someone" },
            current: { model.thread?.state.quotedMessage($0.id) ?? $0 },
            width: content.size.columns, most: max(min(content.size.rows / 3, 10), 1),
            isFocused: model.state.focus == .composer, glyphs: style.glyphs)
        let rows = min(look.lines.count, content.size.rows)
        let messages = Size(columns: content.size.columns, rows: content.size.rows - rows)
        let below = Point(column: content.origin.column, row: content.origin.row + messages.rows)
        return ThreadParts(
            messages: Area(origin: content.origin, size: messages),
            composer: Area(origin: below, size: Size(columns: content.size.columns, rows: rows)), look: look,
            pictures: pictures(of: model))
    }

    private func pictures(of model: AppModel) -> PictureContext? {
        guard let album, let thread = model.thread, thread.state.pictures.mode != .off else { return nil }
        // Rows of the window but for title and frame: no banner, notice or long draft gives a picture another size.
        return PictureContext(
            account: thread.ref.account, album: album, threadRows: size.rows - 3,
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
