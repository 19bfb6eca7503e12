import Models
import Observation

/// Picks a reaction for a message. One that this account has already is taken back.
@MainActor @Observable
package final class ReactionViewModel {
    package struct State: Hashable, Sendable {
        package var message: Message
        /// What is offered, each sign once; at most nine, for the digits.
        package var symbols: [String]
        package var selected = 0

        /// Whether this account has the sign on the message, in whatever form.
        package func isMine(_ symbol: String) -> Bool {
            let sign = ReactionSymbol(symbol)
            return message.reactions.contains { $0.byMe && ReactionSymbol($0.symbol) == sign }
        }
    }

    package private(set) var state: State
    @ObservationIgnored private let onChoice: @MainActor (_ symbol: String) -> Void

    /// What is offered before others were used.
    static let usual = ReactionSymbol.tapbacks + ["😂", "🎉", "👀"]

    /// - Parameters:
    ///   - recent: The symbols used last, newest first; they follow the usual ones, whose places do not change.
    ///   - onChoice: Told what to turn on or off.
    package init(_ message: Message, recent: [String], onChoice: @escaping @MainActor (String) -> Void) {
        let offered = ReactionSymbol.tapbacks + recent + Self.usual
        var taken: Set<ReactionSymbol> = []
        let symbols = offered.filter { taken.insert(ReactionSymbol($0)).inserted }
        state = State(message: message, symbols: Array(symbols.prefix(9)))
        self.onChoice = onChoice
    }

    package func move(by steps: Int) {
        let count = state.symbols.count
        state.selected = ((state.selected + steps) % count + count) % count
    }

    package func choose() { onChoice(state.symbols[state.selected]) }

    /// Takes a digit for its place, and anything that is not a letter of the keyboard for itself.
    /// - Returns: Whether it was a choice.
    package func choose(_ typed: Character) -> Bool {
        if let place = typed.wholeNumberValue, typed.isASCII {
            guard (1...state.symbols.count).contains(place) else { return false }
            onChoice(state.symbols[place - 1])
            return true
        }
        guard !typed.isASCII, let symbol = ReactionSymbol.form(typed: String(typed)) else { return false }
        onChoice(symbol)
        return true
    }
}
