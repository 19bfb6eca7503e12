import FoundationEssentials
import Models
import Observation
import Sync

/// One operation of some account's outbox.
package struct OutboxRow: Hashable, Sendable, Identifiable {
    package struct ID: Hashable, Sendable {
        package let account: AccountID
        package let operation: OutboxEntry.ID
    }

    package let account: AccountID
    package var entry: OutboxEntry

    package var id: ID { ID(account: account, operation: entry.id) }
    package var conversation: ConversationRef {
        ConversationRef(account: account, id: entry.conversationID)
    }
}

/// Everything the page of the outbox shows.
package struct OutboxState: Equatable, Sendable {
    /// One account after the other, each in the order of its outbox.
    package var rows: [OutboxRow] = []
    package var selection: OutboxRow.ID?
    /// Rows that the next deed is for, all together.
    package var tagged: Set<OutboxRow.ID> = []
    /// Whether every account has told its outbox once.
    package var isLoaded = false
    /// For the countdowns.
    package var now: Date

    package init(now: Date) { self.now = now }

    package var selectedIndex: Int? { rows.firstIndex { $0.id == selection } }
    package var selectedRow: OutboxRow? { selectedIndex.map { rows[$0] } }
    /// In the order of the page.
    package var taggedRows: [OutboxRow] { rows.filter { tagged.contains($0.id) } }
    /// Whole seconds to the next try of a row; `nil`: it waits for no time.
    package func secondsLeft(_ row: OutboxRow) -> Int? {
        row.entry.nextTryAt.map { max(Int($0.timeIntervalSince(now).rounded(.up)), 0) }
    }
}

/// The outboxes of all accounts, as long as somebody looks. It ticks once a second while it shows a countdown.
@MainActor @Observable
package final class OutboxViewModel {
    package private(set) var state: OutboxState

    @ObservationIgnored private let services: [any ChatService]
    @ObservationIgnored private let time: Timekeeper
    @ObservationIgnored private var told: [AccountID: [OutboxEntry]] = [:]
    @ObservationIgnored private var followers: [Task<Void, Never>] = []
    @ObservationIgnored private var ticker: Task<Void, Never>?

    init(services: [any ChatService], time: Timekeeper) {
        self.services = services
        self.time = time
        state = OutboxState(now: time.now())
    }

    /// Follows the outboxes until `stop()`.
    func start() {
        stop()
        followers = services.map { service in
            Task { [weak self] in
                for await entries in await service.outboxEntries() {
                    self?.take(entries, of: service.account)
                }
            }
        }
    }

    func stop() {
        for follower in followers { follower.cancel() }
        followers = []
        ticker?.cancel()
        ticker = nil
    }

    /// Moves the selection by rows; past an end it stays at the end.
    package func move(by steps: Int) {
        guard !state.rows.isEmpty else { return }
        let target = min(max((state.selectedIndex ?? 0) + steps, 0), state.rows.count - 1)
        state.selection = state.rows[target].id
    }

    /// Tags the selected row, or takes its tag off, and goes on to the next.
    package func tag() {
        guard let selection = state.selection else { return }
        if state.tagged.remove(selection) == nil { state.tagged.insert(selection) }
        move(by: 1)
    }

    func forgetTags() { state.tagged = [] }

    private func take(_ entries: [OutboxEntry], of account: AccountID) {
        told[account] = entries
        let place = state.selectedIndex ?? 0
        var next = state
        next.rows = services.map(\.account).flatMap { account in
            (told[account] ?? []).map { OutboxRow(account: account, entry: $0) }
        }
        next.tagged.formIntersection(next.rows.map(\.id))
        next.isLoaded = told.count == services.count
        // What was selected is done: its neighbour takes over.
        if next.selectedIndex == nil {
            next.selection = next.rows.isEmpty ? nil : next.rows[min(place, next.rows.count - 1)].id
        }
        next.now = time.now()
        if next != state { state = next }
        scheduleTick()
    }

    private func scheduleTick() {
        ticker?.cancel()
        ticker = nil
        guard state.rows.contains(where: { (state.secondsLeft($0) ?? 0) > 0 }) else { return }
        ticker = Task { [weak self, time] in
            do { try await time.sleep(.seconds(1)) } catch { return }
            self?.tick()
        }
    }

    private func tick() {
        state.now = time.now()
        scheduleTick()
    }
}
