import FoundationEssentials
import Models
import Observation
import Sync

/// The whole screen's state: the accounts, the panes, what has the focus, and what lies over them.
///
/// Keys arrive as actions; what the program around the screen has to do leaves through `intents`.
@MainActor @Observable
package final class AppModel {
    package internal(set) var state = AppState()
    package let list = ConversationListViewModel()
    package internal(set) var thread: ThreadViewModel?
    /// The composer of the open conversation.
    package internal(set) var composer: ComposerViewModel?
    /// What lies over the panes; the last is on top and gets the keys.
    package internal(set) var places: [Place] = []
    package internal(set) var accounts: [AccountEntry] = []

    /// What the program has to do, in order. One reader.
    @ObservationIgnored package let intents: AsyncStream<AppIntent>
    @ObservationIgnored let intentSink: AsyncStream<AppIntent>.Continuation
    @ObservationIgnored let time: Timekeeper
    @ObservationIgnored let door: any AccountDoor
    @ObservationIgnored let history = SentHistory()
    /// Composers that hold something: a text or an unfinished send.
    @ObservationIgnored var composers: [ConversationRef: ComposerViewModel] = [:]
    @ObservationIgnored var lastOpen: ConversationRef?
    @ObservationIgnored var memory = ThreadMemory()
    /// Told when a thread that was opened with nothing to show has its first page.
    @ObservationIgnored package var onThreadPage: @MainActor () -> Void = {}
    /// A conversation to open as soon as the list has it.
    @ObservationIgnored var expected: ConversationRef?
    /// The conversation that was open when its account was opened anew: until the list has it again it stays open.
    @ObservationIgnored var mended: ConversationRef?
    /// How often an account's store was built anew in this run.
    @ObservationIgnored var mendings: [AccountID: Int] = [:]
    /// An account whose first conversation is to be opened as soon as the list has one.
    @ObservationIgnored var expectedFirst: AccountID?
    /// Reactions used in this session, newest first.
    @ObservationIgnored var recentReactions: [String] = []
    @ObservationIgnored var noticeTask: Task<Void, Never>?
    @ObservationIgnored var deeds: [Int: Task<Void, Never>] = [:]
    @ObservationIgnored private var deedCount = 0
    @ObservationIgnored var fileWork: [Int: Task<Void, Never>] = [:]
    @ObservationIgnored var fileWorkCount = 0

    @ObservationIgnored var pictures = ThreadPictures()
    @ObservationIgnored var pictureObstacle: UserCopy?

    /// How long a notice stays.
    static let noticeTime = Duration.seconds(8)
    /// A store is built anew so often in one run.
    static let mendingLimit = 3
    /// Composers kept for conversations that are not open.
    static let composerLimit = 64

    /// - Parameter door: Opens accounts, for the forms.
    package init(door: any AccountDoor, time: Timekeeper = .system) {
        self.door = door
        self.time = time
        (intents, intentSink) = AsyncStream.makeStream(of: AppIntent.self)
        list.onChange = { [weak self] in self?.takeListChange() }
    }

    // MARK: The open thread

    /// Opens a conversation in the thread pane.
    package func open(_ ref: ConversationRef, focus: Focus? = .composer) {
        guard let row = list.row(ref), let entry = entry(ref.account) else { return }
        list.select(ref)
        if state.open != ref {
            if let last = state.open { lastOpen = last }
            putThreadAway()
            let thread = makeThread(
                ref, of: row.conversation, entry, memory.thread(ref, of: row.conversation))
            self.thread = thread
            composer = composer(for: ref, entry.account.service)
            state.open = ref
            thread.start()
        }
        if let focus { setFocus(focus) } else { watchThread() }
    }

    func makeThread(
        _ ref: ConversationRef, of conversation: Conversation, _ entry: AccountEntry,
        _ remembered: ThreadMemory.Thread?
    ) -> ThreadViewModel {
        let thread = ThreadViewModel(
            ref: ref, conversation: conversation, ownID: entry.profile?.id, service: entry.account.service,
            time: time, remembered: remembered)
        thread.onPage = { [weak self] in self?.onThreadPage() }
        thread.onTrouble = { [weak self] in self?.show(Notice($0)) }
        thread.onMembers = { [list] in list.learn($0) }
        thread.draw(pictures)
        return thread
    }

    func closeThread() {
        putThreadAway()
        thread = nil
        composer = nil
        state.open = nil
        setFocus(.list)
    }

    private func putThreadAway() {
        keepOrDropComposer()
        guard let thread else { return }
        memory.keep(thread.state, as: thread.ref)
        // Behind the frame that shows the next one: ending the streams wakes other threads, which would compete
        // with the drawing.
        perform { thread.stop() }
    }

    private func composer(for ref: ConversationRef, _ service: any ChatService) -> ComposerViewModel {
        if let kept = composers[ref] { return kept }
        let composer = ComposerViewModel(ref: ref, service: service, time: time, history: history)
        composer.onSend = { [weak self] in
            if self?.state.open == ref { self?.thread?.noteOwnSend() }
            self?.warnIfNotKept(ref.account)
        }
        composers[ref] = composer
        perform { await composer.loadDraft() }
        return composer
    }

    /// Saves what stands in the composer before another one takes its place.
    private func keepOrDropComposer() {
        guard let composer, let ref = state.open else { return }
        perform { [weak self] in
            await composer.flush()
            guard let self, state.open != ref, composer.isIdle else { return }
            composers[ref] = nil
        }
    }

    private func takeListChange() {
        if let expected, list.row(expected) != nil {
            self.expected = nil
            open(expected)
        }
        if let account = expectedFirst, list.state.rows.contains(where: { $0.id.account == account }) {
            expectedFirst = nil
            openFirst(of: account)
        }
        guard let ref = state.open else { return }
        if let row = list.row(ref) {
            mended = nil
            thread?.take(row.conversation)
        } else if list.state.isLoaded, mended != ref {
            closeThread()
        }
    }

    // MARK: Focus

    package func setFocus(_ focus: Focus) {
        let focus = thread == nil ? .list : focus
        if state.focus != focus { state.focus = focus }
        if focus == .thread, thread?.state.selection == nil { thread?.selectNewest() }
        if focus != .thread { thread?.select(nil) }
        watchThread()
    }

    /// The terminal window got or lost the focus.
    package func setWindowFocused(_ isFocused: Bool) {
        if state.isWindowFocused != isFocused { state.isWindowFocused = isFocused }
        watchThread()
    }

    var isWatchingThread: Bool { state.isWindowFocused && state.focus != .list && places.isEmpty }

    func watchThread() { thread?.setWatched(isWatchingThread) }

    // MARK: Work

    /// Starts something the user asked for. It is held until it ends, and waited for by `shutDown`.
    func perform(_ deed: @escaping @MainActor () async -> Void) {
        deedCount += 1
        let number = deedCount
        deeds[number] = Task { [weak self] in
            await deed()
            self?.deeds[number] = nil
        }
    }

    /// Like `perform`; what goes wrong is told.
    func attempt(_ deed: @escaping @MainActor () async throws(ChatError) -> Void) {
        perform { [weak self] in
            do throws(ChatError) { try await deed() } catch { self?.show(Notice(error.userCopy)) }
        }
    }

    /// Waits until everything typed is stored, and ends all streams. The last call.
    package func shutDown() async {
        for work in fileWork.values { work.cancel() }
        for work in Array(fileWork.values) { await work.value }
        for composer in composers.values { await composer.flush() }
        for deed in Array(deeds.values) { await deed.value }
        thread?.stop()
        list.stop()
        for entry in accounts { entry.stop() }
        noticeTask?.cancel()
        intentSink.finish()
    }
}
