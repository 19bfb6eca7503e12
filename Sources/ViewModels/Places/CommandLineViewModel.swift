import Observation

/// The line in which a `:` command is typed.
@MainActor @Observable
package final class CommandLineViewModel {
    package struct State: Hashable, Sendable {
        package var text = TextBuffer()
        /// `:` or `/`, as it was opened.
        package var prompt: Character = ":"
        /// Names of commands that begin like the text.
        package var completions: [String] = []

        package init() {}
    }

    package private(set) var state = State()
    @ObservationIgnored private var turn: (prefix: String, index: Int)?

    package init(prompt: Character = ":") { state.prompt = prompt }

    package func edit(_ edit: (inout TextBuffer) -> Void) {
        edit(&state.text)
        turn = nil
        let prefix = state.text.text
        state.completions = prefix.isEmpty ? [] : Command.names.filter { $0.hasPrefix(prefix) }
    }

    /// Puts the next command that begins like what was typed into the line, going round.
    /// - Parameter step: -1 goes backwards.
    package func complete(by step: Int = 1) {
        let prefix = turn?.prefix ?? state.text.text
        let names = Command.names.filter { $0.hasPrefix(prefix) }
        guard !names.isEmpty else { return }
        let last = turn?.index ?? (step > 0 ? -1 : 0)
        let index = ((last + step) % names.count + names.count) % names.count
        state.text.setText(names[index])
        turn = (prefix, index)
        state.completions = names
    }
}
