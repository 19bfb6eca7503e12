import FoundationEssentials
import Models
import Observation
import Sync

/// The conversations of all accounts as one list. What is selected stays selected while rows move.
@MainActor @Observable
package final class ConversationListViewModel {
    package private(set) var state = ConversationListState()

    /// All rows in order, also those that the filter hides.
    @ObservationIgnored private(set) var allRows: [ConversationRow] = []
    @ObservationIgnored private var sources: [Source] = []

    /// Names of people who wrote in groups, learned by and by.
    @ObservationIgnored private var names: [UUID: String] = [:]

    private struct Source {
        let service: any ChatService
        var label: String
        var account: AccountID { service.account }
        var ownID: UUID?
        var conversations: [Conversation]?
        var follower: Task<Void, Never>?
        var finder: Task<Void, Never>?
        /// Groups whose members were asked for.
        var asked: Set<UUID> = []
    }

    /// Groups whose members are asked for, only to name the writers of their last messages.
    static let namedGroups = 20

    /// Told after every change of the conversations.
    @ObservationIgnored var onChange: @MainActor () -> Void = {}

    package init() {}

    /// Takes in an account's conversations and follows them until `remove`.
    package func add(_ service: any ChatService, label: String) {
        remove(service.account)
        sources.append(Source(service: service, label: label))
        follow(service)
        rebuild()
    }

    /// Follows an account anew, in its place; its rows stay until it tells others.
    func replace(_ service: any ChatService) {
        guard let index = sources.firstIndex(where: { $0.account == service.account }) else { return }
        let old = sources[index]
        old.follower?.cancel()
        old.finder?.cancel()
        var source = Source(service: service, label: old.label)
        (source.ownID, source.conversations) = (old.ownID, old.conversations)
        sources[index] = source
        follow(service)
    }

    private func follow(_ service: any ChatService) {
        let account = service.account
        guard let index = sources.firstIndex(where: { $0.account == account }) else { return }
        sources[index].follower = Task { [weak self] in
            for await conversations in await service.conversations() {
                guard !Task.isCancelled else { return }
                self?.take(conversations, of: account)
            }
        }
    }

    package func remove(_ account: AccountID) {
        guard let index = sources.firstIndex(where: { $0.account == account }) else { return }
        sources[index].follower?.cancel()
        sources[index].finder?.cancel()
        sources.remove(at: index)
        rebuild()
    }

    package func stop() {
        for source in sources {
            source.follower?.cancel()
            source.finder?.cancel()
        }
    }

    func setLabel(_ label: String, of account: AccountID) {
        guard let index = sources.firstIndex(where: { $0.account == account }), sources[index].label != label
        else { return }
        sources[index].label = label
        rebuild()
    }

    func take(ownID: UUID, of account: AccountID) {
        guard let index = sources.firstIndex(where: { $0.account == account }), sources[index].ownID != ownID
        else { return }
        sources[index].ownID = ownID
        rebuild()
    }

    private func take(_ conversations: [Conversation], of account: AccountID) {
        guard let index = sources.firstIndex(where: { $0.account == account }) else { return }
        sources[index].conversations = conversations
        rebuild()
        findNames(account)
    }

    // MARK: Names

    /// Remembers what people are called.
    func learn(_ members: [Member]) {
        let before = names
        for member in members {
            let name = member.person.displayName.isBlank ? member.person.username : member.person.displayName
            names[member.id] = name.split(separator: " ").first.map(String.init) ?? name
        }
        if names != before { rebuild() }
    }

    /// Asks for the members of groups whose last writer has no name yet, one group after the other.
    private func findNames(_ account: AccountID) {
        guard let index = sources.firstIndex(where: { $0.account == account }), sources[index].finder == nil,
            let group = unnamedGroup(in: sources[index])
        else { return }
        let service = sources[index].service
        sources[index].asked.insert(group)
        sources[index].finder = Task { [weak self] in
            for await members in await service.members(of: group) where !members.isEmpty {
                self?.learn(members)
                break
            }
            self?.endFinding(account)
        }
    }

    private func unnamedGroup(in source: Source) -> UUID? {
        guard source.asked.count < Self.namedGroups else { return nil }
        return (source.conversations ?? []).first { conversation in
            guard conversation.isGroup, !source.asked.contains(conversation.id),
                let sender = conversation.lastMessage?.senderID
            else { return false }
            return sender != source.ownID && names[sender] == nil
        }?.id
    }

    private func endFinding(_ account: AccountID) {
        guard !Task.isCancelled, let index = sources.firstIndex(where: { $0.account == account }) else {
            return
        }
        sources[index].finder = nil
        findNames(account)
    }

    // MARK: Rows

    private func rebuild() {
        allRows = []
        for (index, source) in sources.enumerated() {
            let label = index == 0 ? nil : source.label
            allRows += (source.conversations ?? []).lazy.filter { !$0.isArchived }.map {
                let sender = $0.isGroup ? $0.lastMessage?.senderID : nil
                return ConversationRow(
                    id: ConversationRef(account: source.account, id: $0.id), accountLabel: label,
                    conversation: $0, ownID: source.ownID, lastSender: sender.flatMap { names[$0] })
            }
        }
        allRows.sort(by: Self.isOrdered)
        state.unreadTotal = allRows.reduce(0) { $0 + $1.conversation.unreadCount }
        state.isLoaded = sources.allSatisfy { $0.conversations != nil }
        applyFilter()
        onChange()
    }

    private static func isOrdered(_ left: ConversationRow, before right: ConversationRow) -> Bool {
        let (one, other) = (left.conversation, right.conversation)
        if one.isPinned != other.isPinned { return one.isPinned }
        if one.activityAt != other.activityAt { return one.activityAt > other.activityAt }
        return left.id.id < right.id.id
    }

    private func applyFilter() {
        let place = state.selectedIndex
        let words = state.filter.text.lowercased().split(separator: " ")
        state.rows =
            words.isEmpty
            ? allRows
            : allRows.filter { row in
                let name = row.name.lowercased()
                return words.allSatisfy { name.contains($0) }
            }
        guard state.selectedIndex == nil else { return }
        // What was selected is gone from view: its neighbour takes over.
        let last = state.rows.count - 1
        state.selection = last < 0 ? nil : state.rows[min(place ?? 0, last)].id
    }

    /// A row by its name above the engines, also one that the filter hides.
    package func row(_ ref: ConversationRef) -> ConversationRow? { allRows.first { $0.id == ref } }

    // MARK: Selection

    package func select(_ ref: ConversationRef) {
        if state.selection != ref { state.selection = ref }
    }

    /// Moves the selection by rows; past an end it stays at the end.
    package func moveSelection(by steps: Int) {
        guard !state.rows.isEmpty else { return }
        let target = (state.selectedIndex ?? 0) + steps
        select(state.rows[min(max(target, 0), state.rows.count - 1)].id)
    }

    /// The next row that is unread after the given one, going round.
    package func nextUnread(after ref: ConversationRef?) -> ConversationRow? {
        let start = ref.flatMap { ref in allRows.firstIndex { $0.id == ref } }.map { $0 + 1 } ?? 0
        let turned = allRows[start...] + allRows[..<start]
        return turned.first { $0.conversation.isUnread && $0.id != ref }
    }

    // MARK: Filter

    package func beginFilter() { state.isFiltering = true }

    /// Ends typing the filter.
    /// - Parameter keeping: Whether the rows stay filtered.
    package func endFilter(keeping: Bool) {
        state.isFiltering = false
        guard !keeping, !state.filter.isEmpty else { return }
        state.filter = TextBuffer()
        applyFilter()
    }

    package func editFilter(_ edit: (inout TextBuffer) -> Void) {
        edit(&state.filter)
        applyFilter()
    }
}
