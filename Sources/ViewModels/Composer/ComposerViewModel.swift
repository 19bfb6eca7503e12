import FoundationEssentials
import Models
import Observation
import Sync

/// The text being written to one conversation.
///
/// It belongs to its conversation for good: whatever is opened meanwhile, its text, its reply and what it sends
/// stay there. The text survives quitting as a draft, saved shortly after a key and by `flush`.
@MainActor @Observable
package final class ComposerViewModel {
    package internal(set) var state = ComposerState()
    package let ref: ConversationRef

    @ObservationIgnored private var service: any ChatService
    @ObservationIgnored private let time: Timekeeper
    @ObservationIgnored private let history: SentHistory
    /// Told when a message was handed over.
    @ObservationIgnored package var onSend: @MainActor () -> Void = {}

    @ObservationIgnored private var outgoing: [Outgoing] = []
    @ObservationIgnored private var sendTask: Task<Void, Never>?
    @ObservationIgnored private var draftTask: Task<Void, Never>?
    @ObservationIgnored private var savedDraft: String?
    @ObservationIgnored private var typingToldAt: Date?
    /// Place in the sent history while going through it, and the text left behind.
    @ObservationIgnored private var recall: (index: Int, stash: String)?
    /// Where the copy of the attached file is.
    @ObservationIgnored var files: (any FileDoor)?
    /// The text set aside while an old message is edited.
    @ObservationIgnored var setAside = ""

    /// How long after a key the draft is saved at the latest.
    static let draftDelay = Duration.milliseconds(300)
    /// Typing is told again at most this often.
    static let typingInterval: TimeInterval = 2

    package init(
        ref: ConversationRef, service: any ChatService, time: Timekeeper, history: SentHistory
    ) {
        self.ref = ref
        self.service = service
        self.time = time
        self.history = history
    }

    /// Goes on with an account that was opened anew; what stands here is saved there.
    func move(to service: any ChatService, _ files: (any FileDoor)?) {
        self.service = service
        if self.files != nil { self.files = files }
        typingToldAt = nil
        if savedDraft != nil { savedDraft = "" }
        scheduleDraft()
    }

    /// Brings back the draft, unless something was typed before it came.
    package func loadDraft() async {
        guard savedDraft == nil else { return }
        let draft = await service.draft(in: ref.id)
        guard savedDraft == nil else { return }
        savedDraft = draft
        if state.text.isEmpty, !draft.isEmpty { state.text.insert(draft) }
    }

    // MARK: Editing

    package func type(_ character: Character) { insert(String(character)) }

    /// Inserts a paste. Control characters are left out; line breaks and tabs stay.
    package func paste(_ text: String) { insert(text.withPlainLineBreaks.withoutControls) }

    private func insert(_ text: String) {
        state.text.insert(text)
        noteChange()
    }

    /// - Returns: Whether anything changed: a move up from the first line did not, and may mean something else.
    @discardableResult
    package func perform(_ command: TextCommand) -> Bool {
        let revision = state.text.revision
        guard state.text.perform(command) else { return false }
        if state.text.revision != revision { noteChange() } else { state.hint = nil }
        return true
    }

    /// Replaces the text, as one step that can be undone.
    package func setText(_ text: String) {
        state.text.setText(text)
        noteChange()
    }

    /// Puts the cursor before a cluster.
    package func moveCursor(to index: Int) { state.text.moveCursor(to: index) }

    private func noteChange() {
        if state.hint != nil { state.hint = nil }
        scheduleDraft()
        tellTyping(!state.text.isEmpty)
    }

    // MARK: Reply and edit

    package func reply(to message: Message) {
        if case .edit = state.mode { dropMode() }
        state.mode = .reply(to: message)
    }

    /// Brings an own message into the composer. What was being written is set aside meanwhile.
    package func edit(_ message: Message) {
        if case .edit = state.mode {} else { setAside = state.text.text }
        state.mode = .edit(message)
        state.text.setText(message.body)
    }

    /// Ends replying or editing. What was written before an edit comes back.
    /// - Returns: Whether there was anything to end.
    @discardableResult
    package func dropMode() -> Bool {
        switch state.mode {
        case .message: return false
        case .reply: break
        case .edit:
            state.text.setText(setAside)
            setAside = ""
        }
        state.mode = .message
        return true
    }

    // MARK: Sending

    /// Hands the text and the file over. Blank text stays where it is and is not sent; a second call finds an empty box.
    package func send() {
        let written = state.text.text.trimmedAtEnd
        // A caption that nobody can see is none.
        let text = written.isBlank ? "" : written
        let file = isEditing ? nil : state.file
        guard !text.isBlank || file != nil else {
            state.hint = isEditing ? .emptyEdit : state.text.isEmpty ? nil : .nothingToSend
            return
        }
        switch state.mode {
        case .message: outgoing.append(.message(text, replyTo: nil, file: file))
        case .reply(let message): outgoing.append(.message(text, replyTo: message.id, file: file))
        case .edit(let message): outgoing.append(.edit(message.id, text))
        }
        if file != nil { state.file = nil }
        if !text.isBlank { history.add(text) }
        recall = nil
        clearAfterSend()
        onSend()
        guard sendTask == nil else { return }
        sendTask = Task { [weak self] in await self?.sendAll() }
    }

    var isEditing: Bool {
        if case .edit = state.mode { true } else { false }
    }

    private func clearAfterSend() {
        state.text.reset()
        if isEditing, !setAside.isEmpty { state.text.insert(setAside) }
        setAside = ""
        state.mode = .message
        state.hint = nil
        scheduleDraft()
        tellTyping(false)
    }

    /// One after the other, so that they are stored in the order typed.
    private func sendAll() async {
        while !outgoing.isEmpty {
            let next = outgoing.removeFirst()
            do throws(ChatError) {
                switch next {
                case .message(let text, let replyTo, let file):
                    try await service.send(text, in: ref.id, replyTo: replyTo, file: file)
                case .edit(let id, let text): try await service.edit(id, in: ref.id, body: text)
                }
            } catch {
                takeBack([next] + outgoing, because: error)
            }
        }
        sendTask = nil
    }

    /// The store could not keep it: every text comes back before what was typed since. There is room for one file.
    private func takeBack(_ unsent: [Outgoing], because error: ChatError) {
        outgoing = []
        let texts = unsent.map(\.text).filter { !$0.isBlank }
        for file in unsent.compactMap(\.file) {
            if state.file == nil { state.file = file } else { discard(file) }
        }
        let rest = state.text.isEmpty ? [] : [state.text.text]
        state.text.setText((texts + rest).joined(separator: "\n"))
        state.hint = .notKept(error.userCopy)
        scheduleDraft()
    }

    // MARK: Sent history

    /// Goes through the texts sent before: -1 to older, 1 to newer and at last to what was being written.
    package func recallSent(by step: Int) {
        let texts = history.texts
        let current = recall ?? (texts.count, state.text.text)
        let index = current.index + step
        guard index >= 0, index <= texts.count, index != current.index else { return }
        state.text.setText(index == texts.count ? current.stash : texts[index])
        recall = index == texts.count ? nil : (index, current.stash)
        noteChange()
    }

    // MARK: Draft and typing

    /// Counted from the first key that is not saved, not from the last: also who types on and on has it on disk.
    func scheduleDraft() {
        guard draftTask == nil else { return }
        draftTask = Task { [weak self, time] in
            do { try await time.sleep(Self.draftDelay) } catch { return }
            self?.draftTask = nil
            await self?.saveDraft()
        }
    }

    /// While an old message is edited, the draft is what was set aside.
    private var draft: String { isEditing ? setAside : state.text.text }

    private func saveDraft() async {
        let text = draft.isBlank ? "" : draft
        guard text != savedDraft ?? "" else { return }
        savedDraft = text
        do throws(ChatError) {
            try await service.saveDraft(text, in: ref.id)
        } catch {
            savedDraft = nil
            state.hint = .notKept(error.userCopy)
        }
    }

    /// Waits until everything handed over is stored, and saves the draft. Called before leaving for good.
    package func flush() async {
        await sendTask?.value
        draftTask?.cancel()
        draftTask = nil
        await saveDraft()
    }

    /// Whether nothing would be lost if it were forgotten: nothing written, chosen or on its way.
    var isIdle: Bool { state.text.isEmpty && state.file == nil && state.mode == .message && sendTask == nil }

    private func tellTyping(_ isTyping: Bool) {
        let now = time.now()
        if isTyping, let told = typingToldAt, abs(now.timeIntervalSince(told)) < Self.typingInterval {
            return
        }
        guard isTyping || typingToldAt != nil else { return }
        typingToldAt = isTyping ? now : nil
        let (service, id) = (service, ref.id)
        Task { await service.setTyping(isTyping, in: id) }
    }
}
