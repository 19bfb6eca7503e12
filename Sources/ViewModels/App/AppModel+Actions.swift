import FoundationEssentials
import Models
import Sync

extension AppModel {
    /// Does what a key or a command asks for. Scrolling by rows is not here: only the screen knows rows.
    /// - Parameter count: How often, for moves.
    package func perform(_ action: Action, count: Int = 1) {
        switch action {
        case .nextPane: stepFocus(by: 1)
        case .previousPane: stepFocus(by: -1)
        case .focusList: leaveToList()
        case .focusThread: setFocus(.thread)
        case .focusComposer: setFocus(.composer)
        case .nextConversation: stepConversation(by: count)
        case .previousConversation: stepConversation(by: -count)
        case .openPosition(let place): openPosition(place)
        case .nextUnread: openNextUnread()
        case .lastConversation: if let lastOpen { open(lastOpen) }
        case .open: if let row = list.state.selectedRow { open(row.id) }
        case .filter: beginFilter()
        case .markRead: markSelected(isUnread: false)
        case .markUnread: markSelected(isUnread: true)
        case .toggleRead: toggleSelectedRead()
        case .leaveConversation: askToLeave()
        case .toggleList: state.isListHidden.toggle()
        case .retryConnection: retryConnection()
        case .redraw: emit(.redraw)
        case .suspend: emit(.suspend)
        case .quit: askToQuit(always: false)
        case .interrupt: interrupt()
        case .help: push(.page(.help(state.focus), scrolled: 0))
        case .commandLine: openCommandLine(":")
        case .switcher, .newConversation, .invite, .members, .react, .info, .addAccount, .signOut,
            .accounts, .outbox:
            openPlace(for: action)
        case .resendAll: resendAll()
        case .dropAll: askToDropAll()
        case .reply, .edit, .delete, .deleteForAll, .copyText, .resend, .takeBack, .drop, .jumpToQuoted,
            .clearSelection,
            .threadTop, .threadNewest, .firstUnread:
            performInThread(action)
        case .attach, .detach, .saveFile, .openFile, .picture: performWithFile(action)
        case .send: composer?.send()
        case .editInEditor: if let composer { emit(.editInEditor(composer.state.text.text)) }
        case .recallOlder: composer?.recallSent(by: -1)
        case .recallNewer: composer?.recallSent(by: 1)
        case .text(let command): performText(command)
        case .down, .up, .first, .last, .halfPageDown, .halfPageUp, .listPageUp, .listPageDown:
            moveInList(action, count: count, page: 10)
        case .threadPageUp, .threadPageDown: break  // only the screen knows what a page is
        case .accept, .cancel, .toggle, .nextField, .previousField: break  // popups take these themselves
        }
    }

    /// Moves the selection of the list.
    /// - Parameter page: Rows of the list that are on the screen.
    package func moveInList(_ action: Action, count: Int, page: Int) {
        let half = max(page / 2, 1)
        switch action {
        case .down: list.moveSelection(by: count)
        case .up: list.moveSelection(by: -count)
        case .first: list.moveSelection(by: -list.state.rows.count)
        case .last: list.moveSelection(by: list.state.rows.count)
        case .halfPageDown: list.moveSelection(by: half * count)
        case .halfPageUp: list.moveSelection(by: -half * count)
        case .listPageDown: list.moveSelection(by: page * count)
        case .listPageUp: list.moveSelection(by: -page * count)
        default: break
        }
    }

    // MARK: Panes and conversations

    private func stepFocus(by step: Int) {
        var stops = Focus.allCases
        if state.isListHidden, thread != nil { stops.removeAll { $0 == .list } }
        let place = stops.firstIndex(of: state.focus) ?? 0
        setFocus(stops[((place + step) % stops.count + stops.count) % stops.count])
    }

    private func leaveToList() {
        state.isListHidden = false
        setFocus(.list)
    }

