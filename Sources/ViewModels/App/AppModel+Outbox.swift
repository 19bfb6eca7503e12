import FoundationEssentials
import Models
import Sync

/// What waits, what failed, and what the user decides about it.
extension AppModel {
    func openOutbox() {
        if case .outbox = places.last { return }
        let page = OutboxViewModel(services: accounts.map(\.account.service), time: time)
        page.start()
        push(.outbox(page))
    }

    /// Does what a key of the page asks for, with the row that is selected.
    package func perform(_ action: Action, in page: OutboxViewModel) {
        switch action {
        case .down: page.move(by: 1)
        case .up: page.move(by: -1)
        case .first: page.move(by: -page.state.rows.count)
        case .last: page.move(by: page.state.rows.count)
        case .resendAll: resendAll()
        case .dropAll: askToDropAll()
        case .toggle: page.tag()
        case .cancel where !page.state.tagged.isEmpty: page.forgetTags()
        case .cancel: pop()
        case .resend where !page.state.tagged.isEmpty: resendTagged(in: page)
        case .drop where !page.state.tagged.isEmpty: askToDropTagged(in: page)
        default: if let row = page.state.selectedRow { perform(action, on: row) }
        }
    }

    private func perform(_ action: Action, on row: OutboxRow) {
        guard let service = entry(row.account)?.account.service else { return }
        switch action {
        case .open:
            pop()
            guard list.row(row.conversation) != nil else {
                show(Notice("This conversation is not on the list any more."))
                return
            }
            open(row.conversation, focus: .thread)
            // What was not sent stands at the end, where a thread opens.
            if row.entry.kind != .send { thread?.jump(to: row.entry.messageID) }
        case .resend:
            guard row.entry.failure != nil else {
                perform { await service.reconnectNow() }  // what waits is tried at once, too
                return
            }
            attempt { () async throws(ChatError) in try await service.retry(row.entry.messageID) }
        case .takeBack:
            guard row.entry.kind == .send || row.entry.failure != nil else {
                show(Notice("Only what was typed can be taken back.", next: "Drop the change instead."))
                return
            }
            pop()
            takeBack(row.entry.messageID, in: row.conversation, hasFile: row.entry.fileName != nil)
        case .drop: askToDrop(row, service)
        default: break
        }
    }

    private func askToDrop(_ row: OutboxRow, _ service: any ChatService) {
        guard row.entry.kind.isTheUsers else {
            show(Notice("This follows by itself.", next: "It needs nothing from you."))
            return
        }
        let detail = row.isTyped ? "It is not sent." : "The message stays as the others see it."
        ask("Drop this?", detail: detail, answers: ["Keep", "Drop"]) { [weak self] answer in
            guard answer == 1, let self else { return }
            keepForRecall([row.entry.text])
            attempt { () async throws(ChatError) in try await row.drop(from: service) }
        }
    }

    // MARK: What is tagged

    /// What failed is sent again; what waits is tried at once, with everything else of its account.
    private func resendTagged(in page: OutboxViewModel) {
        let rows = page.state.taggedRows
        page.forgetTags()
        for service in accounts.map(\.account.service) {
            let own = rows.filter { $0.account == service.account }
            if own.contains(where: { $0.entry.failure == nil }) { perform { await service.reconnectNow() } }
            let failed = own.filter { $0.entry.failure != nil }.map(\.entry.messageID)
            attempt { () async throws(ChatError) in for id in failed { try await service.retry(id) } }
        }
    }

    private func askToDropTagged(in page: OutboxViewModel) {
        let rows = page.state.taggedRows.filter(\.entry.kind.isTheUsers)
        guard !rows.isEmpty else {
            page.forgetTags()
            show(Notice("These follow by themselves.", next: "They need nothing from you."))
            return
        }
        let question = rows.count == 1 ? "Drop the tagged one?" : "Drop the \(rows.count) that are tagged?"
        let detail = "What was typed is not sent, and messages stay as the others see them."
        ask(question, detail: detail, answers: ["Keep", "Drop"]) { [weak self, weak page] answer in
            guard answer == 1, let self else { return }
            page?.forgetTags()
            keepForRecall(rows.map(\.entry.text))
            for service in accounts.map(\.account.service) {
                let own = rows.filter { $0.account == service.account }
                attempt { () async throws(ChatError) in for row in own { try await row.drop(from: service) } }
            }
        }
    }

    // MARK: Everything that failed

    func resendAll() {
        let services = accounts.map(\.account.service)
        attempt { [weak self] () async throws(ChatError) in
            var count = 0
            for service in services { count += try await service.retryFailed() }
            let words =
                switch count {
                case 0: "Nothing is there to be sent again."
                case 1: "1 is sent again."
                default: "\(count) are sent again."
                }
            self?.show(Notice(words))
        }
    }

    func askToDropAll() {
        let services = accounts.map(\.account.service)
        ask(
            "Drop everything that failed?", detail: "What still waits goes out all the same.",
            answers: ["Keep", "Drop"]
        ) { [weak self] answer in
            guard answer == 1 else { return }
            self?.attempt { () async throws(ChatError) in
                var texts: [String] = []
                for service in services { texts += try await service.dropFailed() }
                self?.keepForRecall(texts)
            }
        }
    }

    /// What was typed and dropped comes back like what was sent, as long as the program runs.
    func keepForRecall(_ texts: [String]) {
        let typed = texts.filter { !$0.isBlank }
        guard !typed.isEmpty else { return }
        for text in typed { history.add(text) }
        show(Notice("Dropped.", next: "Its text is still among what you sent before."))
    }

    // MARK: Taking back

    func takeBack(_ message: Message) {
        guard message.position == nil, let thread else {
            show(Notice("Only a message that was not sent can be taken back."))
            return
        }
        takeBack(message.id, in: thread.ref, hasFile: message.attachment != nil)
    }

    /// Puts what was typed into the composer of its conversation, before what stands there.
    private func takeBack(_ id: UUID, in ref: ConversationRef, hasFile: Bool) {
        guard let entry = entry(ref.account) else { return }
        let service = entry.account.service
        if list.row(ref) != nil { open(ref) }
        guard state.open == ref, let composer else {
            takeBackElsewhere(id, service)
            return
        }
        guard !hasFile || composer.state.file == nil else {
            show(Notice("There is a file in the composer already.", next: "Send it or take it out first."))
            return
        }
        let files = entry.account.files
        attempt { [weak self] () async throws(ChatError) in
            // Else the draft that it is written to would come in a second time.
            await composer.loadDraft()
            guard let taken = try await service.takeBack(id) else { return }
            let quoted = taken.replyTo.flatMap { self?.thread?.state.quotedMessage($0) }
            composer.takeBack(taken, answering: quoted, of: files)
        }
    }

    /// The conversation has no composer any more.
    private func takeBackElsewhere(_ id: UUID, _ service: any ChatService) {
        attempt { [weak self] () async throws(ChatError) in
            guard let taken = try await service.takeBack(id) else { return }
            self?.history.add(taken.text)
            self?.show(
                Notice("The conversation is gone.", next: "The text is among what you sent before."))
        }
    }
}

extension OutboxRow {
    /// Its text is nowhere else.
    fileprivate var isTyped: Bool { entry.kind == .send || entry.failure != nil }

    fileprivate func drop(from service: any ChatService) async throws(ChatError) {
        if isTyped {
            try await service.drop(entry.messageID)
        } else {
            try await service.cancel(entry.id)
        }
    }
}
