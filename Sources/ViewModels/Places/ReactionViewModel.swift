import Models
import Observation

/// Picks a reaction for a message. One that this account has already is taken back.
@MainActor @Observable
package final class ReactionViewModel {
    package struct State: Hashable, Sendable {
        package var message: Message
        package var symbols: [String]
        package var selected = 0
    }

    package private(set) var state: State
    @ObservationIgnored private let onChoice: @MainActor (_ symbol: String, _ isOn: Bool) -> Void

    /// What is offered before others were used; at most nine, for the digits.
    static let usual = ["👍", "❤️", "😂", "🎉", "😮", "😢", "🙏", "👀", "✅"]

    /// - Parameter recent: The symbols used last, newest first.
    package init(
        _ message: Message, recent: [String], onChoice: @escaping @MainActor (String, Bool) -> Void
    ) {
        let offered = recent + Self.usual.filter { !recent.contains($0) }
        state = State(message: message, symbols: Array(offered.prefix(9)))
        self.onChoice = onChoice
    }

    package func move(by steps: Int) {
        let count = state.symbols.count
        state.selected = ((state.selected + steps) % count + count) % count
    }

    package func choose() { choose(state.symbols[state.selected]) }

    /// Takes a digit for its place, and anything that is not a letter of the keyboard for itself.
    /// - Returns: Whether it was a choice.
    package func choose(_ typed: Character) -> Bool {
        if let place = typed.wholeNumberValue, typed.isASCII {
            guard (1...state.symbols.count).contains(place) else { return false }
            choose(state.symbols[place - 1])
            return true
        }
        guard !typed.isASCII, !typed.isLetter, !typed.isWhitespace else { return false }
        choose(String(typed))
        return true
    }

    private func choose(_ symbol: String) {
        let isMine = state.message.reactions.contains { $0.symbol == symbol && $0.byMe }
        onChoice(symbol, !isMine)
    }
}
