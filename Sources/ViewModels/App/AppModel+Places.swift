import FoundationEssentials
import Models
import Sync

extension AppModel {
    // MARK: Places

    package var hasCommandLine: Bool {
        if case .commandLine = places.last { true } else { false }
    }

    /// - Parameters:
    ///   - prompt: The key that opened it; typed twice it is text.
    ///   - text: What stands in the line already.
    package func openCommandLine(_ prompt: Character, text: String = "") {
        let line = CommandLineViewModel(prompt: prompt, sources: commandSources)
        if !text.isEmpty { line.edit { $0.setText(text) } }
        push(.commandLine(line))
    }

    func push(_ place: Place) {
        places.append(place)
        watchThread()
    }

    /// Puts away what lies on top.
    package func pop() {
        guard let place = places.popLast() else { return }
        switch place {
        case .people(let people): people.stop()
        case .signIn(let form): form.stop()
        case .firstRun(let page): page.stop()
        case .commandLine(let line): line.stop()
        case .outbox(let page): page.stop()
        case .page, .confirm, .switcher, .reaction: break
        }
        watchThread()
    }

    func ask(
        _ question: String, detail: String? = nil, answers: [String],
        then: @escaping @MainActor (Int) -> Void
    ) {
        let state = ConfirmViewModel.State(question, detail: detail, answers: answers)
        push(
            .confirm(
                ConfirmViewModel(state) { [weak self] answer in
                    self?.pop()
                    then(answer)
                }))
    }

    package func scrollPage(to row: Int) {
        guard case .page(let page, _) = places.last else { return }
        places[places.count - 1] = .page(page, scrolled: row)
    }

    // MARK: The command line

    /// What the command line completes beside the names of commands.
    private var commandSources: CommandLineViewModel.Sources {
        var sources = CommandLineViewModel.Sources()
        sources.paths = { [weak self] typed, onlyFolders in
            guard let self else { return Completions() }
            // The disk is the same for every account.
            let files = (accounts.filter { $0.id == self.state.open?.account } + accounts)
                .compactMap(\.account.files).first
            return await files?.completions(of: typed, onlyFolders: onlyFolders) ?? Completions()
        }
        sources.conversations = { [weak self] in self?.list.state.rows.map(\.name) ?? [] }
        sources.people = { [weak self] in self?.knownNames ?? [] }
        return sources
    }

    /// User names of everybody there is a conversation with, and of those in the open one.
    private var knownNames: [String] {
        let peers = list.state.rows.compactMap(\.conversation.peer)
        let here = thread?.state.members.filter { $0.id != thread?.state.ownID }.map(\.person) ?? []
        return Set((peers + here).map(\.username)).filter { !$0.isEmpty }.sorted()
    }

    /// Does what the line says, and puts it away.
    /// - Returns: An action that the line names, for the screen to do: some depend on its rows.
    package func acceptCommandLine(_ line: CommandLineViewModel) -> Action? {
        let text = line.state.text.text
        pop()
        guard !text.isBlank else { return nil }
        guard let command = Command(text) else {
            show(Notice("There is no command like this.", next: "The help page lists them.", tone: .bad))
            return nil
        }
        if case .action(let action) = command { return action }
        perform(command)
        return nil
    }

    package func perform(_ command: Command) {
        switch command {
        case .action(let action): perform(action)
        case .go(let name): go(to: name)
        case .say(let text):
            composer?.setText(text)
            composer?.send()
        case .new(let name): openPeople(.newConversation, find: name)
        case .invite(let name): openInvite(find: name)
        case .react(let symbol): react(symbol)
        case .attach(let path): attach(path)
        case .save(let folder): saveFile(in: folder)
        }
    }

    private func go(to name: String) {
        let words = name.lowercased()
        let rows = list.state.rows
        let row =
            rows.first { $0.name.lowercased().hasPrefix(words) }
            ?? rows.first { $0.name.lowercased().contains(words) }
        if let row { open(row.id) } else { show(Notice("No conversation has this name.")) }
    }

    /// What was opened as a command turned out to be text, such as `:)` or `//`: it goes to the composer.
    /// - Returns: Whether there is a composer for it.
    package func typeInsteadOfCommand(_ prompt: Character, then next: Character) -> Bool {
        guard let composer, state.focus == .composer else { return false }
        pop()
        // A slash or colon typed twice stands for one.
        composer.paste(next == prompt ? String(prompt) : String([prompt, next]))
        return true
    }

    // MARK: Pastes

    /// Lines from which on a paste is asked about.
    static let pasteLines = 6

    /// Puts pasted text into the composer. Nothing of it is taken for a key.
    package func paste(_ text: String) {
        guard let composer else { return }
        setFocus(.composer)
        let plain = text.withPlainLineBreaks
        let lines = plain.split(separator: "\n", omittingEmptySubsequences: false).count
        let hasControls = plain.withoutControls != plain
        guard lines >= Self.pasteLines || hasControls else {
            composer.paste(plain)
            return
        }
        let what = lines == 1 ? "1 line" : "\(lines) lines"
        let detail = hasControls ? "It has control characters, which are left out." : nil
        ask("Insert \(what)?", detail: detail, answers: ["Cancel", "Insert"]) { answer in
            if answer == 1 { composer.paste(plain) }
        }
    }
}
