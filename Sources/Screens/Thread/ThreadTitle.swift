import Models
import Terminal
import ViewModels

/// The thread's heading: its name, how many people, who is there, who types. What does not fit goes first from
/// the middle: who types is worth more than how many there are.
func threadTitle(
    _ state: ThreadState, names: ThreadNames, room: Columns, isFocused: Bool, _ glyphs: Glyphs
) -> Line {
    let conversation = state.conversation
    let role: Role = isFocused ? .heading : .title
    let typing = typingText(state, names, glyphs)
    let separator = Span(" \(glyphs.dot) ", .dim)
    let about: [Span] =
        conversation.isGroup
        ? [separator, Span(peopleText(count(state)), .dim)]
        : isHere(state) ? [separator, Span("here now", .success)] : []
    let name = Line(conversation.title.isBlank ? "(no title)" : conversation.title, role)
    let end = typing.isEmpty ? Line.empty : Line(separator, Span(typing, .typing))
    let full = Line(name.spans + about + end.spans)
    if full.width <= room { return full }
    if name.width + end.width <= room { return name + end }
    let kept = name.truncated(to: max(room - end.width, min(12, room)))
    return (kept + end).truncated(to: room)
}

private func isHere(_ state: ThreadState) -> Bool {
    state.conversation.peer.map { state.present.contains($0.id) } ?? false
}

/// Who comes and goes is heard of at once; the conversation's own count is as old as its list.
private func count(_ state: ThreadState) -> Int {
    state.members.isEmpty ? state.conversation.memberCount : state.members.count { !$0.hasLeft }
}

private func peopleText(_ count: Int) -> String { count == 1 ? "1 person" : "\(count) people" }

private func typingText(_ state: ThreadState, _ names: ThreadNames, _ glyphs: Glyphs) -> String {
    let who = state.typing.map { names.name($0) ?? "someone" }
    switch who.count {
    case 0: return ""
    case 1: return state.conversation.isGroup ? "\(who[0]) is typing\(glyphs.more)" : "typing\(glyphs.more)"
    case 2: return "\(who[0]) and \(who[1]) are typing\(glyphs.more)"
    default: return "\(who.count) people are typing\(glyphs.more)"
    }
}

extension Screen {
    /// What the lower edge of the thread's frame tells: trouble with the text, or what is out of sight below.
    func threadFooter(_ shown: Shown, _ state: ThreadState) -> Line {
        if let hint = shown.composer?.hint {
            return switch hint {
            case .nothingToSend: Line("There is nothing to send.", .warning)
            case .emptyEdit: Line("A message cannot become empty. Delete it instead.", .warning)
            case .notKept(let copy): Line("\(copy.what) \(copy.next)", .error)
            }
        }
        guard !state.showsNewest else { return .empty }
        let key = keys.layers(.anywhere).name(of: .threadNewest) ?? ""
        let news = state.newBelow > 0 ? "\(state.newBelow) new" : "newer messages"
        let text = "\(style.glyphs.down) \(news) \(style.glyphs.dot) \(key)"
        return Line(text, state.newBelow > 0 ? .unread : .dim)
    }
}
