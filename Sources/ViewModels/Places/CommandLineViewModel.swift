import Models
import Observation

/// The line in which a `:` command is typed.
///
/// Tab completes what stands before the cursor: as far as all candidates agree, then one after the other. Where
/// they come from may take its time, such as a folder on a slow disk; what is typed meanwhile makes them worthless.
@MainActor @Observable
package final class CommandLineViewModel {
    package struct State: Hashable, Sendable {
        package var text = TextBuffer()
        /// `:` or `/`, as it was opened.
        package var prompt: Character = ":"
        /// Names of commands that begin like the text.
        package var hints: [String] = []
        /// What Tab has to offer, until something is typed.
        package var menu: CompletionMenu?

        package init() {}
    }

    /// Where candidates that are no names of commands come from.
    package struct Sources {
        package var paths: @MainActor (_ typed: String, _ onlyFolders: Bool) async -> Completions = {
            _, _ in Completions()
        }
        package var conversations: @MainActor () -> [String] = { [] }
        package var people: @MainActor () -> [String] = { [] }

        package init() {}
    }

    package private(set) var state = State()
    @ObservationIgnored private let sources: Sources
    @ObservationIgnored private var looking: Task<Void, Never>?
    /// Waits for what is being looked for.
    @ObservationIgnored private var afterwards: (@MainActor () -> Void)?

    package init(prompt: Character = ":", sources: Sources = Sources()) {
        self.sources = sources
        state.prompt = prompt
    }

    package func edit(_ edit: (inout TextBuffer) -> Void) {
        stop()
        edit(&state.text)
        state.menu = nil
        let typed = state.text.text
        state.hints =
            typed.isEmpty
            ? []
            : Completions(CommandSyntax.names(beginningWith: typed), beginningWith: typed)
                .candidates.map(\.label)
    }

    /// A slash behind a folder that was chosen from the menu is the one that stands there.
    /// - Returns: Whether it was taken so.
    package func acceptSlash() -> Bool {
        guard let menu = state.menu, menu.chosen?.text.hasSuffix("/") == true else { return false }
        state.menu = nil
        return true
    }

    /// Ends looking for candidates.
    package func stop() {
        looking?.cancel()
        looking = nil
        afterwards = nil
    }

    /// Does something with the line once it says what it is going to: at once, or when the one candidate that is
    /// still being looked for is there. Several leave it to be done again.
    package func whenCompleted(_ deed: @escaping @MainActor () -> Void) {
        if looking == nil { deed() } else { afterwards = deed }
    }

    /// Completes, or goes on to the next candidate, going round.
    /// - Parameter step: -1 goes backwards.
    package func complete(by step: Int = 1) {
        if var menu = state.menu, !menu.candidates.isEmpty {
            menu.move(by: step)
            state.menu = menu
            put(menu.chosen?.text ?? "", of: menu)
            return
        }
        let line = String(state.text.characters[..<state.text.cursor])
        guard looking == nil, let (place, start) = CommandSyntax.place(in: line) else { return }
        let typed = String(line[start...])
        let menu = CompletionMenu(
            before: String(line[..<start]), after: String(state.text.characters[state.text.cursor...]))
        switch place {
        case .name:
            offer(Completions(CommandSyntax.names(beginningWith: typed), beginningWith: typed), typed, menu)
        case .argument(.conversation): offer(words(sources.conversations(), typed), typed, menu)
        case .argument(.person): offer(words(sources.people(), typed), typed, menu)
        case .argument(.reaction): offer(words(ReactionSymbol.names, typed), typed, menu)
        case .argument(.file): look(for: typed, onlyFolders: false, menu)
        case .argument(.folder): look(for: typed, onlyFolders: true, menu)
        case .argument(.text): break
        }
    }

    private func words(_ words: [String], _ typed: String) -> Completions {
        Completions(words.map { Completions.Candidate($0) }, beginningWith: typed)
    }

    private func look(for typed: String, onlyFolders: Bool, _ menu: CompletionMenu) {
        looking = Task { [weak self, sources] in
            let found = await sources.paths(typed, onlyFolders)
            guard let self, !Task.isCancelled else { return }
            looking = nil
            offer(found, typed, menu)
        }
    }

    private func offer(_ found: Completions, _ typed: String, _ menu: CompletionMenu) {
        var menu = menu
        menu.candidates = found.candidates
        menu.total = found.total
        if found.total == 1, let only = found.candidates.first {
            put(only.text, of: menu)
        } else {
            if found.common.count > typed.count { put(found.common, of: menu) }
            state.menu = menu
        }
        state.hints = []
        let deed = afterwards
        afterwards = nil
        if found.total == 1 { deed?() }
    }

    private func put(_ text: String, of menu: CompletionMenu) {
        let start = menu.before + text
        state.text.setText(start + menu.after)
        state.text.moveCursor(to: start.count)
    }
}

/// The candidates that Tab goes through.
package struct CompletionMenu: Hashable, Sendable {
    package internal(set) var candidates: [Completions.Candidate] = []
    /// How many there are, also those that are not listed.
    package internal(set) var total = 0
    /// The one that stands in the line; `nil` until Tab is pressed once more.
    package private(set) var selected: Int?
    /// The line on both sides of what is completed.
    let before: String
    let after: String

    package var chosen: Completions.Candidate? { selected.map { candidates[$0] } }

    init(before: String, after: String) {
        self.before = before
        self.after = after
    }

    mutating func move(by step: Int) {
        let last = selected ?? (step > 0 ? -1 : 0)
        selected = ((last + step) % candidates.count + candidates.count) % candidates.count
    }
}
