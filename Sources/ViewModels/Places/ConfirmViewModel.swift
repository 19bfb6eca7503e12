import Observation

/// A question with a few answers. The first answer does nothing.
@MainActor @Observable
package final class ConfirmViewModel {
    package struct State: Hashable, Sendable {
        package var question: String
        /// More words under the question.
        package var detail: String?
        /// What can be chosen; the first one leaves all as it is.
        package var answers: [String]
        package var selected = 0

        package init(_ question: String, detail: String? = nil, answers: [String]) {
            self.question = question
            self.detail = detail
            self.answers = answers
        }
    }

    package private(set) var state: State
    @ObservationIgnored private let onAnswer: @MainActor (Int) -> Void

    /// - Parameter onAnswer: Gets the place of the chosen answer; not called when the question is put away.
    package init(_ state: State, onAnswer: @escaping @MainActor (Int) -> Void) {
        self.state = state
        self.onAnswer = onAnswer
    }

    package func move(by steps: Int) {
        let count = max(state.answers.count, 1)
        state.selected = ((state.selected + steps) % count + count) % count
    }

    /// Chooses by the first letter of an answer.
    /// - Returns: Whether there is such an answer; it is then selected.
    package func select(startingWith letter: Character) -> Bool {
        let place = state.answers.firstIndex { $0.first?.lowercased() == letter.lowercased() }
        if let place { state.selected = place }
        return place != nil
    }

    package func answer() { onAnswer(state.selected) }
}
