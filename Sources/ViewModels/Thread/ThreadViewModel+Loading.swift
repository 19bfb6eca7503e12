import FoundationEssentials
import Models
import Sync

/// Fetches what is near the screen before it is looked at.
extension ThreadViewModel {
    /// Messages from an end of the window at which the next page is fetched.
    static let margin = 80
    static let pageSize = 100
    /// The most that is waited before a thread that somebody looks at is loaded on.
    static let longestPause = Duration.seconds(60)

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
        } else if let upper = gapEnd, abs(upper.index - seen) < Self.margin, pause == nil {
            loadOlder(than: upper.message)
        }
    }

    /// The first message above the gap, when there are others below it in the window.
    private var gapEnd: (message: Message, index: Int)? {
        guard let gap = state.gapBefore else { return nil }
        let messages = state.window.messages
        guard let index = messages.firstIndex(where: { ($0.position ?? .max) >= gap }), index > 0,
            messages[index].position != nil
        else { return nil }
        return (messages[index], index)
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
        guard !Task.isCancelled else { return }
        loading = nil
        (state.isLoadingOlder, state.didOlderFail) = (false, false)
        if let index = state.window.index(of: firstID), index > 0 {
            takeFilling(page)
            return
        }
        // The window may have been replaced or cut meanwhile: the page must still meet its first message.
        guard state.window.messages.first(where: { $0.position != nil })?.id == firstID else {
            loadIfNearEdge()
            return
        }
        state.window.prepend(page.messages, reachedBeginning: page.reachedBeginning)
        state.window.trim(around: state.selection ?? state.scroll.messageID)
        for quote in page.messages.compactMap(\.replyTo) { loadQuote(quote) }
        if !page.messages.isEmpty || page.reachedBeginning { loadIfNearEdge() }
    }

    /// What was missing in the middle of the window. That it is filled is told apart from it.
    private func takeFilling(_ page: HistoryPage) {
        for message in page.messages { _ = state.window.merge(message) }
        for quote in page.messages.compactMap(\.replyTo) { loadQuote(quote) }
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
        guard !Task.isCancelled else { return }
        loading = nil
        guard let last = state.window.messages.last, last.id == lastID else { return }
        state.window.append(page)
        state.window.trim(around: state.selection ?? state.scroll.messageID)
    }

    func endLoading(_ error: ChatError) {
        guard !Task.isCancelled else { return }  // something else has its place by now
        loading = nil
        let wasOlder = state.isLoadingOlder
        if wasOlder { (state.isLoadingOlder, state.didOlderFail) = (false, true) }
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
        guard quoteTask == nil, !lostQuotes.contains(id), state.quotedMessage(id) == nil else { return }
        quoteWanted = id
        quoteTask = Task { [weak self, service, ref] in
            do throws(ChatError) {
                let message = try await service.message(id, in: ref.id)
                self?.takeQuote(id, message)
            } catch {
                // Without the quoted text the reply still shows. It is looked for again with the next message.
                self?.quoteTask = nil
                self?.quoteWanted = nil
            }
        }
    }

    private func takeQuote(_ id: UUID, _ message: Message?) {
        // Removed or changed while it was looked for: what was found is older than that.
        let isWanted = quoteWanted == id
        (quoteTask, quoteWanted) = (nil, nil)
        if let message, isWanted {
            if state.quoted.count >= 200 { state.quoted = [:] }
            if state.quoted[id] == nil { state.quoted[id] = message }
        } else {
            lostQuotes.insert(id)
        }
        let missing = state.window.messages.suffix(Self.margin).compactMap(\.replyTo)
        let next = missing.last { !lostQuotes.contains($0) && state.quotedMessage($0) == nil }
        if let next { loadQuote(next) }
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
