import FoundationEssentials
import Models
import Terminal
import ViewModels

/// One row of the thread pane.
struct ThreadRow: Equatable {
    var line: Line
    /// The message it belongs to; `nil` for rules between messages.
    var messageID: UUID?
    /// The row of a picture that lies over the line.
    var tiles: PictureRow?
}

/// One row of a picture.
struct PictureRow: Equatable {
    var mosaic: Mosaic
    var row: Int
    /// From the left edge of the thread.
    var column: Columns
}

/// Finds out which rows of a thread are on the screen. It works upwards from the lower edge and lays out no more
/// than is seen, however long the thread is.
struct ThreadLayout {
    let state: ThreadState
    let names: ThreadNames
    let layout: MessageLayout
    let height: Int
    let clock: ClockFormat
    let now: Date
    /// `nil`: no picture is drawn.
    let pictures: PictureContext?
    private let firstUnreadIndex: Int?
    var messages: [Message] { state.window.messages }

    init(
        state: ThreadState, names: ThreadNames, layout: MessageLayout, height: Int, clock: ClockFormat,
        now: Date, pictures: PictureContext? = nil
    ) {
        self.state = state
        self.names = names
        self.layout = layout
        self.height = max(height, 0)
        self.clock = clock
        self.now = now
        self.pictures = pictures
        firstUnreadIndex = Self.firstUnread(state)
    }

    /// Messages are sorted by position, so the unread part is found by halving.
    private static func firstUnread(_ state: ThreadState) -> Int? {
        guard let mark = state.unreadAfter else { return nil }
        let messages = state.window.messages
        var (low, high) = (0, messages.count)
        while low < high {
            let middle = (low + high) / 2
            if (messages[middle].position ?? .max) <= mark { low = middle + 1 } else { high = middle }
        }
        // With older messages not loaded, the first of the window need not be the first unread one.
        guard low > 0 || !state.window.hasOlder else { return nil }
        return messages[low...].firstIndex { $0.position != nil && !state.isOwn($0) }
    }

    // MARK: What is seen

    /// The rows on the screen, top to bottom; fewer than `height` when the thread is shorter.
    func rows(_ cache: inout LineCache) -> [ThreadRow] {
        guard height > 0 else { return [] }
        let (lowest, below) = edge(&cache)
        var index = lowest
        var blocks: [[ThreadRow]] = []
        var count = -below
        while index >= 0, count < height {
            let block = block(at: index, &cache)
            blocks.append(block)
            count += block.count
            index -= 1
        }
        var rows = blocks.reversed().flatMap { $0 }
        rows.removeLast(min(below, rows.count))
        if count < height { rows = beginning + rows }
        rows.removeFirst(max(rows.count - height, 0))
        nameTop(of: &rows, from: index + 1, &cache)
        return rows
    }

    /// The message at the lower edge, and how many of its rows are below the edge.
    func edge(_ cache: inout LineCache) -> (index: Int, below: Int) {
        guard case .at(let id, let below) = state.scroll, let index = state.window.index(of: id) else {
            return (messages.count - 1, 0)
        }
        let count = rowCount(at: index, &cache)
        return (index, min(max(below, 0), count - 1))
    }

    /// Above the first message there is.
    private var beginning: [ThreadRow] {
        guard state.window.hasOlder, state.isLoadingOlder || state.didOlderFail else { return [] }
        let paused = "the server asks for patience, older messages follow"
        let failed = state.isOlderPaused ? paused : "older messages not loaded"
        let text = state.isLoadingOlder ? "loading older messages" : failed
        return [ThreadRow(line: rule(text, .dim), messageID: nil)]
    }

    /// The first row on the screen names its sender, also in the middle of a row of messages by one person.
    private func nameTop(of rows: inout [ThreadRow], from index: Int, _ cache: inout LineCache) {
        guard let id = rows.first?.messageID, index < messages.count, messages[index].id == id,
            isContinuation(index), !layout.isStacked
        else { return }
        let named = cache.block(messages[index], look(at: index, showsName: true), layout).lines
        let seen = rows.prefix { $0.messageID == id }.count
        if seen == named.count { rows[0].line = named[0] }
    }

    // MARK: One message

