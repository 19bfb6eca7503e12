import Terminal
import ViewModels

extension Screen {
    /// The help page, made from the key tables: what works where the focus was, then what works anywhere.
    func helpLines(for focus: Focus, width: Columns) -> [Line] {
        let nearest: [KeyContext] =
            switch focus {
            case .list: [.list, .filter]
            case .thread: [.thread]
            case .composer: [.composer, .composerEmpty, .composerText]
            }
        let all: [KeyContext] = [
            .list, .thread, .composer, .composerEmpty, .composerText, .filter, .commandLine, .outbox,
        ]
        let others = all.filter { !nearest.contains($0) }
        return (nearest + [.anywhere] + others).flatMap { section(keys[$0], width) }
    }

    private func section(_ table: KeyTable, _ width: Columns) -> [Line] {
        var lines = [Line(table.context.title, .heading)]
        let hasStandardPositions = table.hasStandardPositions
        for entry in table.entries {
            if entry.keys.isEmpty, !showsCommand(entry.action) { continue }
            var keys = entry.keyNames.joined(separator: "  ")
            var help = entry.help
            if case .openPosition(let place) = entry.action, hasStandardPositions {
                if place > 1 { continue }
                (keys, help) = ("Alt-1 to Alt-0", "open one of the first ten")
            }
            let left = Line(keys, .key).fitted(to: min(22, width / 2))
            let command = showsCommand(entry.action) ? Line(":\(entry.action.command)", .dim) : .empty
            let room = max(width - left.width - 1, 8)
            let text = Line(help, .body)
            let rest = room > 44 ? Line.justified(text, command, in: room) : text.truncated(to: room)
            lines.append(Line(left.spans + [.blank(1)] + rest.spans))
        }
        return lines + [.empty]
    }

    /// Editing by command is possible, but nobody wants to read about it.
    private func showsCommand(_ action: Action) -> Bool {
        if case .text = action { false } else { true }
    }
}
