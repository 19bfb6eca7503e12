import FoundationEssentials
import Models
import Terminal
import ViewModels

/// What decides how the list is drawn beside its state.
struct ListLook {
    var open: ConversationRef?
    var isFocused: Bool
    /// People who are known to be present now.
    var present: Set<UUID>
    var style: ScreenStyle
    var now: Date
    /// The name of the key for a new conversation, for the empty list.
    var newKey: String
}

/// The two rows of one conversation.
/// - Parameter mark: One column, before both rows.
func conversationLines(_ row: ConversationRow, width: Columns, look: ListLook, mark: String) -> [Line] {
    let conversation = row.conversation
    let isUnread = conversation.isUnread
    let role: Role = isUnread || row.id == look.open ? .title : .body
    let name = Line(Span(mark, .brand), Span(row.name, role))
    let isHere = conversation.peer.map { look.present.contains($0.id) } ?? false
    var right: [Span] = []
    if isHere { right.append(Span("\(look.style.glyphs.here) ", .success)) }
    if isUnread {
        let count = conversation.unreadCount
        right.append(Span((count > 0 ? unreadText(count) : look.style.glyphs.bullet) + " ", .unread))
    }
    let time = conversation.lastMessage?.createdAt ?? Date(microseconds: conversation.activityAt)
    let when = Line(look.style.clock.shortText(time, now: look.now), .time).rightAligned(in: 6)
    let first = Line.justified(name, Line(right + when.spans), in: width - 1)
    let second = Line([Span(mark, .brand)] + preview(of: row, look.style.glyphs).spans)
    return [first.fitted(to: width), second.truncated(to: width - 1).fitted(to: width)]
}

/// The service counts up to 1 000.
private func unreadText(_ count: Int) -> String { count >= 1_000 ? "1000+" : "\(count)" }

private func preview(of row: ConversationRow, _ glyphs: Glyphs) -> Line {
    guard let message = row.conversation.lastMessage else { return Line("no messages yet", .dim) }
    let isOwn = row.ownID != nil && message.senderID == row.ownID
    var spans: [Span] = []
    if message.deliveryState == .failed { spans.append(Span("\(glyphs.warning) ", .error)) }
    if isOwn {
        spans.append(Span("you: ", .dim))
    } else if let sender = row.lastSender {
        spans.append(Span("\(sender): ", .dim))
    }
    if message.isDeleted {
        spans.append(Span("message deleted", .dim))
    } else if !message.body.isBlank {
        // The start is enough for one row, and a long message must not cost.
        spans.append(Span(String(message.body.prefix(200)), .dim))
    } else if let file = message.attachment {
        spans.append(Span("\(glyphs.file) \(file.name ?? "file")", .dim))
    } else if message.imageURL != nil {
        spans.append(Span("\(glyphs.file) picture", .dim))
    }
    return Line(spans)
}

/// The list's rows from `top` on, as many as fit, each with the ground under it.
func listLines(
    _ state: ConversationListState, top: Int, size: Size, look: ListLook
) -> [(line: Line, ground: Role?)] {
    let glyphs = look.style.glyphs
    guard !state.rows.isEmpty else { return emptyList(state, look).map { ($0, nil) } }
    var lines: [(line: Line, ground: Role?)] = []
    for row in state.rows.dropFirst(top) {
        guard lines.count < size.rows else { break }
        let isMarked = row.id == state.selection && look.isFocused
        let mark = isMarked ? glyphs.bar : row.id == look.open ? glyphs.thinBar : " "
        let ground: Role? = isMarked ? .selected : nil
        lines += conversationLines(row, width: size.columns, look: look, mark: mark).map { ($0, ground) }
    }
    return Array(lines.prefix(size.rows))
}

private func emptyList(_ state: ConversationListState, _ look: ListLook) -> [Line] {
    if !state.filter.isEmpty { return [Line(" Nothing has this name.", .dim)] }
    guard state.isLoaded else { return [Line(" Loading\(look.style.glyphs.more)", .dim)] }
    return [
        .empty, Line(" No conversations yet.", .dim),
        Line(Span(" \(look.newKey)", .key), Span(" starts one.", .dim)),
    ]
}

/// The first row of the list that has to be shown for the selection to be seen.
/// - Parameters:
///   - top: The one shown before; kept where it can be.
///   - fitting: Rows of the list that fit.
func listTop(_ state: ConversationListState, top: Int, fitting: Int) -> Int {
    let fitting = max(fitting, 1)
    let selected = state.selectedIndex ?? 0
    var top = min(top, max(state.rows.count - fitting, 0))
    if selected < top { top = selected }
    if selected >= top + fitting { top = selected - fitting + 1 }
    return max(top, 0)
}
