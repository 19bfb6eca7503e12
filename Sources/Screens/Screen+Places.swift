import FoundationEssentials
import Terminal
import ViewModels

extension Screen {
    // MARK: Keys

    /// Gives a key to what lies on top of the panes.
    func press(_ key: Key, in place: Place, _ model: AppModel) {
        switch place {
        case .help(let focus, let scrolled):
            if let action = action(of: key, .help) { pressInHelp(action, focus, scrolled, model) }
        case .confirm(let confirm): press(key, in: confirm, model)
        case .commandLine(let line): press(key, in: line, model)
        }
    }

    func action(of key: Key, _ table: KeyTable) -> Action? {
        if case .action(let action) = table.meaning(of: [key]) { action } else { nil }
    }

    private func pressInHelp(_ action: Action, _ focus: Focus, _ scrolled: Int, _ model: AppModel) {
        let page = max(size.rows - 6, 1)
        let most = max(helpLines(for: focus, width: size.columns).count - page, 0)
        let target: Int
        switch action {
        case .down: target = scrolled + 1
        case .up: target = scrolled - 1
        case .halfPageDown: target = scrolled + page
        case .halfPageUp: target = scrolled - page
        case .first: target = 0
        case .last: target = most
        default:
            model.pop()
            return
        }
        model.scrollHelp(to: min(max(target, 0), most))
    }

    private func press(_ key: Key, in confirm: ConfirmViewModel, _ model: AppModel) {
        switch action(of: key, .confirm) {
        case .accept: confirm.answer()
        case .down: confirm.move(by: 1)
        case .up: confirm.move(by: -1)
        case .cancel: model.pop()
        default: if let typed = key.typed, confirm.select(startingWith: typed) { confirm.answer() }
        }
    }

    private func press(_ key: Key, in line: CommandLineViewModel, _ model: AppModel) {
        switch action(of: key, .commandLine) {
        case .accept: model.acceptCommandLine(line)
        case .cancel: model.pop()
        case .nextField: line.complete()
        case .previousField: line.complete(by: -1)
        default: editCommandLine(key, line, model)
        }
    }

    private func editCommandLine(_ key: Key, _ line: CommandLineViewModel, _ model: AppModel) {
        if line.state.text.isEmpty, key == .backspace {
            model.pop()
        } else if line.state.text.isEmpty, let typed = key.typed, !typed.isLetter,
            model.typeInsteadOfCommand(line.state.prompt, then: typed)
        {
            return
        } else {
            edit(key) { line.edit($0) }
        }
    }

    /// Edits a one-line text with a key, if the key does that.
    func edit(_ key: Key, _ apply: ((inout TextBuffer) -> Void) -> Void) {
        if let typed = key.typed {
            apply { $0.insert(String(typed)) }
        } else if case .text(let command) = action(of: key, .textField) {
            apply { $0.perform(command) }
        }
    }

    func pressInFilter(_ key: Key, _ model: AppModel) {
        switch action(of: key, .filter) {
        case .accept: model.list.endFilter(keeping: true)
        case .cancel: model.list.endFilter(keeping: false)
        case .down: model.list.moveSelection(by: 1)
        case .up: model.list.moveSelection(by: -1)
        default: edit(key) { model.list.editFilter($0) }
        }
    }

    // MARK: Pastes and the mouse

    /// A paste is text, never keys. A long one, or one with control characters, is asked about first.
    func paste(_ text: String, _ model: AppModel) {
        clearSequence()
        if case .commandLine(let line) = model.places.last {
            line.edit { $0.insert(text.withoutControls) }
        } else if !model.places.isEmpty {
            return
        } else if model.list.state.isFiltering, model.state.focus == .list {
            model.list.editFilter { $0.insert(text.withoutControls) }
        } else {
            model.paste(text)
        }
    }

    private func clearSequence() {
        pending = []
        count = 0
    }

    func mouse(_ event: MouseEvent, _ model: AppModel) {
        guard model.places.isEmpty, let layout = layout(of: model) else { return }
        let isInList = layout.list.map { $0.contains(event.at) } ?? false
        switch event.action {
        case .scrollUp where isInList: model.list.moveSelection(by: -1)
        case .scrollDown where isInList: model.list.moveSelection(by: 1)
        case .scrollUp: scrollThread(model) { _ in 2 }
        case .scrollDown: scrollThread(model) { _ in -2 }
        case .press(1): click(event.at, model, layout)
        case .press, .release, .drag: break
        }
    }

    private func click(_ point: Point, _ model: AppModel, _ layout: PaneLayout) {
        if let area = layout.list, area.contains(point) {
            let content = listContent(layout, area, model.list.state)
            let place = listTop + (point.row - content.origin.row) / 2
            let rows = model.list.state.rows
            if content.contains(point), rows.indices.contains(place) { model.open(rows[place].id) }
        } else if let area = layout.thread, area.contains(point) {
            let composer = threadParts(model, layout, area).composer
            model.setFocus(composer.contains(point) ? .composer : .thread)
        }
    }

    // MARK: Drawing

    /// Draws what lies over the panes.
    func drawPlaces(_ model: AppModel, _ layout: PaneLayout, into frame: inout Frame) {
        for place in model.places {
            switch place {
            case .help(let focus, let scrolled): drawHelp(focus, scrolled, into: &frame)
            case .confirm(let confirm): drawConfirm(confirm.state, into: &frame)
            case .commandLine(let line): drawCommandLine(line.state, layout, into: &frame)
            }
        }
    }

    private func drawCommandLine(
        _ state: CommandLineViewModel.State, _ layout: PaneLayout, into frame: inout Frame
    ) {
        guard let row = layout.bottom else { return }
        let text = TextLayout(state.text, room: 10_000)
        let hints = state.completions.filter { $0 != state.text.text }.prefix(8).joined(separator: "  ")
        let line = Line(
            Span(" \(state.prompt)", .key), Span(text.lines[0], .input), Span("  \(hints)", .dim))
        frame.draw(line.truncated(to: size.columns), at: Point(column: 0, row: row), width: size.columns)
        frame.cursor = Point(column: min(text.column + 2, size.columns - 1), row: row)
    }
}

extension Area {
    func contains(_ point: Point) -> Bool {
        point.column >= origin.column && point.column < endColumn && point.row >= origin.row
            && point.row < endRow
    }
}
