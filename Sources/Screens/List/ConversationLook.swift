import FoundationEssentials
import Models
import Terminal
import ViewModels

/// All that the two rows of one conversation are drawn from.
struct ConversationLook: Equatable {
    var row: ConversationRow
    /// When the last message came, at most 6 columns.
    var when: String
    /// One column, before both rows.
    var mark: String
    var isOpen: Bool
    /// The other one of two is present.
    var isHere: Bool
    var width: Columns
    var glyphs: Glyphs

    init(_ row: ConversationRow, mark: String, width: Columns, _ look: ListLook) {
        let conversation = row.conversation
        let time = conversation.lastMessage?.createdAt ?? Date(microseconds: conversation.activityAt)
        when = look.style.clock.shortText(time, now: look.now)
        isOpen = row.id == look.open
        isHere = conversation.peer.map { look.present.contains($0.id) } ?? false
        glyphs = look.style.glyphs
        (self.row, self.mark, self.width) = (row, mark, width)
    }

    /// The two rows.
    var lines: [Line] {
        let conversation = row.conversation
        let role: Role = conversation.isUnread || isOpen ? .title : .body
        let name = Line(Span(mark, .brand), Span(row.name, role))
        var right: [Span] = []
        if isHere { right.append(Span("\(glyphs.here) ", .success)) }
        if conversation.isUnread {
            let count = conversation.unreadCount
            right.append(Span((count > 0 ? unreadText(count) : glyphs.bullet) + " ", .unread))
        }
        let time = Line(when, .time).rightAligned(in: 6)
        let first = Line.justified(name, Line(right + time.spans), in: width - 1)
        let second = Line([Span(mark, .brand)] + preview(of: row, glyphs).spans)
        return [first.fitted(to: width), second.truncated(to: width - 1).fitted(to: width)]
    }
}

/// The rows of conversations as they were drawn last: opening another one changes two of them.
///
/// They are used again only for an equal look, so that nothing stale can be drawn.
struct ConversationLineCache {
    private var entries: [ConversationRef: (look: ConversationLook, lines: [Line])] = [:]

    /// Conversations kept; more than any screen has rows for.
    private static let limit = 200

    mutating func lines(for look: ConversationLook) -> [Line] {
        if let entry = entries[look.row.id], entry.look == look { return entry.lines }
        if entries.count >= Self.limit { entries = [:] }
        let lines = look.lines
        entries[look.row.id] = (look, lines)
        return lines
    }
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
