import Terminal
import ViewModels

extension Screen {
    // MARK: Pastes and the mouse

    /// A paste is text, never keys. A long one, or one with control characters, is asked about first.
    func paste(_ text: String, _ model: AppModel) {
        clearPending()
        let plain = text.withPlainLineBreaks.withoutControls
        switch model.places.last {
        case .commandLine(let line): line.edit { $0.insert(plain) }
        case .switcher(let switcher): switcher.edit { $0.insert(plain) }
        case .people(let people): people.edit { $0.insert(plain) }
        case .signIn(let form): form.edit { $0.insert(plain) }
        case .page, .confirm, .reaction, .firstRun, .outbox: break
        case nil:
            if model.list.state.isFiltering, model.state.focus == .list {
                model.list.editFilter { $0.insert(plain) }
            } else {
                model.paste(text)
            }
        }
    }

    func mouse(_ event: MouseEvent, _ model: AppModel) {
        guard model.places.isEmpty, let layout = layout(of: Shown(model)) else { return }
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
            let composer = threadParts(Shown(model), layout, area).composer
            model.setFocus(composer.contains(point) ? .composer : .thread)
        }
    }
}

extension Area {
    func contains(_ point: Point) -> Bool {
        point.column >= origin.column && point.column < endColumn && point.row >= origin.row
            && point.row < endRow
    }
}
