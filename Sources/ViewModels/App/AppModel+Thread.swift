import FoundationEssentials
import Models
import Sync

extension AppModel {
    /// What is done with the picked message, or with the thread as a whole.
    func performInThread(_ action: Action) {
        guard let thread else { return }
        switch action {
        case .threadTop: jumpToTop(of: thread)
        case .threadNewest: thread.scrollToNewest()
        case .firstUnread: if let first = thread.firstUnread { thread.jump(to: first.id) }
        case .clearSelection: leaveThread()
        default: if let message = picked(for: action) { perform(action, on: message) }
        }
    }

    /// The picked message; without one, in the composer, the last one that the action fits.
    private func picked(for action: Action) -> Message? {
        guard let thread else { return nil }
        if let message = thread.state.selectedMessage { return message }
        switch action {
        case .edit: return thread.state.window.messages.last { thread.state.isOwn($0) && !$0.isDeleted }
        case .resend: return thread.state.window.messages.last { $0.deliveryState == .failed }
        case .takeBack, .drop:
            let waiting = thread.state.window.messages.filter { $0.position == nil }
            return waiting.last { $0.deliveryState == .failed } ?? waiting.last
        default: return thread.state.window.messages.last
        }
    }

    private func perform(_ action: Action, on message: Message) {
        guard let composer, let thread else { return }
        let service = thread.service
        switch action {
        case .reply:
            composer.reply(to: message)
            setFocus(.composer)
        case .edit: edit(message, in: thread)
        case .delete, .deleteForAll: askToDelete(message, in: thread)
        case .drop:
            guard message.position == nil else {
                show(Notice("Only a message that was not sent can be dropped."))
                return
            }
            askToDelete(message, in: thread)
        case .takeBack: takeBack(message)
        case .copyText:
            emit(.copy(message.body))
            show(Notice("Copied.", tone: .good))
        case .resend:
            guard message.deliveryState == .failed else {
                show(Notice("Only a message that was not sent can be sent again."))
                return
            }
            attempt { () async throws(ChatError) in try await service.retry(message.id) }
        case .jumpToQuoted: if let quoted = message.replyTo { thread.jump(to: quoted) }
        default: break
        }
    }

    private func edit(_ message: Message, in thread: ThreadViewModel) {
        guard thread.state.isOwn(message), !message.isDeleted else {
            show(Notice("Only your own messages can be edited."))
            return
        }
        composer?.edit(message)
        setFocus(.composer)
    }

    private func askToDelete(_ message: Message, in thread: ThreadViewModel) {
        let service = thread.service
        let conversationID = thread.ref.id
        guard thread.state.isOwn(message), !message.isDeleted else {
            show(Notice("Only your own messages can be deleted."))
            return
        }
        let isWaiting = message.position == nil
        let detail = isWaiting ? "It was not sent yet." : "It goes for everybody in the conversation."
        let answers = isWaiting ? ["Keep", "Delete", "Take back"] : ["Keep", "Delete"]
        ask("Delete this message?", detail: detail, answers: answers) { [weak self] answer in
            if answer == 2 { self?.takeBack(message) }
            guard answer == 1 else { return }
            if isWaiting { self?.keepForRecall([message.body]) }
            self?.attempt { () async throws(ChatError) in
                if isWaiting {
                    try await service.drop(message.id)
                } else {
                    try await service.delete(message.id, in: conversationID)
                }
            }
        }
    }

    /// Esc in the thread: first ends a reply or an edit, then goes to the list.
    private func leaveThread() {
        if composer?.dropMode() == true { return }
        setFocus(.list)
    }

    private func jumpToTop(of thread: ThreadViewModel) {
        guard let first = thread.state.window.messages.first else { return }
        thread.scroll(to: .at(first.id, rowsBelow: 0))
        if state.focus == .thread { thread.select(first.id) }
    }
}