    /// The rules over a message and its own rows.
    private func block(at index: Int, _ cache: inout LineCache) -> [ThreadRow] {
        let message = messages[index]
        var rows = rules(over: index).map { ThreadRow(line: $0, messageID: nil) }
        let look = look(at: index, showsName: !isContinuation(index))
        let block = cache.block(message, look, layout)
        rows += block.lines.enumerated().map { row, line in
            ThreadRow(line: line, messageID: message.id, tiles: block.picture?.tiles(inRow: row))
        }
        return rows
    }

    /// The rows of `block`, counted without making them.
    func rowCount(at index: Int, _ cache: inout LineCache) -> Int {
        let look = look(at: index, showsName: !isContinuation(index))
        return rules(over: index).count + cache.block(messages[index], look, layout).lines.count
    }

    private func rules(over index: Int) -> [Line] {
        var lines: [Line] = []
        if isBelowGap(index) { lines.append(rule("older messages not loaded", .dim)) }
        if beginsDay(index) {
            let day = clock.day(of: messages[index].createdAt)
            lines.append(
                layout.glyphs.box.rule(
                    min(20, layout.width), around: Line(clock.dayTitle(day, now: now), .daySeparator),
                    .daySeparator
                ).centered(in: layout.width))
        }
        if index == firstUnreadIndex { lines.append(rule("new", .newSeparator)) }
        return lines
    }

    private func rule(_ text: String, _ role: Role) -> Line {
        let inner = layout.glyphs.box.rule(max(layout.width - 2, 0), around: Line(text, role), role)
        return Line([.blank(1)] + inner.spans)
    }

    private func isBelowGap(_ index: Int) -> Bool {
        guard let gap = state.gapBefore, let position = messages[index].position, position >= gap else {
            return false
        }
        return index == 0 || (messages[index - 1].position ?? .min) < gap
    }

    /// Days only go on: a waiting message with a wrong local clock begins no old day.
    private func beginsDay(_ index: Int) -> Bool {
        guard index > 0 else { return true }
        let (before, here) = (messages[index - 1], messages[index])
        return clock.day(of: here.createdAt) > clock.day(of: before.createdAt)
    }

    /// Whether the message goes on in the name of the one before it: same person, within ten minutes.
    private func isContinuation(_ index: Int) -> Bool {
        guard index > 0, index != firstUnreadIndex else { return false }
        let (before, here) = (messages[index - 1], messages[index])
        guard before.senderID == here.senderID, here.senderID != nil, here.replyTo == nil else {
            return false
        }
        return abs(here.createdAt.timeIntervalSince(before.createdAt)) < 600 && !beginsDay(index)
            && !isBelowGap(index)
    }

    private func look(at index: Int, showsName: Bool) -> MessageLook {
        let message = messages[index]
        var look = look(of: message)
        look.showsName = showsName
        look.picture = picture(of: message, look)
        return look
    }

    /// Without its picture, and as if it came after somebody else's.
    func look(of message: Message) -> MessageLook {
        MessageLook(
            sender: names.name(message.senderID), hue: names.hue(message.senderID),
            isOwn: state.isOwn(message), nameWidth: names.width,
            quote: message.replyTo.map(quote), time: clock.text(message.createdAt),
            readers: readers(of: message),
            uploaded: message.position == nil ? state.transfers[message.id]?.percent : nil)
    }

    private func readers(of message: Message) -> Int? {
        guard state.conversation.isGroup, state.isOwn(message), let position = message.position else {
            return nil
        }
        switch message.deliveryState {
        case .sending, .failed, .read: return nil
        case .sent, .delivered: break
        }
        let count = state.members.count {
            $0.id != state.ownID && !$0.hasLeft && ($0.readPosition ?? .min) >= position
        }
        return count > 0 ? count : nil
    }

    private func quote(_ id: UUID) -> QuoteLook {
        guard let message = state.quotedMessage(id) else {
            return QuoteLook(sender: "reply", hue: .quote, body: nil)
        }
        return QuoteLook(
            sender: names.name(message.senderID) ?? "someone",
            hue: names.hue(message.senderID),
            body: message.isDeleted ? "message deleted" : String(message.body.prefix(200)))
    }
}

extension PlacedMosaic {
    /// The picture's part in a row of the block; `nil` in a row without one.
    fileprivate func tiles(inRow row: Int) -> PictureRow? {
        guard row >= self.row, row < self.row + mosaic.size.rows else { return nil }
        return PictureRow(mosaic: mosaic, row: row - self.row, column: column)
    }
}
