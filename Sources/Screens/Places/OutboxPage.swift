import FoundationEssentials
import Models
import Terminal
import ViewModels

/// What waits to be sent and what failed: two rows for each operation.
extension Screen {
    func drawOutbox(_ state: OutboxState, _ model: AppModel, into frame: inout Frame) {
        let width = popupWidth(76)
        let fitting = max((size.rows - 4) / 2, 1)
        var rows: [PopupRow] = []
        for (place, row) in visible(state.rows, selected: state.selectedIndex ?? 0, fitting: fitting) {
            let isSelected = place == state.selectedIndex
            let isTagged = state.tagged.contains(row.id)
            let lines = [
                headLine(row, model, isTagged: isTagged, width: width - 2), stateLine(row, state, model),
            ]
            rows += lines.map { choiceRow($0.truncated(to: width - 2), isSelected: isSelected) }
        }
        if state.rows.isEmpty {
            let words = state.isLoaded ? "Nothing waits, and nothing failed." : "Loading\(style.glyphs.more)"
            rows.append(PopupRow(Line(words, .dim)))
        }
        let hints: [(Action, String)] =
            state.rows.isEmpty
            ? [(.cancel, "closes")]
            : [
                (.resend, "tries"), (.takeBack, "takes back"), (.drop, "drops"), (.toggle, "tags"),
                (.cancel, state.tagged.isEmpty ? "closes" : "untags"),
            ]
        frame.popup(
            rows, title: title(of: state), footer: keyHints(.outbox, hints), width: width,
            glyphs: style.glyphs)
    }

    private func title(of state: OutboxState) -> String {
        let failed = state.rows.count { $0.entry.failure != nil }
        let waiting = state.rows.count - failed
        let tagged = state.tagged.count
        let parts = [
            "Outbox", waiting > 0 ? "\(waiting) waiting" : "", failed > 0 ? "\(failed) failed" : "",
            tagged > 0 ? "\(tagged) tagged" : "",
        ]
        return style.glyphs.joined(parts)
    }

    /// What it is and where it goes; since when at the right.
    private func headLine(_ row: OutboxRow, _ model: AppModel, isTagged: Bool, width: Columns) -> Line {
        let name = model.list.row(row.conversation)?.name ?? "no longer on the list"
        let since = row.entry.since.map { style.clock.shortText($0, now: now) } ?? ""
        let right = Line(since, .time).rightAligned(in: 6)
        let room = max(width - right.width - 1, 8)
        let tag = isTagged ? [Span("\(style.glyphs.boxOn) ", .warning)] : []
        let what = Line(
            tag + [
                Span(name, .title), Span(" \(style.glyphs.dot) \(words(for: row.entry))", .body),
                Span(preview(of: row.entry), .quote),
            ])
        return Line.justified(what.truncated(to: room), right, in: width)
    }

    private func words(for entry: OutboxEntry) -> String {
        switch entry.kind {
        case .send: entry.fileName == nil ? "message" : "file"
        case .edit: "edit"
        case .delete: "deletion"
        case .react(let symbol, let isOn):
            isOn
                ? "reaction \(ReactionSymbol.sign(of: symbol))"
                : "taking back \(ReactionSymbol.sign(of: symbol))"
        case .markRead: "how far you read"
        case .markDelivered: "what arrived here"
        case .removeFiles: "removal of a file"
        }
    }

    private func preview(of entry: OutboxEntry) -> String {
        let parts = [entry.fileName ?? "", String(entry.text.prefix(200))].filter { !$0.isEmpty }
        return parts.isEmpty ? "" : ": " + parts.joined(separator: " ")
    }

    /// How it stands and what comes next.
    private func stateLine(_ row: OutboxRow, _ state: OutboxState, _ model: AppModel) -> Line {
        let entry = row.entry
        if let copy = entry.failure?.userCopy {
            return Line(Span("\(style.glyphs.warning) \(copy.what)", .error), Span(" \(copy.next)", .body))
        }
        let tries =
            switch entry.tries {
            case 0: "not tried yet"
            case 1: "1 try"
            default: "\(entry.tries) tries"
            }
        let parts = [next(row, state, model), tries, entry.trouble?.words ?? ""]
        return Line("  " + style.glyphs.joined(parts), .dim)
    }

    private func next(_ row: OutboxRow, _ state: OutboxState, _ model: AppModel) -> String {
        if let left = state.secondsLeft(row) {
            return left > 0 ? "next try in \(left) s" : "next try now"
        }
        let status = model.accounts.first { $0.account.id == row.account }?.banner.status
        guard status == .connected else { return "waits for the link" }
        let first = state.rows.first { other in
            other.account == row.account && other.entry.conversationID == row.entry.conversationID
                && other.entry.failure == nil
        }
        return first?.id == row.id ? "on its way" : "waits for its turn"
    }
}
