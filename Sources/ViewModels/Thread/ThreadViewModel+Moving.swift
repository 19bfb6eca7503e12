import FoundationEssentials
import Models
import Sync

extension ThreadViewModel {
    /// Messages from an end of the window at which the next page is fetched.
    static let margin = 80
    static let pageSize = 100
    /// The most that is waited before a thread that somebody looks at is loaded on.
    static let longestPause = Duration.seconds(60)

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
        loading = Task { [weak self, service, ref] in
            do throws(ChatError) {
                let page = try await service.messages(around: id, in: ref.id, limit: Self.pageSize)
                self?.show(page, around: id)
            } catch {
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
        loading = nil
        guard page.contains(where: { $0.id == id }) else { return }
        state.window.replace(with: page)
        reveal(id)
        loadIfNearEdge()
    }

    private func reveal(_ id: UUID) {
        state.selection = id
        state.scroll = .at(id, rowsBelow: 0)
        loadIfNearEdge()
    }

    // MARK: Loading

    /// Fetches the next page when what is looked at is near an end of the window.
    package func loadIfNearEdge() {
        guard loading == nil else { return }
        let messages = state.window.messages
        let anchor = state.selection ?? state.scroll.messageID
        let seen = anchor.flatMap { state.window.index(of: $0) } ?? messages.count - 1
        if state.window.hasOlder, seen < Self.margin, pause == nil,
            let first = messages.first(where: { $0.position != nil })
        {
            loadOlder(than: first)
        } else if state.window.hasNewer, seen >= messages.count - Self.margin, let last = messages.last {
            loadNewer(than: last)
        }
    }

    private func loadOlder(than first: Message) {
        state.isLoadingOlder = true
        loading = Task { [weak self, service, ref] in
            do throws(ChatError) {
                let page = try await service.olderMessages(in: ref.id, before: first, limit: Self.pageSize)
                self?.takeOlder(page, before: first.id)
            } catch {
                self?.endLoading(error)
            }
        }
    }

    private func takeOlder(_ page: HistoryPage, before firstID: UUID) {
        loading = nil
        (state.isLoadingOlder, state.didOlderFail) = (false, false)
        // The window may have been replaced or cut meanwhile: the page must still meet its first message.
        guard state.window.messages.first(where: { $0.position != nil })?.id == firstID else {
            loadIfNearEdge()
            return
        }
        state.window.prepend(page.messages, reachedBeginning: page.reachedBeginning)
        state.window.trim(around: state.selection ?? state.scroll.messageID)
        for quote in page.messages.compactMap(\.replyTo) { loadQuote(quote) }
        if !page.messages.isEmpty { loadIfNearEdge() }
    }

    private func loadNewer(than last: Message) {
        loading = Task { [weak self, service, ref] in
            do throws(ChatError) {
                let page = try await service.messages(around: last.id, in: ref.id, limit: Self.pageSize * 2)
                self?.takeNewer(page, after: last.id)
            } catch {
                self?.endLoading(error)
            }
        }
    }

    private func takeNewer(_ page: [Message], after lastID: UUID) {
        loading = nil
        guard let last = state.window.messages.last, last.id == lastID else { return }
        state.window.append(page)
        state.window.trim(around: state.selection ?? state.scroll.messageID)
    }

    private func endLoading(_ error: ChatError) {
        loading = nil
        let wasOlder = state.isLoadingOlder
        if wasOlder { (state.isLoadingOlder, state.didOlderFail) = (false, true) }
        guard !Task.isCancelled else { return }
        if wasOlder, let wait = error.retryAfter { pauseOlder(for: wait) }
        if !error.isTransient { onTrouble(error.userCopy) }
    }

    /// However often somebody scrolls meanwhile: the service is asked again when its time is over.
    private func pauseOlder(for wait: Duration) {
        state.isOlderPaused = true
        pause = Task { [weak self, time] in
            do { try await time.sleep(min(wait, Self.longestPause)) } catch { return }
            self?.endPause()
        }
    }

    private func endPause() {
        pause = nil
        state.isOlderPaused = false
        loadIfNearEdge()
    }

    /// Finds a quoted message that is not at hand. One look at a time; what is not found stays unknown.
    func loadQuote(_ id: UUID) {
        guard quoteTask == nil, state.quotedMessage(id) == nil else { return }
        quoteTask = Task { [weak self, service, ref] in
            // Without the quoted text the reply still shows; there is nothing to tell.
            let page = (try? await service.messages(around: id, in: ref.id, limit: 1)) ?? []
            self?.takeQuote(page.first { $0.id == id })
        }
    }

    private func takeQuote(_ message: Message?) {
        quoteTask = nil
        guard let message else { return }
        if state.quoted.count >= 200 { state.quoted = [:] }
        state.quoted[message.id] = message
        let missing = state.window.messages.suffix(Self.margin).compactMap(\.replyTo)
        if let next = missing.last(where: { state.quotedMessage($0) == nil }) { loadQuote(next) }
    }
}

extension ChatError {
    /// Whether waiting may cure it; then the banner tells enough.
    var isTransient: Bool {
        switch self {
        case .store: false
        case .service(let failure): failure.isTransient
        }
    }

    /// How long the service asked to be left alone.
    var retryAfter: Duration? {
        if case .service(let failure) = self { failure.retryAfter } else { nil }
    }
}
