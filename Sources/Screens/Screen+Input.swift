import FoundationEssentials
import Models
import Terminal
import ViewModels

extension Screen {
    /// Gives the model what came from the terminal.
    package func handle(_ event: InputEvent, model: AppModel) {
        switch event {
        case .key(let key): press(key, model)
        case .paste(let text): paste(text, model)
        case .focus(let isFocused): model.setWindowFocused(isFocused)
        case .mouse(let mouse): self.mouse(mouse, model)
        }
    }

    private func press(_ key: Key, _ model: AppModel) {
        if model.state.notice != nil { model.dropNotice() }
        if let place = model.places.last {
            press(key, in: place, model)
            return
        }
        if model.list.state.isFiltering, model.state.focus == .list {
            pressInFilter(key, model)
            return
        }
        if countDigit(key, model) { return }
        let layers = layers(of: model)
        switch layers.meaning(of: pending + [key]) {
        case .action(let action):
            let count = max(self.count, 1)
            clearPending()
            perform(action, count: count, key, model)
        case .beginning: pending.append(key)
        case .nothing:
            let wasPending = !pending.isEmpty
            clearPending()
            if wasPending { return }
            if model.state.focus == .composer, let typed = key.typed { model.composer?.type(typed) }
        }
    }

    func clearPending() {
        pending = []
        count = 0
    }

    /// Digits before a command count it: `4j`.
    private func countDigit(_ key: Key, _ model: AppModel) -> Bool {
        guard model.state.focus != .composer, pending.isEmpty, let typed = key.typed, typed.isASCII,
            let digit = typed.wholeNumberValue, digit > 0 || count > 0
        else { return false }
        count = min(count * 10 + digit, 9_999)
        return true
    }

    /// The key tables that count now, the nearest first.
    func layers(of model: AppModel) -> KeyLayers {
        switch model.state.focus {
        case .list: return keys.layers(.list, .anywhere)
        case .thread: return keys.layers(.thread, .anywhere)
        case .composer:
            let isEmpty = model.composer?.state.text.isEmpty ?? true
            return keys.layers(isEmpty ? .composerEmpty : .composerText, .composer, .anywhere)
        }
    }

    // MARK: Actions that depend on what is on the screen

    func perform(_ action: Action, count: Int, _ key: Key?, _ model: AppModel) {
        switch action {
        case .threadPageUp: scrollThread(model) { $0.height * count }
        case .threadPageDown: scrollThread(model) { -$0.height * count }
        case .listPageUp, .listPageDown: model.moveInList(action, count: count, page: listPage(model))
        case .down, .up, .first, .last, .halfPageUp, .halfPageDown:
            switch model.state.focus {
            case .list: model.moveInList(action, count: count, page: listPage(model))
            case .thread: moveInThread(action, count, model)
            case .composer: break
            }
        case .threadTop, .threadNewest, .firstUnread:
            model.perform(action)
            if action == .threadNewest, model.state.focus == .thread { model.thread?.selectNewest() }
            if action == .threadTop { revealTop(model) }
        case .picture: model.togglePicture(isMissing: isMissing)
        case .commandLine: model.openCommandLine(key?.typed == "/" ? "/" : ":")
        case .cancel where model.state.focus == .list: model.list.endFilter(keeping: false)
        default: model.perform(action, count: count)
        }
    }

    /// Whether the picture could not be drawn, and the user has not asked for it yet.
    private func isMissing(_ picture: Attachment) -> Bool {
        guard let wish = wishes.first(where: { $0.attachment == picture }), !wish.key.isAsked else {
            return false
        }
        return switch album?.entries[wish.key] {
        case .tooLarge, .failed: true
        case .drawn, nil: false
        }
    }

    private func listPage(_ model: AppModel) -> Int {
        guard let layout = layout(of: Shown(model)), let area = layout.list else { return 10 }
        return max(listContent(layout, area, model.list.state).size.rows / 2, 1)
    }

    /// The thread as it is laid out now; `nil` when it is not on the screen.
    private func visibleThread(_ model: AppModel) -> ThreadLayout? {
        let shown = Shown(model)
        guard let state = shown.thread, let layout = layout(of: shown), let area = layout.thread else {
            return nil
        }
        return threadLayout(state, threadParts(shown, layout, area))
    }

    /// - Parameter rows: How far, of a thread of some height; up is positive.
    func scrollThread(_ model: AppModel, by rows: (ThreadLayout) -> Int) {
        guard let thread = model.thread, let layout = visibleThread(model) else { return }
        // One row of the old page stays in sight.
        let distance = rows(layout)
        let step = abs(distance) > 2 ? distance - distance.signum() : distance
        thread.scroll(to: layout.scrolled(up: step, &cache))
        keepSelectionInSight(model)
    }

    /// After scrolling, the picked message is one that is seen.
    private func keepSelectionInSight(_ model: AppModel) {
        guard model.state.focus == .thread, let thread = model.thread, let layout = visibleThread(model)
        else {
            return
        }
        let seen = layout.rows(&cache).compactMap(\.messageID)
        guard let selection = thread.state.selection, !seen.contains(selection) else { return }
        let isBelow = thread.state.window.index(of: selection) ?? 0
        let last = seen.last.flatMap { thread.state.window.index(of: $0) } ?? 0
        thread.select(isBelow > last ? seen.last : seen.first)
    }

    private func moveInThread(_ action: Action, _ count: Int, _ model: AppModel) {
        guard let thread = model.thread, let layout = visibleThread(model) else { return }
        switch action {
        case .up, .down:
            let lowest = layout.rows(&cache).last { $0.messageID != nil }?.messageID
            thread.moveSelection(by: action == .up ? -count : count, from: lowest)
            reveal(model)
        case .halfPageUp: scrollThread(model) { max($0.height / 2, 1) * count }
        case .halfPageDown: scrollThread(model) { -max($0.height / 2, 1) * count }
        case .first, .last: break  // g and G have their own actions here
        default: break
        }
    }

    private func reveal(_ model: AppModel) {
        guard let thread = model.thread, let layout = visibleThread(model),
            let selection = thread.state.selection
        else { return }
        let scroll = layout.revealing(selection, &cache)
        let isNewest = selection == thread.state.window.messages.last?.id
        if scroll == .newest, !isNewest, let last = thread.state.window.messages.last {
            // Reading an older message: what comes in must not move it.
            thread.scroll(to: .at(last.id, rowsBelow: 0), pinned: true)
        } else {
            thread.scroll(to: isNewest && scroll.messageID == selection ? .newest : scroll)
        }
    }

    private func revealTop(_ model: AppModel) {
        guard let thread = model.thread, let layout = visibleThread(model),
            let first = thread.state.window.messages.first
        else { return }
        thread.scroll(to: layout.revealing(first.id, &cache))
    }
}
