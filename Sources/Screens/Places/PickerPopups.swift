import FoundationEssentials
import Models
import Terminal
import ViewModels

extension Screen {
    /// Rows for a list inside a popup: some of it around the selection.
    func visible<Item>(_ items: [Item], selected: Int, fitting: Int) -> [(place: Int, item: Item)] {
        let count = max(min(items.count, fitting), 0)
        let first = min(max(selected - count / 2, 0), items.count - count)
        return items.enumerated().dropFirst(first).prefix(count).map { ($0.offset, $0.element) }
    }

    func drawSwitcher(_ state: SwitcherViewModel.State, into frame: inout Frame) {
        let width = popupWidth(50)
        let field = fieldLine(Line("Go to  ", .heading), state.query, width: width)
        var rows = [PopupRow(field.line), .empty]
        let fitting = max(min(size.rows - 8, 12), 1)
        for (place, row) in visible(state.rows, selected: state.selected, fitting: fitting) {
            let unread = row.conversation.unreadCount
            let isUnread = row.conversation.isUnread
            let count = unread > 0 ? "\(unread)" : style.glyphs.bullet
            let right = isUnread ? Line(count, .unread) : .empty
            let line = Line.justified(Line(row.name, isUnread ? .title : .body), right, in: width - 2)
            rows.append(choiceRow(line, isSelected: place == state.selected))
        }
        if state.rows.isEmpty { rows.append(PopupRow(Line("Nothing has this name.", .dim))) }
        frame.popup(
            rows, title: "Conversations",
            footer: keyHints(.picker, [(.accept, "opens"), (.cancel, "closes")]), width: width,
            glyphs: style.glyphs, cursor: Point(column: field.cursor, row: 0))
    }

    func drawReaction(_ state: ReactionViewModel.State, into frame: inout Frame) {
        let width = popupWidth(50)
        var spans: [Span] = []
        for (place, symbol) in state.symbols.enumerated() {
            let isSelected = place == state.selected
            let mark = state.isMine(symbol) ? style.glyphs.bullet : ""
            let text = ReactionSymbol.sign(of: symbol) + mark
            spans.append(Span(isSelected ? "[\(text)]" : " \(text) ", isSelected ? .buttonFocused : .body))
        }
        let quote = Line(String(state.message.body.prefix(200)), .quote).truncated(to: width)
        let hint = Line("1 to \(state.symbols.count), arrows, or type any emoji", .dim)
        frame.popup(
            [PopupRow(quote), .empty, PopupRow(Line(spans)), .empty, PopupRow(hint)], title: "React",
            footer: keyHints(.picker, [(.accept, "chooses"), (.cancel, "closes")]), width: width,
            glyphs: style.glyphs)
    }

    // MARK: People

    func drawPeople(_ state: PeopleViewModel.State, into frame: inout Frame) {
        let width = popupWidth(54)
        var rows: [PopupRow] = []
        var cursor: Point?
        if state.accounts.count > 1, state.purpose == .newConversation {
            let mark = state.part == .account ? "\(style.glyphs.bar) " : "  "
            rows.append(
                PopupRow(
                    Line(
                        Span(mark, .brand), Span("Account  ", .heading),
                        Span(state.accounts[state.account], .body))))
        }
        let search = fieldLine(label("Find", state.part == .search), state.query, width: width)
        if state.part == .search { cursor = Point(column: search.cursor, row: rows.count) }
        rows.append(PopupRow(search.line))
        if state.purpose == .newConversation {
            let title = fieldLine(label("Title", state.part == .title), state.title, width: width)
            if state.part == .title { cursor = Point(column: title.cursor, row: rows.count) }
            rows.append(PopupRow(title.line))
        }
        if !state.picked.isEmpty {
            let names = state.picked.map(\.displayName).joined(separator: ", ")
            rows += wrap("With \(names)", to: width).prefix(3).map { PopupRow(Line($0, .success)) }
        }
        rows.append(.empty)
        rows += resultRows(state, width: width, fitting: max(min(size.rows - rows.count - 5, 10), 1))
        rows += troubleRows(state.trouble.map { ($0.what, $0.next) }, width: width)
        let (title, done) = words(for: state)
        frame.popup(
            rows, title: title,
            footer: keyHints(.picker, [(.accept, done), (.nextField, "next part"), (.cancel, "closes")]),
            width: width, glyphs: style.glyphs, cursor: cursor)
    }

    private func label(_ text: String, _ isFocused: Bool) -> Line {
        let mark = Span(isFocused ? "\(style.glyphs.bar) " : "  ", .brand)
        return Line([mark] + Line(text, .heading).fitted(to: 9).spans)
    }

    private func words(for state: PeopleViewModel.State) -> (title: String, done: String) {
        let picks = state.part == .search && !state.query.isEmpty
        switch state.purpose {
        case .newConversation:
            return ("New conversation", picks ? "picks" : state.isGroup ? "starts the group" : "starts")
        case .invite(_, let title): return ("Add people to \(title)", picks ? "picks" : "adds")
        }
    }

    private func resultRows(_ state: PeopleViewModel.State, width: Columns, fitting: Int) -> [PopupRow] {
        if state.isBusy { return [PopupRow(Line("One moment\(style.glyphs.more)", .dim))] }
        if !state.results.isEmpty {
            return visible(state.results, selected: state.selected, fitting: fitting).map { place, person in
                let isPicked = state.picked.contains { $0.id == person.id }
                let mark = isPicked ? "\(style.glyphs.boxOn) " : "\(style.glyphs.boxOff) "
                let line = Line(
                    Span(mark, .dim), Span(person.displayName, .body), Span("  @\(person.username)", .dim))
                return choiceRow(line.truncated(to: width - 2), isSelected: place == state.selected)
            }
        }
        let words =
            if state.isSearching {
                "Looking\(style.glyphs.more)"
            } else if state.wasSearched {
                "Nobody has this name."
            } else if state.picked.isEmpty {
                "Type two letters of a name or more."
            } else {
                "Type another name, or go on."
            }
        return [PopupRow(Line(words, .dim))]
    }
}
