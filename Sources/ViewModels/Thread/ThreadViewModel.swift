import FoundationEssentials
import Models
import Observation
import Sync

/// One open thread: the messages near the screen, where it is scrolled to, and what others do in it.
///
/// It keeps nothing that is not stored elsewhere; leaving it loses a place in the thread and no more.
@MainActor @Observable
package final class ThreadViewModel {
    package internal(set) var state: ThreadState
    package let ref: ConversationRef

    @ObservationIgnored let service: any ChatService
    @ObservationIgnored let time: Timekeeper
    @ObservationIgnored private var followers: [Task<Void, Never>] = []
    @ObservationIgnored var loading: Task<Void, Never>?
    /// Waits out what the service asked for before older messages are loaded on.
    @ObservationIgnored var pause: Task<Void, Never>?
    @ObservationIgnored var quoteTask: Task<Void, Never>?
    /// Quoted messages that nobody has any more.
    @ObservationIgnored var lostQuotes: Set<UUID> = []
    /// The quoted message that is being looked for.
    @ObservationIgnored var quoteWanted: UUID?
    /// Told when something went wrong that the user asked for.
    @ObservationIgnored package var onTrouble: @MainActor (UserCopy) -> Void = { _ in }

    /// Told when the first page is in a window that had nothing to show.
    @ObservationIgnored var onPage: @MainActor () -> Void = {}
    /// Nothing is there to be seen yet, and the first page is on its way.
    @ObservationIgnored package private(set) var isOpening = true

    /// Told who is in the conversation.
    @ObservationIgnored var onMembers: @MainActor ([Member]) -> Void = { _ in }

    /// Whether somebody looks: the pane has the focus and so has the window.
    @ObservationIgnored private var isWatched = false
    @ObservationIgnored private var markTask: Task<Void, Never>?
    @ObservationIgnored private var markWanted: Message?
    /// Up to where the service was told, or knows, that this account has read.
    @ObservationIgnored private var markedPosition: Int64

    init(
        ref: ConversationRef, conversation: Conversation, ownID: UUID?, service: any ChatService,
        time: Timekeeper, remembered: ThreadMemory.Thread? = nil
    ) {
        self.ref = ref
        self.service = service
        self.time = time
        markedPosition = conversation.readPosition ?? .min
        var state = ThreadState(conversation: conversation)
        state.ownID = ownID
        if conversation.unreadCount > 0 { state.unreadAfter = conversation.readPosition ?? .min }
        if let remembered {
            (state.window, state.members) = (remembered.window, remembered.members)
            state.people = remembered.people
            isOpening = false
        }
        self.state = state
    }

    /// Follows the conversation until `stop()`: stored history first, live messages merged in.
    package func start() {
        stop()
        let (service, id) = (service, ref.id)
        followers = [
            Task { [weak self] in
                let opened = await service.openThread(id)
                self?.take(page: opened.page)
                await gather {
                    opened.changes
                } deliver: { changes in
                    for change in changes { self?.take(change) }
                }
            },
            Task { [weak self] in
                for await news in await service.threadNews(for: id) { self?.take(news) }
            },
            Task { [weak self] in
                for await members in await service.members(of: id) { self?.take(members) }
            },
            Task { [weak self] in
                for await transfers in await service.transfers() { self?.take(transfers) }
            },
            Task { [weak self, time] in
                do { try await time.sleep(.milliseconds(100)) } catch { return }
                self?.loadIfNearEdge()  // the stored page is in; is it enough for a tall window?
            },
        ]
    }

    /// Ends the streams, and with them the subscriptions.
    package func stop() {
        for task in followers { task.cancel() }
        followers = []
        loading?.cancel()
        loading = nil
        pause?.cancel()
        pause = nil
        quoteTask?.cancel()
        quoteTask = nil
    }

    /// Takes over what the conversation list knows of this conversation.
    package func take(_ conversation: Conversation) {
        guard conversation != state.conversation else { return }
        state.conversation = conversation
        markedPosition = max(markedPosition, conversation.readPosition ?? .min)
    }

    package func take(ownID: UUID) {
        if state.ownID != ownID { state.ownID = ownID }
    }

    // MARK: News

    /// The stored page takes the place of what was remembered.
    private func take(page: [Message]) {
        guard !Task.isCancelled else { return }
        let wasOpening = isOpening
        isOpening = false
        if state.window.messages != page {
            state.window.keepOnly(Set(page.map(\.id)))
            for message in page { insert(message) }
        }
        markReadIfWatched()
        if wasOpening { onPage() }
    }

    private func take(_ change: ThreadChange) {
        switch change {
        case .message(let message): insert(message)
        case .gone(let id):
            moveSelection(awayFrom: id)
            state.window.remove(id)
            state.quoted[id] = nil
            if quoteWanted == id { quoteWanted = nil }
        }
    }

    private func insert(_ message: Message) {
        let merge = state.window.merge(message)
        switch merge {
        case .added, .keptForLater: noteArrival(of: message)
        case .tooOld: loadIfNearEdge()
        case .changed: break
        }
        if state.window.messages.count > MessageWindow.limit + MessageWindow.slack {
            state.window.trim(around: state.scroll.messageID)
        }
        // Far above the window it may still be quoted in it.
        if state.quoted[message.id] != nil || quoteWanted == message.id { state.quoted[message.id] = message }
        if let quote = message.replyTo { loadQuote(quote) }
        markReadIfWatched()
    }

    /// A message of somebody else that comes while nobody looks begins the unread part.
    private func noteArrival(of message: Message) {
        guard let position = message.position, position > markedPosition, !state.isOwn(message) else {
            return
        }
        if state.unreadAfter == nil, !isWatched || state.scroll != .newest {
            state.unreadAfter = max(markedPosition, lastSeenPosition(before: message))
        }
        if state.scroll != .newest { state.newBelow += 1 }
    }

    private func lastSeenPosition(before message: Message) -> Int64 {
        guard let position = message.position else { return .min }
        return state.window.messages.last { $0.id != message.id && ($0.position ?? .max) < position }?
            .position
            ?? .min
    }

    private func take(_ news: ThreadNews) {
        switch news {
        case .typing(let people): if state.typing != people { state.typing = people }
        case .present(let people): if state.present != people { state.present = people }
        case .gap(let position): if state.gapBefore != position { state.gapBefore = position }
        }
    }

    private func take(_ transfers: [UUID: TransferProgress]) {
        if state.transfers != transfers { state.transfers = transfers }
    }

    private func take(_ members: [Member]) {
        if state.members != members { state.members = members }
        let people = Dictionary(members.map { ($0.id, $0.person) }) { first, _ in first }
        if state.people != people { state.people = people }
        onMembers(members)
    }

    /// Keeps the place on the screen and the selection when their message goes away.
    private func moveSelection(awayFrom id: UUID) {
        guard let index = state.window.index(of: id) else { return }
        let messages = state.window.messages
        let neighbour = index > 0 ? messages[index - 1].id : messages.dropFirst().first?.id
        if state.selection == id { state.selection = neighbour }
        if state.scroll.messageID == id {
            state.scroll = neighbour.map { .at($0, rowsBelow: 0) } ?? .newest
        }
    }

    // MARK: Reading

    /// Says whether somebody looks at the thread. What is seen at its newest end is marked as read.
    package func setWatched(_ isWatched: Bool) {
        self.isWatched = isWatched
        markReadIfWatched()
    }

    func markReadIfWatched() {
        guard isWatched, state.scroll == .newest, !state.window.hasNewer else { return }
        let newest = state.window.messages.last { $0.position != nil && !state.isOwn($0) }
        guard let newest, let position = newest.position,
            position > markedPosition || state.conversation.isMarkedUnread
        else { return }
        markedPosition = max(markedPosition, position)
        markWanted = newest
        guard markTask == nil else { return }
        markTask = Task { [weak self] in await self?.sendMarks() }
    }

    /// One mark in flight at a time; of the wanted ones only the last matters. A mark that could not be kept
    /// is no trouble to tell of: the next message, or the next look, marks again.
    private func sendMarks() async {
        while let message = markWanted {
            markWanted = nil
            do {
                try await service.markRead(upTo: message.id, in: ref.id)
            } catch {
                markedPosition = state.conversation.readPosition ?? .min
                break
            }
        }
        markTask = nil
    }
}
