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

/// The list's rows from `top` on, as many as fit, each with the ground under it.
func listLines(
    _ state: ConversationListState, top: Int, size: Size, look: ListLook,
    _ cache: inout ConversationLineCache
) -> [(line: Line, ground: Role?)] {
    let glyphs = look.style.glyphs
    guard !state.rows.isEmpty else { return emptyList(state, look).map { ($0, nil) } }
    var lines: [(line: Line, ground: Role?)] = []
    for row in state.rows.dropFirst(top) {
        guard lines.count < size.rows else { break }
        let isMarked = row.id == state.selection && look.isFocused
        let mark = isMarked ? glyphs.bar : row.id == look.open ? glyphs.thinBar : " "
        let ground: Role? = isMarked ? .selected : nil
        let rowLook = ConversationLook(row, mark: mark, width: size.columns, look)
        lines += cache.lines(for: rowLook).map { ($0, ground) }
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