    private func stepConversation(by step: Int) {
        let rows = list.state.rows
        guard !rows.isEmpty else { return }
        let here = (state.open ?? list.state.selection).flatMap { ref in rows.firstIndex { $0.id == ref } }
        guard let here else {
            open(rows[0].id, focus: nil)
            return
        }
        let target = min(max(state.open == nil ? here : here + step, 0), rows.count - 1)
        open(rows[target].id, focus: state.focus == .list ? nil : .composer)
    }

    private func openPosition(_ place: Int) {
        guard place <= list.state.rows.count else { return }
        open(list.state.rows[place - 1].id)
    }

    private func openNextUnread() {
        if let row = list.nextUnread(after: state.open) {
            open(row.id)
        } else {
            show(Notice("Nothing else is unread."))
        }
    }

    private func beginFilter() {
        leaveToList()
        list.beginFilter()
    }

    private func toggleSelectedRead() {
        guard let row = list.state.selectedRow else { return }
        markSelected(isUnread: !row.conversation.isUnread)
    }

    private func markSelected(isUnread: Bool) {
        guard let row = list.state.selectedRow, let last = row.conversation.lastMessage,
            let service = entry(row.id.account)?.account.service
        else { return }
        // Somebody who looks at it reads it.
        if isUnread, state.open == row.id { setFocus(.list) }
        attempt { () async throws(ChatError) in
            if isUnread {
                try await service.markUnread(row.id.id)
            } else {
                try await service.markRead(upTo: last.id, in: row.id.id)
            }
        }
    }

    private func retryConnection() {
        for entry in accounts where entry.banner.status != .connected {
            perform { await entry.account.service.reconnectNow() }
        }
    }

    // MARK: Leaving

    private func askToLeave() {
        let ref = state.focus == .list ? list.state.selection : state.open
        guard let ref, let row = list.row(ref), let service = entry(ref.account)?.account.service else {
            return
        }
        let detail =
            row.conversation.isGroup
            ? "The others stay; somebody has to add you to come back."
            : "It goes from your list until one of you writes again."
        ask("Leave \(row.name)?", detail: detail, answers: ["Stay", "Leave"]) { [weak self] answer in
            guard answer == 1 else { return }
            self?.attempt { () async throws(ChatError) in try await service.leaveConversation(ref.id) }
        }
    }

    /// Quits, after a question when something waits to be sent.
    /// - Parameter always: Asks in any case: a single stray key must not end the program.
    func askToQuit(always: Bool) {
        let waiting = waitingCount
        guard waiting > 0 || always else {
            emit(.quit)
            return
        }
        ask("Quit Pingline?", detail: quitDetail(waiting), answers: ["Stay", "Quit"]) { [weak self] answer in
            if answer == 1 { self?.emit(.quit) }
        }
    }

    private func quitDetail(_ waiting: Int) -> String {
        let isLost = accounts.contains { !$0.account.isKept && $0.banner.waitingCount > 0 }
        return switch (waiting, isLost) {
        case (0, _): "Everything is sent."
        case (1, true): "1 message waits to be sent. It is nowhere but here, and lost if you quit."
        case (1, false): "1 message waits to be sent. It is kept and goes out the next time."
        case (_, true): "\(waiting) messages wait to be sent. Not all of them are kept if you quit."
        case (_, false): "\(waiting) messages wait to be sent. They are kept and go out the next time."
        }
    }

    /// Ctrl-c: clears what is being written; with nothing to clear it offers to quit.
    private func interrupt() {
        if let composer, !composer.state.text.isEmpty {
            composer.setText("")
        } else if composer?.dropFile() != true, composer?.dropMode() != true {
            askToQuit(always: true)
        }
    }

    // MARK: The composer

    private func performText(_ command: TextCommand) {
        guard let composer else { return }
        composer.perform(command)
    }

    /// Takes back the text that was edited in the user's own editor.
    package func takeEdited(_ text: String) {
        composer?.setText(text.withPlainLineBreaks.trimmedAtEnd)
        setFocus(.composer)
    }
}
