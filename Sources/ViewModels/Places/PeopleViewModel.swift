import FoundationEssentials
import Models
import Observation
import Sync

/// Finds people by name and picks some: for a new conversation, or to add them to one.
@MainActor @Observable
package final class PeopleViewModel {
    package enum Purpose: Hashable, Sendable {
        case newConversation
        /// Adds people to a group; its title.
        case invite(ConversationRef, String)
    }

    /// The fields of the form.
    package enum Part: Hashable, Sendable { case account, search, title }

    package struct State: Equatable, Sendable {
        package var purpose: Purpose
        /// The accounts to choose from; one when there is no choice.
        package var accounts: [String]
        package var account = 0
        package var query = TextBuffer()
        package var results: [Person] = []
        /// The row the selection is on.
        package var selected = 0
        /// In the order they were picked.
        package var picked: [Person] = []
        package var title = TextBuffer()
        package var part = Part.search
        package var isSearching = false
        /// Whether the service was asked for what is typed now.
        package var wasSearched = false
        package var isBusy = false
        package var trouble: UserCopy?

        /// A title, or several people, make it a group.
        package var isGroup: Bool { picked.count > 1 || !title.text.isBlank }

        package var parts: [Part] {
            let isNew = purpose == .newConversation
            return (isNew && accounts.count > 1 ? [.account] : []) + [.search] + (isNew ? [.title] : [])
        }
    }

    package private(set) var state: State
    @ObservationIgnored private let services: [any ChatService]
    @ObservationIgnored private let time: Timekeeper
    @ObservationIgnored private let known: Set<UUID>
    @ObservationIgnored private var search: Task<Void, Never>?
    @ObservationIgnored private var work: Task<Void, Never>?
    /// Told with the conversation that was begun, or added to.
    @ObservationIgnored private let onDone: @MainActor (ConversationRef) -> Void

    /// The service is asked when no letter came for so long.
    static let searchDelay = Duration.milliseconds(150)
    /// The fewest letters to search for.
    static let fewestLetters = 2

    /// - Parameter known: Who is not offered: oneself, and those who are in it already.
    package init(
        _ purpose: Purpose, accounts: [(label: String, service: any ChatService)], known: Set<UUID>,
        time: Timekeeper, onDone: @escaping @MainActor (ConversationRef) -> Void
    ) {
        state = State(purpose: purpose, accounts: accounts.map(\.label))
        services = accounts.map(\.service)
        self.known = known
        self.time = time
        self.onDone = onDone
    }

    /// Ends what runs; called when the form is put away.
    package func stop() {
        search?.cancel()
        work?.cancel()
    }

    // MARK: Fields

    package func edit(_ edit: (inout TextBuffer) -> Void) {
        state.trouble = nil
        switch state.part {
        case .account: break
        case .title: edit(&state.title)
        case .search:
            let before = state.query.text
            edit(&state.query)
            if state.query.text != before { find() }
        }
    }

    package func movePart(by step: Int) {
        let parts = state.parts
        let place = parts.firstIndex(of: state.part) ?? 0
        state.part = parts[((place + step) % parts.count + parts.count) % parts.count]
    }

    /// Moves through the results, or through the accounts.
    package func move(by steps: Int) {
        if state.part == .account {
            let count = state.accounts.count
            state.account = ((state.account + steps) % count + count) % count
            (state.picked, state.results, state.query) = ([], [], TextBuffer())
        } else if !state.results.isEmpty {
            state.selected = min(max(state.selected + steps, 0), state.results.count - 1)
        }
    }

    /// Backspace in the empty search takes back who was picked last.
    /// - Returns: Whether there was somebody to take back.
    package func dropLastPicked() -> Bool {
        guard state.part == .search, state.query.isEmpty, !state.picked.isEmpty else { return false }
        state.picked.removeLast()
        return true
    }

    // MARK: Finding

    /// Starts with a name, as `:new ben` does.
    package func find(_ name: String) {
        state.query.setText(name)
        find()
    }

    private func find() {
        search?.cancel()
        let query = state.query.text.trimmedAtEnd
        (state.wasSearched, state.selected) = (false, 0)
        guard query.count >= Self.fewestLetters else {
            (state.results, state.isSearching) = ([], false)
            return
        }
        state.isSearching = true
        search = Task { [weak self, time, service = services[state.account]] in
            do { try await time.sleep(Self.searchDelay) } catch { return }
            do throws(ChatError) {
                let found = try await service.people(matching: query)
                if !Task.isCancelled { self?.show(found) }
            } catch {
                if !Task.isCancelled { self?.fail(error) }
            }
        }
    }

    private func show(_ found: [Person]) {
        state.results = found.filter { !known.contains($0.id) }
        (state.isSearching, state.wasSearched) = (false, true)
        state.selected = min(state.selected, max(state.results.count - 1, 0))
    }

    private func fail(_ error: ChatError) {
        (state.isSearching, state.isBusy) = (false, false)
        state.trouble = error.userCopy
    }

    // MARK: Choosing

    /// Enter: picks the selected person; with nothing more searched for, does what the form is for.
    package func accept() {
        guard !state.isBusy else { return }
        if state.part == .search, !state.query.isEmpty {
            pickSelected()
        } else if state.picked.isEmpty {
            state.part = .search
            state.trouble = UserCopy("Nobody is picked.", next: "Type a part of a name.")
        } else {
            finish()
        }
    }

    private func pickSelected() {
        guard state.results.indices.contains(state.selected) else { return }
        let person = state.results[state.selected]
        if !state.picked.contains(where: { $0.id == person.id }) { state.picked.append(person) }
        state.query = TextBuffer()
        (state.results, state.wasSearched) = ([], false)
    }

    private func finish() {
        state.isBusy = true
        let (service, people) = (services[state.account], state.picked.map(\.id))
        let title = state.title.text.isBlank ? nil : state.title.text.trimmedAtEnd
        let (purpose, isGroup) = (state.purpose, state.isGroup)
        work = Task { [weak self] in
            do throws(ChatError) {
                let ref: ConversationRef
                switch purpose {
                case .newConversation:
                    let id = try await service.startConversation(with: people, title: title, isGroup: isGroup)
                    ref = ConversationRef(account: service.account, id: id)
                case .invite(let group, _):
                    try await service.addMembers(people, to: group.id)
                    ref = group
                }
                if !Task.isCancelled { self?.onDone(ref) }
            } catch {
                if !Task.isCancelled { self?.fail(error) }
            }
        }
    }
}
