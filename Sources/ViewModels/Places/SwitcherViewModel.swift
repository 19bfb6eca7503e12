import FoundationEssentials
import Models
import Observation

/// Goes to a conversation by a few letters of its name.
@MainActor @Observable
package final class SwitcherViewModel {
    package struct State: Equatable, Sendable {
        package var query = TextBuffer()
        /// The rows that fit, best first; all of them in order while nothing is typed.
        package var rows: [ConversationRow] = []
        package var selected = 0

        package init() {}
    }

    package private(set) var state = State()
    @ObservationIgnored private let all: [ConversationRow]

    /// Rows that are kept; more are never looked through by eye.
    static let limit = 50

    package init(rows: [ConversationRow]) {
        all = rows
        state.rows = Array(rows.prefix(Self.limit))
    }

    package func edit(_ edit: (inout TextBuffer) -> Void) {
        edit(&state.query)
        let query = state.query.text
        let scored = all.enumerated().compactMap { place, row in
            FuzzyMatch.score(query, in: row.name).map { (score: $0, place: place, row: row) }
        }
        // Of equals the one that was active last comes first: that is their order already.
        let best = scored.sorted { ($0.score, -$0.place) > ($1.score, -$1.place) }
        state.rows = best.prefix(Self.limit).map(\.row)
        state.selected = 0
    }

    package func move(by steps: Int) {
        guard !state.rows.isEmpty else { return }
        state.selected = min(max(state.selected + steps, 0), state.rows.count - 1)
    }

    package var choice: ConversationRow? {
        state.rows.indices.contains(state.selected) ? state.rows[state.selected] : nil
    }
}
