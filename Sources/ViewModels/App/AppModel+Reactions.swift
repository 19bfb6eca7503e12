import FoundationEssentials
import Models
import Sync

extension AppModel {
    /// Shows what can be chosen for the picked message.
    func openReaction() {
        guard let (message, thread) = reactable else { return }
        push(
            .reaction(
                ReactionViewModel(message, recent: recentReactions) { [weak self, weak thread] symbol in
                    self?.pop()
                    if let thread { self?.react(symbol, to: message, in: thread) }
                }))
    }

    /// Reacts to the picked message without asking: `:react thumbsup`.
    func react(_ typed: String) {
        guard let (message, thread) = reactable else { return }
        guard let symbol = ReactionSymbol.form(typed: typed) else {
            show(
                Notice("There is no sign of this name.", next: "Tab lists the names; an emoji will do, too."))
            return
        }
        react(symbol, to: message, in: thread)
    }

    /// What a reaction would be about; says why when there is nothing.
    private var reactable: (Message, ThreadViewModel)? {
        guard let thread, let message = thread.state.selectedMessage ?? thread.state.window.messages.last,
            !message.isDeleted
        else { return nil }
        guard message.position != nil else {
            show(Notice("Wait until it is sent."))
            return nil
        }
        return (message, thread)
    }

    /// Turns a reaction on, or off when it is on. What it is then, the store decides in the order of the keys: what is
    /// drawn may be a key or two behind.
    private func react(_ symbol: String, to message: Message, in thread: ThreadViewModel) {
        noteReaction(symbol)
        let (service, conversationID) = (thread.service, thread.ref.id)
        attempt { () async throws(ChatError) in
            try await service.react(to: message.id, in: conversationID, symbol: symbol, isOn: nil)
        }
    }

    private func noteReaction(_ symbol: String) {
        let sign = ReactionSymbol(symbol)
        recentReactions.removeAll { ReactionSymbol($0) == sign }
        recentReactions.insert(symbol, at: 0)
        recentReactions = Array(recentReactions.prefix(9))
    }
}
