import FoundationEssentials
import Models
import Sync

extension ThreadViewModel {
    /// Moves the lower edge of the screen. What is near the end of the window is loaded.
    /// - Parameter pinned: Stays at the message even when it is the newest one.
    package func scroll(to scroll: ThreadScroll, pinned: Bool = false) {
        var scroll = scroll
        if !pinned, case .at(let id, rowsBelow: 0) = scroll, id == state.window.messages.last?.id,
            !state.window.hasNewer
        {
            scroll = .newest
        }
        guard scroll != state.scroll else {
            loadIfNearEdge()  // at the edge, where a page that did not come is asked for again
            return
        }
        state.scroll = scroll
        if scroll == .newest { arriveAtNewest() }
        loadIfNearEdge()
    }

    package func scrollToNewest() {
        state.window.returnToNewest()
        state.scroll = .newest
        arriveAtNewest()
    }

    private func arriveAtNewest() {
        state.newBelow = 0
        markReadIfWatched()
    }

    /// What was just written ends the unread part: whoever answers has seen it.
    package func noteOwnSend() {
        state.unreadAfter = nil
        state.selection = nil
        scrollToNewest()
    }

    // MARK: Picking a message

    package func select(_ id: UUID?) {
        guard state.selection != id else { return }
        state.selection = id
        if id != nil { loadIfNearEdge() }
    }

    package func selectNewest() { select(state.window.messages.last?.id) }

    /// Moves the selection by messages; without one it begins at `start`.
    /// - Parameter steps: Negative is older. Past an end it stays at the end.
    package func moveSelection(by steps: Int, from start: UUID?) {
        let messages = state.window.messages
        guard let id = state.selection ?? start, let index = state.window.index(of: id) else {
            select(messages.last?.id)
            return
        }
        let target = state.selection == nil ? index : index + steps
        select(messages[min(max(target, 0), messages.count - 1)].id)
    }

    /// Goes to a message anywhere in the conversation and picks it.
    package func jump(to id: UUID) {
        if state.window.contains(id) {
            reveal(id)
            return
        }
        loading?.cancel()
        if state.isLoadingOlder { state.isLoadingOlder = false }
        loading = Task { [weak self, service, ref] in
            do throws(ChatError) {
                let page = try await service.messages(around: id, in: ref.id, limit: Self.pageSize)
                self?.show(page, around: id)
            } catch {
                // Whoever asked for one message waits for it: also what may pass is told.
                if error.isTransient, !Task.isCancelled { self?.onTrouble(error.userCopy) }
                self?.endLoading(error)
            }
        }
    }

    /// The first message of the unread part, if it is in the window.
    package var firstUnread: Message? {
        guard let mark = state.unreadAfter else { return nil }
        return state.window.messages.first { ($0.position ?? .min) > mark && !state.isOwn($0) }
    }

    private func show(_ page: [Message], around id: UUID) {
        guard !Task.isCancelled else { return }
        loading = nil
        guard page.contains(where: { $0.id == id }) else {
            onTrouble(
                UserCopy("That message cannot be shown.", next: "It was removed, or it is very far back."))
            return
        }
        state.window.replace(with: page)
        reveal(id)
        loadIfNearEdge()
    }

    private func reveal(_ id: UUID) {
        state.selection = id
        state.scroll = .at(id, rowsBelow: 0)
        loadIfNearEdge()
    }
}
